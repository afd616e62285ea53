import type { ApprovalRequest, Scope } from "../../../contract/tools/approval.ts";
import type { Question } from "../../../contract/conversation/question.ts";
import { printable } from "./printable.ts";

export interface ApprovalText {
  readonly title: string;
  /** The command (`$`), folder, backend, agent, reasons and effects. Only the first line of a part has a label. */
  readonly parts: readonly { readonly label: string; readonly text: string }[];
  readonly choices: readonly { readonly key: string; readonly scope: Scope | "deny"; readonly label: string }[];
}

const LINES_SHOWN = 12;
const ONLY_ONCE = "once (this call allows no lasting permission)";

/**
 * The text of an approval dialog: the command, where it runs, why Hermes asks, its effects, and the choices.
 * @param most Lines of each part; default 12.
 */
export function approvalText(
  { request, scopes, doubt, session }: Extract<Question, { kind: "approval" }>,
  most = LINES_SHOWN,
): ApprovalText {
  const { risk, subject, cwd, subagent, decoded = [], counts = [] } = request;
  const list = (name: string, texts: readonly string[]) => listOf(name, texts, most);
  const commands = (risk.commands ?? []).filter((command) => command !== subject.trim());
  return {
    title: printable(`Approval needed: ${risk.key}`),
    parts: [
      { label: "$", text: subject },
      ...list("holds", decoded),
      // The commands as the shell runs them, shown only if they differ from the text.
      ...list("runs", plainly(subject, commands) ? [] : commands),
      { label: "in", text: cwd },
      ...list("from", session === undefined ? [] : [`the background session ${session}`]),
      ...list("by", subagent === undefined ? [] : [`a subagent: ${subagent}`]),
      ...list("on", risk.where === undefined ? [] : [risk.where]),
      ...list("why", doubt === undefined ? risk.reasons : [...risk.reasons, doubt]),
      ...list("does", [...risk.effects, ...counts]),
      // These texts may be untrusted: none may control the user's terminal.
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

/** The time left to answer: `59 s`. */
export function timeLeft(timeoutMs: number, passedMs: number): string {
  const seconds = Math.max(0, Math.ceil((timeoutMs - passedMs) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** Whether the text already contains every command. */
function plainly(subject: string, commands: readonly string[]): boolean {
  return commands.every((command) => subject.includes(command));
}

function label(scope: Scope, { risk }: ApprovalRequest): string {
  if (scope === "once") return "once";
  if (scope === "session") return `for this session (every “${risk.key}”)`;
  return `always (${risk.rule ?? risk.key})`;
}

function listOf(
  name: string,
  texts: readonly string[],
  most: number,
): { readonly label: string; readonly text: string }[] {
  const shown = texts.slice(0, most).map((text, index) => ({ label: index === 0 ? name : "", text }));
  return texts.length > most ? [...shown, { label: "", text: `… and ${texts.length - most} more` }] : shown;
}
