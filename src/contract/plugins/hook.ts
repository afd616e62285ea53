import type { Decision, Risk } from "../tools/approval.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { Message, ModelEnd, ModelFailure, ModelRequest, Usage } from "../providers/model.ts";
import type { TurnEndReason } from "../conversation/fact.ts";
import type { ToolOutcome } from "../tools/outcome.ts";
import type { Effect } from "../tools/effect.ts";

/**
 * How the answers of several handlers combine. It is part of a hook's type, one driver runs all of them, and a hook
 * without a kind does not compile.
 */
export type HookKind = "first" | "observe" | "collect" | "chain";

/**
 * A guard: handlers run in order, the first answer decides. A guard that throws or times out blocks and names its
 * plugin.
 */
export interface First<Payload, Verdict> {
  readonly kind: "first";
  readonly payload: Payload;
  readonly answer: Verdict | null | undefined | void;
}

/** Observed only. Hermes ignores what a handler returns; it logs one that throws and skips it. */
export interface Observe<Payload> {
  readonly kind: "observe";
  readonly payload: Payload;
  readonly answer: unknown;
}

/** All answers are taken, in order of registration. One that throws is logged and skipped. */
export interface Collect<Payload, Piece> {
  readonly kind: "collect";
  readonly payload: Payload;
  readonly answer: Piece | null | undefined | void;
}

/** Each handler sees what the one before made of `value`. One that throws is logged and skipped. */
export interface Chain<Payload extends { readonly value: unknown }> {
  readonly kind: "chain";
  readonly payload: Payload;
  readonly answer: Payload["value"] | null | undefined | void;
}

/**
 * Every hook, its payload, and how its answers count. Payload keys are the original's, so that handlers can be ported;
 * later versions may add keys.
 */
