import type { ApprovalRequest, Scope } from "../../contract/approval.ts";

/** What a person reads before they decide: what would run, where, why it is asked, what it would do, what each answer means. */
export function approvalText(request: ApprovalRequest, scopes: readonly Scope[]): { readonly title: string; readonly lines: readonly string[]; readonly choices: readonly { readonly key: string; readonly scope: Scope | "deny"; readonly label: string }[] } {
  const { risk } = request;
  return {
    title: `Approval needed: ${risk.key}`,
    lines: [
      ...request.subject.split("\n").map((line, index) => `${index === 0 ? "$ " : "  "}${line}`),
      `in    ${request.cwd}`,
      ...list("why", risk.reasons),
      ...list("does", risk.effects),
    ],
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

function list(name: string, texts: readonly string[]): string[] {
  const shown = texts.slice(0, 12).map((text, index) => `${(index === 0 ? name : "").padEnd(6)}${text}`);
  return texts.length > 12 ? [...shown, `      … and ${texts.length - 12} more`] : shown;
}
