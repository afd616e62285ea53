import type { AgentEvent, Origin, TurnEndReason } from "./fact.ts";
import type { JsonObject } from "../common/json.ts";
import type { ToolOutcome } from "../tools/outcome.ts";
import type { Part } from "./part.ts";
import type { Usage } from "../providers/model.ts";

/** How a turn ended, for whoever asked for it. */
export interface TurnEnd {
  readonly turnId: string;
  readonly reason: TurnEndReason;
  /** The final words; "" when there are none. */
  readonly text: string;
  /** What went wrong, for every reason but `done`. */
  readonly detail?: string;
  readonly usage: Usage;
  /** Model requests made. */
  readonly requests: number;
  readonly toolCalls: number;
}

/** One conversation, one turn at a time. Surfaces talk to this and to nothing behind it. */
export interface Session extends AsyncDisposable {
  /** Ends it; `on_session_finalize` is told why: another session takes its place, or (as when it is disposed) the agent ends. */
  close(reason: "session_boundary" | "shutdown"): Promise<void>;
  readonly id: string;
  /** A turn runs, or a call made by hand. */
  readonly busy: boolean;
  /** Working directory of the session's task. */
  readonly cwd: string;
  /**
   * Runs a turn with this input, or while one runs: `queue` waits for it, `steer` hands it to the running turn after the next tool
   * result, `interrupt` stops the running turn first. Durable before it returns to the loop. Default `queue`.
   * @param options.inputId By which its facts know it, for a caller that has to find out after a crash what became of it.
   */
  send(
    input: string | readonly Part[],
    options?: { readonly mode?: "queue" | "steer" | "interrupt"; readonly origin?: Origin; readonly inputId?: string },
  ): Promise<TurnEnd>;
  /** Stops the running turn and calls made by hand; resolves when the turn has ended. */
  interrupt(reason: string): Promise<void>;
  /**
   * Has the conversation shortened now (`/compress`); `undefined` when there is nothing to shorten.
   * @throws {UserError} while a turn runs or waits to be carried on, and when it could not be done: then nothing has changed.
   */
  compact(options?: { /** What to keep above all. */ readonly focus?: string }): Promise<Compaction | undefined>;
  /** Carries an interrupted turn on from the first thing that is missing, and takes in what was queued. `undefined`: nothing to do. */
  resume(): Promise<TurnEnd | undefined>;
  /** What `resume` would do, in words a person reads; empty when nothing was interrupted. */
  interrupted(): readonly string[];
  /** Calls a tool as the person, by the one road. */
  call(tool: string, args: JsonObject): Promise<ToolOutcome>;
  /** Every event from now on, in order. A listener that throws is logged and dropped. */
  subscribe(listener: (event: AgentEvent) => void): Disposable;
  /** The conversation as folded from its facts. */
  view(): SessionView;
}

export interface Compaction {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What a person reads of it. */
  readonly summary: string;
}

export interface SessionView {
  readonly title: string | undefined;
  readonly entries: readonly ViewEntry[];
  readonly usage: Usage;
  /** Of the answers whose model's prices are known. */
  readonly costUsd: number;
  readonly turns: number;
  readonly model: string | undefined;
  /** Names of the tools the model is offered; empty before the first turn. */
  readonly tools: readonly string[];
  readonly state: { readonly [key: string]: unknown };
}

/** The conversation as a person reads it. */
export type ViewEntry =
  | { readonly kind: "user"; readonly at: number; readonly text: string; readonly origin: Origin }
  | { readonly kind: "assistant"; readonly at: number; readonly text: string; readonly thinking: string }
  | {
      readonly kind: "tool";
      readonly at: number;
      readonly callId: string;
      readonly tool: string;
      readonly args: JsonObject | undefined;
      readonly outcome: string;
      readonly ok: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: "note"; readonly at: number; readonly text: string };
