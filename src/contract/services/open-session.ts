import type { Prompter } from "../conversation/question.ts";

export interface OpenSession {
  readonly surface: string;
  readonly prompter?: Prompter;
  readonly cwd: string;
  /** The caller shows turns that no user started, too: it accepts plugin messages (`inject_message`). */
  readonly attended?: boolean;
  /** An existing session; default: a new one. */
  readonly sessionId?: string;
  /** Toolsets of this run only. */
  readonly toolsets?: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] };
  readonly maxTurns?: number;
  /** Whose chat it is, where that is not the owner's; kept in a new session's first fact. */
  readonly whose?: string;
  /** The scheduled job or batch run that it works for. Sessions with the same `sessionId` there share their budgets. */
  readonly job?: { readonly id: string; readonly sessionId?: string };
  /** A section of a new session's system prompt: what the place where it is held asks for. */
  readonly place?: string;
  /** Skips approvals (`--yolo`); hard blocks and the user's deny rules stay. */
  readonly yolo?: boolean;
  /** Project notes (`AGENTS.md` and its kin) are not read. */
  readonly ignoreRules?: boolean;
  /** Leaves the user's memories out of the prompt. */
  readonly ignoreMemory?: boolean;
  /** Model, provider and base URL of this run only. */
  readonly model?: { readonly name?: string; readonly provider?: string; readonly baseUrl?: string };
}