export interface HookMap {
  /**
   * Before any tool runs. `block` refuses the call, whatever others say; `approve` puts it before the approvers;
   * `modify` gives it other arguments, which are held to the schema, shown to every other guard and judged like a
   * model's own. Anything else is ignored.
   */
  pre_tool_call: First<ToolCallInfo, GuardVerdict>;
  post_tool_call: Observe<
    ToolCallInfo & {
      readonly result: string;
      readonly outcome: ToolOutcome;
      readonly duration_ms: number;
      readonly status: "ok" | "error" | "blocked" | "cancelled";
    }
  >;
  transform_tool_result: Chain<ToolCallInfo & { readonly value: string; readonly duration_ms: number }>;
  /** Foreground output before it is cut. */
  transform_terminal_output: Chain<{
    readonly value: string;
    readonly command: string;
    readonly task_id: string;
    readonly returncode: number;
    readonly env_type: string;
  }>;
  /**
   * Once per turn before the loop. The pieces join this request's user message, are never stored and never reach the
   * system prompt.
   */
  pre_llm_call: Collect<
    TurnInfo & {
      readonly user_message: string;
      readonly conversation_history: readonly Message[];
      readonly is_first_turn: boolean;
    },
    string | { readonly context: string }
  >;
  post_llm_call: Observe<
    TurnInfo & {
      readonly user_message: string;
      readonly assistant_response: string;
      readonly conversation_history: readonly Message[];
    }
  >;
  transform_llm_output: Chain<TurnInfo & { readonly value: string }>;
  /**
   * `started_at` and `ended_at` are seconds since 1970, as the original has them, and `api_duration` is seconds too.
   */
  pre_api_request: Observe<
    RequestInfo & {
      readonly user_message: string;
      readonly request: ModelRequest;
      readonly message_count: number;
      readonly tool_count: number;
      readonly approx_input_tokens: number;
      readonly request_char_count: number;
      readonly started_at: number;
    }
  >;
  post_api_request: Observe<
    RequestInfo &
      RequestTimes & {
        readonly message_count: number;
        readonly finish_reason: string;
        readonly usage: Usage;
        readonly assistant_message: Message;
        readonly assistant_content_chars: number;
        readonly assistant_tool_call_count: number;
      }
  >;
  api_request_error: Observe<
    RequestInfo &
      RequestTimes & {
        readonly request: ModelRequest;
        readonly failure: ModelFailure;
        readonly retry_count: number;
        readonly max_retries: number;
        readonly retryable: boolean;
      }
  >;
  /** A turn that edited files is about to end; the first message sends it on. */
  pre_verify: First<
    TurnInfo & { readonly attempt: number; readonly final_response: string; readonly changed_paths: readonly string[] },
    { readonly action: "continue"; readonly message: string }
  >;
  on_session_start: Observe<SessionInfo>;
  on_session_end: Observe<
    SessionInfo & {
      readonly completed: boolean;
      readonly interrupted: boolean;
      readonly task_id: string;
      readonly turn_id: string;
      readonly turn_exit_reason: TurnEndReason;
    }
  >;
  on_session_finalize: Observe<{
    readonly session_id: string | null;
    readonly platform: string;
    readonly reason: string;
    readonly parent_session_id?: string;
  }>;
  on_session_reset: Observe<{ readonly session_id: string; readonly platform: string; readonly reason: string }>;
  subagent_start: Observe<{
    readonly parent_session_id: string;
    readonly child_session_id: string;
    readonly child_role: string;
    readonly child_goal: string;
    readonly parent_turn_id?: string;
  }>;
  subagent_stop: Observe<{
    readonly parent_session_id: string;
    readonly child_session_id: string;
    readonly child_role: string;
    readonly child_summary: string;
    readonly child_status: string;
    readonly duration_ms: number;
    readonly parent_turn_id?: string;
  }>;
  /**
   * Before a slash command of any surface runs. `block` refuses it, `handled` answers instead of it, `rewrite` runs
   * another one instead.
   */
  pre_command: First<
    CommandInfo,
    | { readonly action: "block"; readonly message: string }
    | { readonly action: "handled"; readonly message?: string }
    | { readonly action: "rewrite"; readonly command: string; readonly args?: string }
  >;
  /** An inbound chat message, before sign-in. */
  pre_gateway_dispatch: First<
    { readonly event: JsonObject },
    | { readonly action: "skip" | "allow"; readonly text?: undefined }
    | { readonly action: "rewrite"; readonly text: string }
  >;
  pre_approval_request: Observe<ApprovalInfo>;
  /** `timeout`: no one answered in time. `cancelled`: the question was withdrawn, because the turn was stopped, say. */
  post_approval_response: Observe<
    ApprovalInfo & {
      readonly choice:
        | "once"
        | "session"
        | "always"
        | "deny"
        | "timeout"
        | "cancelled"
        | "smart_approve"
        | "smart_deny";
      readonly decision: Decision;
    }
  >;
  kanban_task_claimed: Observe<JsonObject>;
  kanban_task_completed: Observe<JsonObject>;
  kanban_task_blocked: Observe<JsonObject>;
}

export type GuardVerdict =
  | { readonly action: "block"; readonly message: string }
  | { readonly action: "approve"; readonly message?: string; readonly rule_key?: string; readonly args?: JsonObject }
  | { readonly action: "modify"; readonly args: JsonObject };

export type HookName = keyof HookMap;
/** Hooks that rewrite a text. */
export type ChainHook = { [K in HookName]: HookMap[K]["kind"] extends "chain" ? K : never }[HookName];
export type HookPayload<K extends HookName> = HookMap[K]["payload"];
export type HookAnswer<K extends HookName> = HookMap[K]["answer"];
export type HookHandler<K extends HookName> = (payload: HookPayload<K>) => HookAnswer<K> | Promise<HookAnswer<K>>;

export interface HookOptions {
  /** How long one run may take. Default 30 000. */
  readonly timeoutMs?: number;
  /**
   * A path below the agent's home. While it does not exist at startup, Hermes loads none of the plugin's code for this
   * handler; the handler runs only after something else has loaded the plugin.
   */
  readonly onlyWith?: string;
}

