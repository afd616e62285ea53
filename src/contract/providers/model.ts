import type { JsonObject } from "../common/json.ts";
import type { AnswerPart, Part } from "../conversation/part.ts";
import type { JsonSchema } from "../common/schema.ts";
import type { Provider } from "../plugins/provider.ts";

/** A tool as a model is offered it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** One message of a request. Only the transcript's fold makes these, so calls and results always match. */
export type Message =
  | { readonly role: "user"; readonly parts: readonly Part[] }
  | { readonly role: "assistant"; readonly parts: readonly AnswerPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResultPart[] };

export interface ToolResultPart {
  readonly callId: string;
  readonly tool: string;
  readonly parts: readonly Part[];
  readonly failed: boolean;
}

export interface ModelRequest {
  readonly model: string;
  /** System prompt; byte-identical for the life of a session, like `tools`. */
  readonly system: string;
  readonly tools: readonly ToolOffer[];
  readonly messages: readonly Message[];
  /** `none`: tools stay in the request (the prefix is law) and must not be called. Default `auto`. */
  readonly toolChoice?: "auto" | "none";
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Stable per session, for providers that route by it. */
  readonly sessionId: string;
  /** What it is for, in the ledger of requests. Absent: a request of a plugin in the current call. */
  readonly purpose?: RequestPurpose;
  /** Time allowed for the connection; the engine itself guards first byte, gaps and total. Default 30 000. */
  readonly connectMs?: number;
  /**
   * Stores the facts that the request contains, if that has not begun. Resolves when they are on disk; rejects if they
   * could not be stored. Only for a client with {@link ModelClient.waits}, which may call it several times.
   */
  store?(): Promise<void>;
}

/** Why a request is sent, and for whom. */
export interface RequestPurpose {
  /** `turn`, `retry`, `fallback`, `subagent`, `compaction`, `approval`, `check`; of plugins also `vision` and others. */
  readonly kind: string;
  /** Absent: the session of the call that runs now. */
  readonly sessionId?: string;
  readonly turnId?: string;
  /** The id in the session's facts. */
  readonly requestId?: string;
}

/** Deltas, then exactly one `end`. A client never throws for the provider's or the network's sake. */
export type ModelEvent =
  | { readonly type: "text.delta"; readonly text: string }
  | { readonly type: "thinking.delta"; readonly text: string }
  /** A call is being written; its arguments come whole with the end. */
  | { readonly type: "call.delta"; readonly tool: string }
  /**
   * A sign of life that shows nothing: more of a call's arguments, a keep-alive of the service. Restarts the silence
   * timeout; an `idle` one, which brings nothing of an answer, only for a while.
   */
  | { readonly type: "alive"; readonly idle?: true }
  | ModelEnd;

/** The parts of an answer that are shown while it streams. */
export type ModelDelta = Exclude<ModelEvent, ModelEnd | { readonly type: "alive"; readonly idle?: true }>;

export type ModelEnd =
  | {
      readonly type: "end";
      readonly kind: "answer";
      readonly parts: readonly AnswerPart[];
      readonly finish: "stop" | "tool-calls" | "length" | "filter";
      readonly usage: Usage;
      /** The model that answered, if the provider says so. */
      readonly model?: string;
      /** USD. From a client: what the provider says it charges. From the ledger: that, or the price table's figure. */
      readonly costUsd?: number;
    }
  | {
      readonly type: "end";
      readonly kind: "failure";
      readonly failure: ModelFailure;
      /** What the service had counted before the answer broke off. */
      readonly usage?: Usage;
    };

export interface Usage {
  /** All input tokens, cached ones included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Of `cacheWriteTokens`, those cached for an hour. Absent: none. */
  readonly cacheWrite1hTokens?: number;
  readonly reasoningTokens: number;
}

