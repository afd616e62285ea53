import type { JsonObject } from "../../../contract/common/json.ts";
import type { Scope } from "../../../contract/tools/approval.ts";
import type { Origin, TurnEndReason } from "../../../contract/conversation/fact.ts";
import type { PreviewLine } from "../../shared/display/preview-line.ts";

/**
 * `waiting`: not started. `answer`: it waits for the user's answer. `failed`: also a command that ended with an error.
 * `stopped`: cancelled, or interrupted with an unknown outcome.
 */
export type CallState = "waiting" | "approval" | "answer" | "running" | "done" | "failed" | "denied" | "stopped";

/** How the lines of a result are drawn. */
export type ResultForm = "terminal" | "diff" | "lines";

/** A call as a card shows it before the user opens it. Times are epoch ms. */
export interface ShownCall {
  readonly callId: string;
  readonly tool: string;
  /** `Read a.ts`. */
  readonly title: string;
  readonly state: CallState;
  readonly at: number;
  /** When it began to run. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** `exit 1`, or why it failed; "" if there is nothing to add. */
  readonly ending: string;
  /** `+3 −1`, `12 matches`; "" for nothing. */
  readonly summary: string;
  readonly form: ResultForm;
  /** A short part of the result. */
  readonly lines: readonly PreviewLine[];
  /** How many lines were left out. */
  readonly more: number;
  /** Images in the result. */
  readonly images: number;
  readonly by: Origin;
  readonly parentCallId?: string;
  readonly approval?: ShownApproval;
  readonly subagents?: readonly ShownSubagent[];
}

export interface ShownApproval {
  readonly reasons: readonly string[];
  readonly effects: readonly string[];
  /** Absent while it is pending. */
  readonly decision?: "allow" | "deny";
  readonly scope?: Scope;
  readonly by?: string;
  readonly reason?: string;
}

export interface ShownSubagent {
  readonly sessionId: string;
  readonly goal: string;
  /** Absent while it works. */
  readonly reason?: TurnEndReason | "timeout";
  readonly durationMs?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

export interface ShownImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** All of a call. */
export interface CallDetails {
  readonly call: ShownCall;
  readonly args?: JsonObject;
  readonly form: ResultForm;
  readonly lines: readonly PreviewLine[];
  /** The result as the model read it. */
  readonly result: string;
  readonly images: readonly ShownImage[];
  /** Paths that it may have changed. */
  readonly touched: readonly string[];
}

interface Placed {
  /** Unique in its session. */
  readonly id: string;
  /** The fact that changed it last. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  /** The user took it back. */
  readonly undone?: true;
}

/** A row of a session's trace. */
export type TraceItem = Placed &
  (
    | {
        readonly kind: "turn";
        /** 1 for the first. */
        readonly number: number;
        readonly endedAt?: number;
        readonly reason?: TurnEndReason;
        readonly detail?: string;
        readonly requests: number;
        readonly calls: number;
        readonly inputTokens: number;
        readonly cachedTokens: number;
        readonly outputTokens: number;
        /** Of the requests whose cost is known. */
        readonly costUsd: number;
        /** Requests whose cost is unknown. */
        readonly unknownCosts: number;
      }
    | {
        readonly kind: "message";
        readonly origin: Origin;
        readonly text: string;
        readonly images: readonly ShownImage[];
        /** It waits for its turn. */
        readonly queued?: true;
      }
    | { readonly kind: "answer"; readonly text: string; readonly thinking: string }
    | {
        readonly kind: "request";
        readonly model: string;
        readonly attempt: number;
        readonly state: "open" | "answered" | "failed" | "interrupted";
        readonly endedAt?: number;
        readonly failure?: string;
        readonly inputTokens: number;
        readonly cachedTokens: number;
        readonly outputTokens: number;
        readonly reasoningTokens: number;
        readonly costUsd?: number;
      }
    | { readonly kind: "call"; readonly call: ShownCall }
    | {
        readonly kind: "compaction";
        readonly summary: string;
        readonly tokensBefore?: number;
        readonly tokensAfter?: number;
        readonly costUsd?: number;
      }
    | { readonly kind: "note"; readonly text: string; readonly bad: boolean }
  );

export type ItemOf<Kind extends TraceItem["kind"]> = Extract<TraceItem, { kind: Kind }>;
