import type { TurnEndReason } from "./fact.ts";
import type { Usage } from "../providers/model.ts";

/** Work for a session of its own. */
export interface SubagentTask {
  /** What a person reads where the subagent is shown, or asks them. */
  readonly goal: string;
  /** All it is told: it knows nothing of the conversation it comes from. */
  readonly message: string;
  /** Who it is, at the beginning of its system prompt. The same for all tasks, so that a provider's cache holds. */
  readonly identity: string;
  /** A word for hooks and listings: `leaf`, `orchestrator`. */
  readonly role: string;
  /** Toolsets or tools by name. It never gets more than its parent is offered; absent: the same. */
  readonly toolsets?: readonly string[];
  /** Tools it does not get. */
  readonly without?: readonly string[];
  /** Model requests. Default: as many as a turn of its parent. */
  readonly maxRequests?: number;
  /** Wall time, a person's thinking not counted. Default: none. */
  readonly timeoutMs?: number;
}

/** How a subagent's work ended. What strangers wrote and it has read marks the call that started it, whatever becomes of `text`. */
export interface SubagentResult {
  readonly sessionId: string;
  readonly reason: TurnEndReason | "timeout";
  /** Its final words; "" when there are none. */
  readonly text: string;
  /** What went wrong, for every reason but `done`. */
  readonly detail?: string;
  readonly model: string;
  /** Model requests made. */
  readonly requests: number;
  /** With those of its own subagents. */
  readonly usage: Usage;
  readonly durationMs: number;
  /** Its calls, in the order in which they ended. */
  readonly calls: readonly {
    readonly tool: string;
    readonly argsBytes: number;
    readonly resultBytes: number;
    readonly ok: boolean;
  }[];
}
