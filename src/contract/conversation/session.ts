import type { AgentEvent, Fact, Origin, TurnEndReason } from "./fact.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { SettledOutcome, ToolOutcome } from "../tools/outcome.ts";
import type { ImagePart, Part } from "./part.ts";
import type { Usage } from "../providers/model.ts";

/** How a turn ended, for the caller that sent the message. */
export interface TurnEnd {
  readonly turnId: string;
  readonly reason: TurnEndReason;
  /** The final words; "" when there are none. */
  readonly text: string;
  /** The error, for every reason but `done`. */
  readonly detail?: string;
  readonly usage: Usage;
  /** Model requests made. */
  readonly requests: number;
  readonly toolCalls: number;
}

/** One conversation, one turn at a time. Surfaces talk to this and to nothing behind it. */
export interface Session extends AsyncDisposable {
  /**
   * Ends the session. `on_session_finalize` receives the reason: another session replaces it, or (as when it is
   * disposed) the agent ends.
   */
  close(reason: "session_boundary" | "shutdown"): Promise<void>;
  readonly id: string;
  /** A turn runs, or a call made by hand. */
  readonly busy: boolean;
  /** Working directory of the session's task. */
  readonly cwd: string;
  /**
   * Runs a turn with this input, or while one runs: `queue` waits for it, `steer` hands it to the running turn after
   * the next tool result, `interrupt` stops the running turn first. Durable before it returns to the loop. Default
   * `queue`.
   * @param options.inputId By which its facts know it, for a caller that has to find out after a crash what became of
   * it.
   */
  send(
    input: string | readonly Part[],
    options?: { readonly mode?: "queue" | "steer" | "interrupt"; readonly origin?: Origin; readonly inputId?: string },
  ): Promise<TurnEnd>;
  /**
   * Stops the running turn and calls made by hand; resolves when the turn has ended. Then the oldest waiting input
   * begins the next turn.
   */
  interrupt(reason: string): Promise<void>;
  /**
   * Takes back the user's inputs that wait for a turn, oldest first: no turn reads them. Call it before `interrupt` to
   * stop everything. Their senders get a cancelled turn.
   * @param options.newest Takes back only the newest one.
   * @param options.only Takes back only those with these ids.
   */
  withdraw(options?: { readonly newest?: boolean; readonly only?: readonly string[] }): readonly (readonly Part[])[];
  /**
   * Shortens the conversation now (`/compress`). `undefined`: there is nothing to shorten.
   * @throws {UserError} A turn is running or waiting to be resumed, or shortening failed; then nothing has changed.
   */
  compact(options?: {
    /** The topic that the summary must preserve. */ readonly focus?: string;
  }): Promise<Compaction | undefined>;
  /**
   * Takes back the last exchanges: from the user's message that began them, with all later turns. What their calls did
   * stays done. `undefined`: there is nothing to take back.
   * @param options.exchanges Default 1; more than there are takes back all.
   * @param options.again Sends the user's message again, as input with this id if given. It is stored together with the
   * taking back.
   * @throws {UserError} A turn is running, or a summary contains the exchange.
   */
  undo(options?: {
    readonly exchanges?: number;
    readonly again?: { readonly inputId?: string };
  }): Promise<Undone | undefined>;
  /** Stores a value of the session's state, which outlives the process; a copy of the session has it, too. */
  setState(key: string, value: Json): Promise<void>;
  /** A value of the session's state; `undefined` if it was never set. */
  state(key: string): Json | undefined;
  /** Resolves when no turn runs and no input waits for one. */
  idle(): Promise<void>;
  /**
   * Carries an interrupted turn on from the first thing that is missing, and takes in what was queued. `undefined`:
   * nothing to do.
   */
  resume(): Promise<TurnEnd | undefined>;
  /** How the turn ends that takes in this input, which is queued since an earlier process. */
  whenHandled(inputId: string): Promise<TurnEnd>;
  /** What `resume` would do, as lines for the user; empty if nothing was interrupted. */
  interrupted(): readonly string[];
  /** Calls a tool as the user, through the dispatch pipeline. */
  call(tool: string, args: JsonObject): Promise<ToolOutcome>;
  /** Every event from now on, in order. A listener that throws is logged and dropped. */
  subscribe(listener: (event: AgentEvent) => void): Disposable;
  /** The conversation as folded from its facts. */
  view(): SessionView;
}

export interface Compaction {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Summary of the compacted messages; user interfaces show it as the compaction's name. */
  readonly summary: string;
}

/** Turns that the user took back. */
export interface Undone {
  /** Exchanges that began with a message of the user. */
  readonly exchanges: number;
  /** The user's input of the first turn that was taken back. */
  readonly parts: readonly Part[];
  /** Files that calls of these turns may have changed. */
  readonly files: readonly string[];
  /** Other calls with effects outside the conversation, as `terminal npm test`. */
  readonly calls: readonly string[];
  /** How the turn ends that reads the message again. */
  readonly again?: Promise<TurnEnd>;
}

export interface SessionView {
  readonly title: string | undefined;
  readonly entries: readonly ViewEntry[];
  readonly usage: Usage;
  /** Cost of the answers of models whose prices are known. */
  readonly costUsd: number;
  readonly turns: number;
  readonly model: string | undefined;
  /** Names of the tools the model is offered; empty before the first turn. */
  readonly tools: readonly string[];
  readonly state: { readonly [key: string]: unknown };
}

/** The conversation for display. */
export type ViewEntry =
  | {
      readonly kind: "user";
      readonly at: number;
      readonly text: string;
      readonly origin: Origin;
      /** Absent: none. */
      readonly images?: readonly ImagePart[];
    }
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
      /** How it ended, if it did not succeed; absent: it succeeded, or has not ended. */
      readonly failure?: Exclude<SettledOutcome, { kind: "ok" }>;
      /** Images of its result; absent: none. */
      readonly images?: readonly ImagePart[];
      /** The subagents that worked for it; absent: none. */
      readonly subagents?: readonly ViewSubagent[];
    }
  | {
      readonly kind: "note";
      readonly at: number;
      readonly text: string;
      /** `hidden`: a live conversation does not show it; `stopped`, `failed`: how a turn ended. Absent: a notice. */
      readonly role?: "hidden" | "stopped" | "failed";
    };

/** A subagent of a past call. */
export interface ViewSubagent {
  readonly goal: string;
  /** Absent: its end was never stored. */
  readonly ended?: Pick<Extract<Fact, { type: "subagent.ended" }>, "reason" | "durationMs">;
}