export interface ModelFailure {
  readonly code:
    | "auth"
    | "billing"
    | "rate_limit"
    | "overloaded"
    | "server"
    | "network"
    | "timeout"
    | "context_overflow"
    | "model_not_found"
    | "refused"
    | "bad_request"
    | "bad_response"
    | "budget"
    | "cancelled";
  /** The error, where it happened, and what would help; no secrets. */
  readonly message: string;
  readonly retryable: boolean;
  /** The delay that the provider requested (`retry-after`). */
  readonly retryAfterMs?: number;
  readonly status?: number;
  /** `false`: it never reached the service. */
  readonly sent?: false;
  /** The window that the provider named when it found the request too long. */
  readonly contextTokens?: number;
}

/** @see ModelEvent for the order of events. After `signal` aborts, the stream ends with a `cancelled` failure. */
export interface ModelClient {
  /**
   * Calls the request's `store`, makes the request ready meanwhile, and lets nothing of it leave before that resolves,
   * or at all when it rejects. Other clients are asked when all is stored.
   */
  readonly waits?: true;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** How to reach a model: `config.yaml` `model.*`, environment and flags, resolved by the host. */
export interface ModelSettings {
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Where `apiKey` comes from: a setting or a variable. Without a key: why there is none. For messages. */
  readonly keyOrigin?: string;
  /** How long providers keep a cached prefix. Default `5m`. */
  readonly cacheTtl?: "5m" | "1h";
  readonly headers?: { readonly [name: string]: string };
  readonly options?: JsonObject;
  /** The wire that configuration names (`api_mode`), where it is another than the provider's own. */
  readonly apiMode?: string;
  /** `model.client`: who speaks the wire. Default `own`. */
  readonly client?: "own" | "package";
  /** A provider package that speaks to the service, by its name at the registry. */
  readonly package?: string;
  /** The service's display name, if it differs from the provider's. */
  readonly service?: string;
  /** What the ledger of requests needs to know. Absent: the provider's id, and the price table. */
  readonly billing?: Billing;
  /** The last word on a request's body, as it goes over the wire. */
  reshape?(body: JsonObject, about: { readonly sessionId: string }): Promise<JsonObject>;
}

export interface Billing {
  /** The provider as the user names it. */
  readonly provider: string;
  /** `free`: this machine answers. `unknown`: no price table applies. */
  readonly prices: "table" | "free" | "unknown";
}

/** The window of a model as its service states it. */
export interface MeasuredWindow {
  readonly tokens: number;
  /** The service has reserved it. Otherwise it is what the model could read at most. */
  readonly measured: boolean;
  /** How the user gets a larger one, in a sentence. */
  readonly advice?: string;
  /** Fields of a request that ask the service for a window. */
  readonly options?: JsonObject;
}

/** Slot `model`: a service that serves models over one wire protocol. */
export interface ModelProvider extends Provider {
  /** Other names people use for it in configuration. */
  readonly aliases?: readonly string[];
  /** Names of the variables that may hold its key, first set one wins. */
  readonly keyEnv: readonly string[];
  /** It can be used without a key, so none of `keyEnv` chooses it. Default: whether `keyEnv` is empty. */
  readonly keyOptional?: boolean;
  /** A local program answers and signs in itself: `available` reports whether it can be used, and there is no key. */
  readonly program?: boolean;
  /** Where it is unless configured; absent when a base URL must be given. */
  readonly baseUrl?: string;
  /** Used when `model.default` is not set. */
  readonly defaultModel?: string;
  connect(settings: ModelSettings): ModelClient;
  /** Has what the client needs brought here, before its first request. Rejects with what helps. */
  prepare?(settings: ModelSettings): Promise<void>;
  /** The models it serves, for pickers. Rejects with a plain message if it cannot be asked. */
  listModels?(settings: ModelSettings, signal: AbortSignal): Promise<readonly string[]>;
  /** Asks the service for the window of `settings.model`; `undefined` if it does not say. Never rejects. */
  contextWindow?(settings: ModelSettings, signal: AbortSignal): Promise<MeasuredWindow | undefined>;
  /**
   * Rejects with a plain message when the service does not answer or does not take the key. Default: whether
   * `listModels` does.
   */
  probe?(settings: ModelSettings, signal: AbortSignal): Promise<void>;
}