/** The kind of each hook at run time; the compiler holds it to `HookMap`. */
export const HOOK_KINDS: { readonly [K in HookName]: HookMap[K]["kind"] } = {
  pre_tool_call: "first",
  post_tool_call: "observe",
  transform_tool_result: "chain",
  transform_terminal_output: "chain",
  pre_llm_call: "collect",
  post_llm_call: "observe",
  transform_llm_output: "chain",
  pre_api_request: "observe",
  post_api_request: "observe",
  api_request_error: "observe",
  pre_verify: "first",
  on_session_start: "observe",
  on_session_end: "observe",
  on_session_finalize: "observe",
  on_session_reset: "observe",
  subagent_start: "observe",
  subagent_stop: "observe",
  pre_command: "first",
  pre_gateway_dispatch: "first",
  pre_approval_request: "observe",
  post_approval_response: "observe",
  kanban_task_claimed: "observe",
  kanban_task_completed: "observe",
  kanban_task_blocked: "observe",
};

export interface SessionInfo {
  readonly session_id: string;
  readonly model: string;
  readonly platform: string;
  /** In a subagent's session: the id of its parent's session. */
  readonly parent_session_id?: string;
}

export interface TurnInfo extends SessionInfo {
  readonly task_id: string;
  readonly turn_id: string;
}

export interface RequestInfo extends TurnInfo {
  readonly api_request_id: string;
  readonly provider: string;
  readonly api_call_count: number;
}

/** In seconds. */
export interface RequestTimes {
  readonly api_duration: number;
  readonly started_at: number;
  readonly ended_at: number;
}

/** A slash command that is about to run. */
export interface CommandInfo {
  readonly session_id: string;
  readonly platform: string;
  /** The command's full name, also if the user typed an alias or an abbreviation. */
  readonly command: string;
  readonly raw_command: string;
  readonly args: string;
}

export interface ToolCallInfo {
  readonly tool_name: string;
  readonly args: JsonObject;
  readonly task_id: string;
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly turn_id: string;
}

/** A call that is about to run. */
export interface ToolExecutionInfo extends ToolCallInfo {
  readonly effect: Effect;
  /**
   * Paths it may change, a folder with all below it; relative ones start at the terminal's directory. Empty when it
   * changes no files.
   */
  readonly touches: readonly string[];
  /** The session's working directory, where its terminal starts. */
  readonly cwd: string;
}

export interface ApprovalInfo {
  readonly command: string;
  readonly description: string;
  readonly pattern_key: string;
  readonly pattern_keys: readonly string[];
  readonly session_key: string;
  readonly surface: string;
  readonly tool_call_id: string;
  readonly risk: Risk;
}

/**
 * Middleware changes behaviour where hooks watch it. Each wraps the next; the first registered is outermost; they
 * chain.
 */
export interface MiddlewareMap {
  /** Rewrites decoded arguments before guards, risk and the tool see them. */
  tool_request: {
    readonly input: {
      readonly tool_name: string;
      readonly args: JsonObject;
      readonly original_args: JsonObject;
    } & ToolCallInfo;
    readonly output: JsonObject;
  };
  /** Around the tool itself, after approval. */
  tool_execution: { readonly input: ToolExecutionInfo; readonly output: Json };
  /**
   * Rewrites what a model is asked, once for each attempt. Session and limits of time stay the agent's, and a request
   * without calls stays one. A changed system prompt or list of tools costs the provider's cache; that is the plugin's
   * choice and is logged once.
   */
  llm_request: { readonly input: LlmRequestInfo; readonly output: ModelRequest };
  /**
   * Around the model request. Its return value is the answer; if it does not call `next`, no model is asked. Streamed
   * text is shown as it arrives.
   */
  llm_execution: { readonly input: LlmRequestInfo; readonly output: ModelEnd };
}

export interface LlmRequestInfo extends RequestInfo {
  readonly request: ModelRequest;
  /** The request as the agent built it, before any middleware. */
  readonly original_request: ModelRequest;
}

export type MiddlewareKind = keyof MiddlewareMap;

export const MIDDLEWARE_KINDS: readonly MiddlewareKind[] = [
  "tool_request",
  "tool_execution",
  "llm_request",
  "llm_execution",
];

export type Middleware<K extends MiddlewareKind> = (
  input: MiddlewareMap[K]["input"],
  next: (input?: Partial<MiddlewareMap[K]["input"]>) => Promise<MiddlewareMap[K]["output"]>,
) => Promise<MiddlewareMap[K]["output"]>;
