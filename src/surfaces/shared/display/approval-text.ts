import type { ApprovalRequest, Scope } from "../../../contract/tools/approval.ts";
import type { Question } from "../../../contract/conversation/question.ts";
import { printable } from "./printable.ts";

export interface ApprovalText {
  readonly title: string;
  /** What would run (`$`), in which folder and where, for whom, why it is asked and what it would do. A label stands before its first line only. */
  readonly parts: readonly { readonly label: string; readonly text: string }[];
  readonly choices: readonly { readonly key: string; readonly scope: Scope | "deny"; readonly label: string }[];
}

const LINES_SHOWN = 12;
const ONLY_ONCE = "once (nothing that lasts is offered for this)";

/** What a person reads before they decide: what would run, where, why it is asked, what it would do, what each answer means. */
export function approvalText({ request, scopes, doubt }: Extract<Question, { kind: "approval" }>): ApprovalText {
  const { risk, subject, cwd, subagent, decoded = [], counts = [] } = request;
  const commands = (risk.commands ?? []).filter((command) => command !== subject.trim());
  return {
    title: printable(`Approval needed: ${risk.key}`),
    parts: [
      { label: "$", text: subject },
      ...list("holds", decoded),
      // As the shell would run it; said only where that is not what stands there.
      ...list("runs", plainly(subject, commands) ? [] : commands),
      { label: "in", text: cwd },
      ...list("by", subagent === undefined ? [] : [`a subagent: ${subagent}`]),
      ...list("on", risk.where === undefined ? [] : [risk.where]),
      ...list("why", doubt === undefined ? risk.reasons : [...risk.reasons, doubt]),
      ...list("does", [...risk.effects, ...counts]),
      // Whoever made these texts: none of them drives the terminal on which they are judged.
    ].map((part) => ({ ...part, text: printable(part.text) })),
    choices: [
      ...scopes.map((scope) => ({
        key: scope[0] ?? "",
        scope,
        label: scopes.length === 1 ? ONLY_ONCE : printable(label(scope, request)),
      })),
      { key: "d", scope: "deny" as const, label: "deny" },
    ],
  };
}

/** `59 s`, then `1 s`: what is left of the time to answer. */
export function timeLeft(timeoutMs: number, passedMs: number): string {
  const seconds = Math.max(0, Math.ceil((timeoutMs - passedMs) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** Every command stands in the text as it is, so saying them again would tell nothing. */
function plainly(subject: string, commands: readonly string[]): boolean {
  return commands.every((command) => subject.includes(command));
}

function label(scope: Scope, { risk }: ApprovalRequest): string {
  if (scope === "once") return "once";
  if (scope === "session") return `for this session (every “${risk.key}”)`;
  return `always (${risk.rule ?? risk.key})`;
}

function list(name: string, texts: readonly string[]): { readonly label: string; readonly text: string }[] {
  const shown = texts.slice(0, LINES_SHOWN).map((text, index) => ({ label: index === 0 ? name : "", text }));
  return texts.length > LINES_SHOWN
    ? [...shown, { label: "", text: `… and ${texts.length - LINES_SHOWN} more` }]
    : shown;
}
