import type { SandboxState } from "../providers/terminal.ts";
import type { Scope } from "../tools/approval.ts";
import type { Question } from "../conversation/question.ts";

/** Reports what may run, before anything does. Uses the approval chain of a call, without a session's grants. */
export interface ApprovalService {
  explain(command: string, options: { readonly cwd: string; readonly surface?: string }): Promise<ApprovalExplanation>;
  answer(
    command: string,
    options: { readonly cwd: string; readonly surface?: string },
  ): Promise<ApprovalAnswer["answer"]>;
  rules(): Promise<readonly ApprovalRule[]>;
  /** The sandbox around commands; `undefined` where the terminal backend is isolated from this machine. */
  sandbox(): Promise<SandboxState | undefined>;
  /** Takes a rule out of `config.yaml`. @throws {UserError} There is none of that text. */
  revoke(rule: string): Promise<void>;
  /** Questions that wait for the user, of all processes of this home, oldest first. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Answers a pending question of any process. Only the first answer counts.
   * @throws {UserError} It was answered or withdrawn, its time is over, it does not offer this scope, or it must be
   * answered at its terminal.
   */
  decide(id: string, reply: ApprovalReply): Promise<void>;
  /**
   * Notes that a user of this process sees pending questions, until disposed: questions that no one else can answer
   * wait for that user, too.
   */
  watch(): Disposable;
  /** Commands of the newest sessions whose answer a change of policy would change. */
  whatIf(change: PolicyChange, options: { readonly sessions: number }): Promise<WhatIf>;
}

/** A question of one of the home's processes. */
export interface PendingApproval {
  readonly id: string;
  readonly question: Extract<Question, { readonly kind: "approval" }>;
  readonly surface: string;
  /** Epoch ms. */
  readonly askedAt: number;
  /** Epoch ms; afterwards the call is denied. */
  readonly untilAt: number;
  /** It is asked at a terminal, and only there it can be answered. */
  readonly atTerminal: boolean;
}

export type ApprovalReply =
  | { readonly kind: "approved"; readonly scope: Scope }
  | { readonly kind: "refused"; readonly reason?: string };

export interface ApprovalAnswer {
  readonly answer: "runs" | "asks" | "refused";
  /** The rule, setting or person that gives it. */
  readonly by: string;
}

export interface ApprovalExplanation extends ApprovalAnswer {
  readonly command: string;
  readonly cwd: string;
  readonly where?: string;
  /** Classes of harm; empty for a command that needs no approval. */
  readonly key: string;
  readonly reasons: readonly string[];
  readonly effects: readonly string[];
  readonly counts: readonly string[];
  /** Every simple command as the shell would run it. */
  readonly commands: readonly string[];
  readonly decoded: readonly string[];
  /** The rule that the answer "always" would store. */
  readonly rule?: string;
  /** Where commands run in a sandbox: what that makes calmer, and what leaving it takes. */
  readonly sandbox?: readonly string[];
  /** Changes that would allow the command; empty if it is allowed. */
  readonly passes: readonly string[];
}

export interface ApprovalRule {
  readonly list: "allow" | "deny";
  readonly rule: string;
  readonly examples: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly from: string;
  /** When it ends, in epoch ms, and whether it has. */
  readonly until?: number;
  readonly over?: boolean;
  /** The examples that it fails. */
  readonly problem?: string;
}

export interface PolicyChange {
  readonly mode?: "manual" | "smart" | "off" | "deny";
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Rules that are taken out. */
  readonly without?: readonly string[];
}

export interface WhatIfRow {
  readonly command: string;
  /** The first session it ran in. */
  readonly sessionId: string;
  readonly times: number;
  readonly before: ApprovalAnswer;
  readonly after: ApprovalAnswer;
}

export interface WhatIf {
  /** How many were looked at. */
  readonly commands: number;
  readonly changed: readonly WhatIfRow[];
}
