import type { ApprovalRequest, Scope } from "../tools/approval.ts";

/** A question for the user. Every interactive surface can show all three kinds. */
export type Question =
  /**
   * `timeoutMs` starts when the dialog opens; after it, the answer is a denial. `doubt` is another approver's
   * objection.
   */
  | {
      readonly kind: "approval";
      readonly request: ApprovalRequest;
      readonly scopes: readonly Scope[];
      readonly timeoutMs: number;
      readonly doubt?: string;
      /** The background session that asks; absent: the one in front of the user. */
      readonly session?: string;
    }
  | { readonly kind: "choice"; readonly text: string; readonly choices: readonly string[]; readonly other: boolean }
  | { readonly kind: "text"; readonly text: string; readonly secret?: boolean };

export type Answer =
  | { readonly kind: "approved"; readonly scope: Scope }
  | { readonly kind: "refused"; readonly reason?: string }
  | { readonly kind: "text"; readonly text: string }
  /** No one answered. Never consent. */
  | { readonly kind: "none"; readonly reason: "timeout" | "nobody" | "cancelled" };

/**
 * Why `signal` takes a question back when the time to answer is over. With any other reason it is not wanted any more.
 */
export const EXPIRED = "no one answered in time";

/** Why `signal` takes a question back that the user answered in another process, such as the dashboard. */
export const ANSWERED_ELSEWHERE = "answered elsewhere";

/**
 * Where questions go. In a session without a prompter, approvals are denied and `interactive` tools are not offered.
 */
export interface Prompter {
  /** It calls the user of a terminal (bell, notification), so approvals wait longer: `approvals.terminal_timeout`. */
  readonly atTerminal?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}
