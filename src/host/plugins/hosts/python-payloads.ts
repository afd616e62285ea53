import type { HookName } from "../../../contract/hook.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import type { Message, Usage } from "../../../contract/model.ts";
import { chatForm } from "../../../engine/chat-form.ts";

/** What each hook that rewrites a text calls that text. */
const VALUE_NAMES: { readonly [name: string]: string } = { transform_tool_result: "result", transform_terminal_output: "output", transform_llm_output: "response_text" };
/** Keys the original always sends; a callback that asks for one by name would not run without it. */
const ALWAYS: { readonly [name: string]: JsonObject } = {
  pre_tool_call: { api_request_id: "", middleware_trace: [] },
  post_tool_call: { api_request_id: "", middleware_trace: [] },
  transform_tool_result: { api_request_id: "", status: "ok", error_type: null, error_message: null },
  pre_llm_call: { sender_id: "" },
  pre_api_request: { base_url: "", api_mode: "chat_completions", request_messages: [], request_char_count: 0, max_tokens: null, middleware_trace: [] },
  post_api_request: { base_url: "", api_mode: "chat_completions", response_model: null },
  on_session_end: { reason: "" },
  pre_gateway_dispatch: { gateway: null, session_store: null },
};

/** A hook's payload with the original's keys and values. */
export function payloadForPython(name: HookName, payload: JsonObject): JsonObject {
  const { value, outcome: _, conversation_history, usage, failure, status, ...rest } = payload;
  const named = { ...ALWAYS[name], ...rest } as { [key: string]: Json };
  if (value !== undefined) named[VALUE_NAMES[name] ?? "value"] = value;
  if (conversation_history !== undefined) named["conversation_history"] = (conversation_history as unknown as readonly Message[]).flatMap(chatForm) as unknown as Json;
  if (usage !== undefined) named["usage"] = usageOf(usage as unknown as Usage);
  if (failure !== undefined) Object.assign(named, failureOf(failure as JsonObject));
  if (status !== undefined) named["status"] = name === "post_tool_call" && status === "cancelled" ? "error" : status;
  if (name === "post_tool_call") Object.assign(named, errorOf(named));
  return named;
}

/** What a callback returned, as the hook's own answer. */
export function answerForAgent(name: HookName, answer: Json): Json | undefined {
  if (answer === null) return undefined;
  if (name === "pre_llm_call" && typeof answer === "object" && !Array.isArray(answer)) {
    const { context } = answer as JsonObject;
    return typeof context === "string" && context !== "" ? { context } : undefined;
  }
  if (name === "pre_llm_call" && answer === "") return undefined;
  if (name === "pre_verify" && typeof answer === "object" && (answer as JsonObject)["decision"] === "block") return { action: "continue", message: String((answer as JsonObject)["reason"] ?? "") };
  return answer;
}

export function usageOf(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    reasoning_tokens: reasoningTokens,
  };
}

function failureOf(failure: JsonObject): JsonObject {
  return { error: { type: failure["code"] ?? "", message: failure["message"] ?? "" }, reason: failure["code"] ?? "", status_code: failure["status"] ?? null };
}

function errorOf({ status, result }: { readonly [key: string]: Json }): JsonObject {
  if (status === "ok") return { error_type: null, error_message: null };
  let message: Json = typeof result === "string" ? result : "";
  try {
    message = (JSON.parse(String(result)) as JsonObject)["error"] ?? message;
  } catch {
    // Words that are no JSON are the message.
  }
  return { error_type: status === "blocked" ? "plugin_block" : "tool_error", error_message: message };
}
