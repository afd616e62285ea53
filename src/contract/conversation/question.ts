import type { ApprovalRequest, Scope } from "../tools/approval.ts";

/** Something only a person can answer. Every surface that has a person can show all three. */
export type Question =
  /** `timeoutMs` counts from the moment the person is asked; after it the answer is no. `doubt` is what another approver said against it. */
  | {
      readonly kind: "approval";
      readonly request: ApprovalRequest;
      readonly scopes: readonly Scope[];
      readonly timeoutMs: number;
      readonly doubt?: string;
    }
  | { readonly kind: "choice"; readonly text: string; readonly choices: readonly string[]; readonly other: boolean }
  | { readonly kind: "text"; readonly text: string; readonly secret?: boolean };

export type Answer =
  | { readonly kind: "approved"; readonly scope: Scope }
  | { readonly kind: "refused"; readonly reason?: string }
  | { readonly kind: "text"; readonly text: string }
  /** Nobody answered. Never consent. */
  | { readonly kind: "none"; readonly reason: "timeout" | "nobody" | "cancelled" };

/** Why `signal` takes a question back when the time to answer is over. With any other reason it is not wanted any more. */
export const EXPIRED = "no one answered in time";

/** Where questions go. A session without one has nobody to ask: approvals are denied and `interactive` tools are not offered. */
export interface Prompter {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
