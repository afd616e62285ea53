import type { TurnEndReason } from "./fact.ts";
import type { Usage } from "../providers/model.ts";

/** A task for a subagent's session. */
export interface SubagentTask {
  /** The subagent's goal; user interfaces and approval questions show it as the name. */
  readonly goal: string;
  /** Everything the subagent knows of the task: it does not see its parent's conversation. */
  readonly message: string;
  /**
   * Who the subagent is: the first paragraph of its system prompt. The same for all tasks, so that a provider's cache
   * stays valid.
   */
  readonly identity: string;
  /** A word for hooks and listings: `leaf`, `orchestrator`. */
  readonly role: string;
  /** Toolsets or tools by name. It never gets more than its parent is offered; absent: the same. */
  readonly toolsets?: readonly string[];
  /** Tools it does not get. */
  readonly without?: readonly string[];
  /** Model requests. Default: as many as a turn of its parent. */
  readonly maxRequests?: number;
  /** Wall time without the user's thinking time. Default: none. */
  readonly timeoutMs?: number;
}

/**
 * How a subagent's work ended. Untrusted content that it read marks the call that started it, whether or not `text` is
 * used.
 */
export interface SubagentResult {
  readonly sessionId: string;
  readonly reason: TurnEndReason | "timeout";
  /** The subagent's last answer; "" if there is none. */
  readonly text: string;
  /** The error, for every reason but `done`. */
  readonly detail?: string;
  readonly model: string;
  /** Model requests made. */
  readonly requests: number;
  /** Includes its own subagents. */
  readonly usage: Usage;
  readonly durationMs: number;
  /** The subagent's tool calls, in the order in which they ended. */
  readonly calls: readonly {
    readonly tool: string;
    readonly argsBytes: number;
    readonly resultBytes: number;
    readonly ok: boolean;
  }[];
}
