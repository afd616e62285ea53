import type { HookName } from "../../contract/plugins/hook.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Message, ModelRequest, Usage } from "../../contract/providers/model.ts";
import { chatForm } from "../../engine/transcript/chat-form.ts";
import { FINISH, requestForPython } from "./python-llm.ts";
import { usageOf } from "./python-usage.ts";

/** The key under which each hook that rewrites a text receives that text. */
const VALUE_NAMES: { readonly [name: string]: string } = {
  transform_tool_result: "result",
  transform_terminal_output: "output",
  transform_llm_output: "response_text",
};
/** Keys that the original always sends. A callback that declares one as a parameter would fail without it. */
const ALWAYS: { readonly [name: string]: JsonObject } = {
  pre_tool_call: { api_request_id: "", middleware_trace: [] },
  post_tool_call: { api_request_id: "", middleware_trace: [] },
  transform_tool_result: { api_request_id: "", status: "ok", error_type: null, error_message: null },
  pre_llm_call: { sender_id: "" },
  pre_api_request: {
    base_url: "",
    api_mode: "chat_completions",
    conversation_history: [],
    request_messages: [],
    max_tokens: null,
    middleware_trace: [],
  },
  post_api_request: { base_url: "", api_mode: "chat_completions", response_model: null },
  api_request_error: { base_url: "", api_mode: "chat_completions" },
  pre_verify: { coding: true },
  on_session_end: { reason: "" },
  subagent_start: { parent_turn_id: "", parent_subagent_id: null, child_subagent_id: null },
  subagent_stop: { parent_turn_id: "" },
  pre_approval_request: { turn_id: "" },
  post_approval_response: { turn_id: "" },
  pre_gateway_dispatch: { gateway: null, session_store: null },
};

/** A hook's payload with the original's keys and values. */
export function payloadForPython(name: HookName, payload: JsonObject): JsonObject {
  const {
    value,
    outcome: _,
    conversation_history,
    request,
    assistant_message,
    usage,
    failure,
    status,
    ...rest
  } = payload;
  const named = { ...ALWAYS[name], ...rest } as { [key: string]: Json };
  if (value !== undefined) named[VALUE_NAMES[name] ?? "value"] = value;
  if (conversation_history !== undefined)
    named["conversation_history"] = (conversation_history as unknown as readonly Message[]).flatMap(
      chatForm,
    ) as unknown as Json;
  if (request !== undefined)
    Object.assign(named, requestOf(name, requestForPython(request as unknown as ModelRequest)));
  if (usage !== undefined) named["usage"] = usageOf(usage as unknown as Usage);
  if (assistant_message !== undefined) Object.assign(named, responseOf(assistant_message as unknown as Message, named));
  if (failure !== undefined) Object.assign(named, failureOf(failure as JsonObject));
  if (status !== undefined) named["status"] = name === "post_tool_call" && status === "cancelled" ? "error" : status;
  if (name === "post_tool_call") Object.assign(named, errorOf(named));
  return named;
}

/** Converts the value that a callback returned to the hook's answer. */
export function answerForAgent(name: HookName, answer: Json): Json | undefined {
  if (answer === null) return undefined;
  if (name === "pre_llm_call" && typeof answer === "object" && !Array.isArray(answer)) {
    const { context } = answer as JsonObject;
    return typeof context === "string" && context !== "" ? { context } : undefined;
  }
  if (name === "pre_llm_call" && answer === "") return undefined;
  if (name === "pre_verify" && typeof answer === "object" && (answer as JsonObject)["decision"] === "block")
    return { action: "continue", message: String((answer as JsonObject)["reason"] ?? "") };
  return answer;
}

/** A request, whole as it went out and in the pieces that older plugins read. */
function requestOf(name: HookName, body: JsonObject): JsonObject {
  const request = { method: "POST", body };
  if (name === "api_request_error") return { request };
  const messages = body["messages"] as readonly JsonObject[];
  return {
    request,
    request_messages: messages,
    conversation_history: messages.filter(({ role }) => role !== "system"),
    max_tokens: body["max_tokens"] ?? null,
  };
}

function responseOf(
  message: Message,
  { finish_reason, response_model = null, usage = null }: { readonly [key: string]: Json },
): JsonObject {
  const [text] = chatForm(message);
  const assistant_message = { ...text, tool_calls: text?.tool_calls ?? null } as unknown as JsonObject;
  const finish = FINISH[finish_reason as keyof typeof FINISH] ?? finish_reason ?? null;
  return {
    assistant_message,
    finish_reason: finish,
    response: { model: response_model, finish_reason: finish, assistant_message, usage },
  };
}

function failureOf(failure: JsonObject): JsonObject {
  return {
    error: { type: failure["code"] ?? "", message: failure["message"] ?? "" },
    reason: failure["code"] ?? "",
    status_code: failure["status"] ?? null,
  };
}

function errorOf({ status, result }: { readonly [key: string]: Json }): JsonObject {
  if (status === "ok") return { error_type: null, error_message: null };
  let message: Json = typeof result === "string" ? result : "";
  try {
    message = (JSON.parse(String(result)) as JsonObject)["error"] ?? message;
  } catch {
    // Text that is not JSON is the message.
  }
  return { error_type: status === "blocked" ? "plugin_block" : "tool_error", error_message: message };
}
