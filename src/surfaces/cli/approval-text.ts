import type { ApprovalRequest, Scope } from "../../contract/approval.ts";

export interface ApprovalText {
  readonly title: string;
  /** What would run (`$`), where (`in`), why it is asked and what it would do. A label stands before its first line only. */
  readonly parts: readonly { readonly label: string; readonly text: string }[];
  readonly choices: readonly { readonly key: string; readonly scope: Scope | "deny"; readonly label: string }[];
}

const EFFECTS_SHOWN = 12;

/** What a person reads before they decide: what would run, where, why it is asked, what it would do, what each answer means. */
export function approvalText(request: ApprovalRequest, scopes: readonly Scope[]): ApprovalText {
  const { risk } = request;
  return {
    title: `Approval needed: ${risk.key}`,
    parts: [{ label: "$", text: request.subject }, { label: "in", text: request.cwd }, ...list("why", risk.reasons), ...list("does", risk.effects)],
    choices: [
      ...scopes.map((scope) => ({ key: scope[0] ?? "", scope, label: label(scope, request) })),
      { key: "d", scope: "deny" as const, label: "deny" },
    ],
  };
}

function label(scope: Scope, { risk }: ApprovalRequest): string {
  if (scope === "once") return "once";
  if (scope === "session") return `for this session (every “${risk.key}”)`;
  return `always (${risk.rule ?? risk.key})`;
}

function list(name: string, texts: readonly string[]): { readonly label: string; readonly text: string }[] {
  const shown = texts.slice(0, EFFECTS_SHOWN).map((text, index) => ({ label: index === 0 ? name : "", text }));
  return texts.length > EFFECTS_SHOWN ? [...shown, { label: "", text: `… and ${texts.length - EFFECTS_SHOWN} more` }] : shown;
}
