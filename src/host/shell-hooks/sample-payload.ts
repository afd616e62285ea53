import type { HookName } from "../../contract/plugins/hook.ts";
import type { JsonObject } from "../../contract/common/json.ts";

/** A payload to try hooks with, as the event would have it. */
export function sampleOf(event: HookName, tool: string | undefined): JsonObject {
  const session = { session_id: "test-session", platform: "cli", model: "test-model" };
  const turn = { ...session, task_id: "test-session", turn_id: "test-turn" };
  const call = { ...turn, tool_name: tool ?? "terminal", args: { command: "echo hello" }, tool_call_id: "test-call" };
  switch (event) {
    case "pre_tool_call":
      return call;
    case "post_tool_call":
      return { ...call, result: '{"output":"hello"}', status: "ok", duration_ms: 12 };
    case "transform_tool_result":
      return { ...call, value: '{"output":"hello"}', duration_ms: 12 };
    case "transform_terminal_output":
      return { command: "echo hello", value: "hello\n", task_id: "test-session", returncode: 0, env_type: "local" };
    case "pre_llm_call":
    case "post_llm_call":
      return {
        ...turn,
        user_message: "What is the weather?",
        conversation_history: [],
        ...(event === "pre_llm_call" ? { is_first_turn: true } : { assistant_response: "Sunny." }),
      };
    case "pre_command":
      return { ...session, command: "status", raw_command: "status", args: "" };
    case "on_session_end":
      return { ...turn, completed: true, interrupted: false };
    case "subagent_start":
    case "subagent_stop":
      return {
        parent_session_id: "test-session",
        child_session_id: "test-child",
        child_role: "leaf",
        child_goal: "look",
        child_summary: "seen",
        child_status: "completed",
        duration_ms: 1200,
      };
    default:
      return turn;
  }
}
