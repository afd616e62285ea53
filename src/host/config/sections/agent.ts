import type { Setting, Settings } from "../setting.ts";

const seconds = (description: string, value: number, env?: string): Setting => ({ type: "number", minimum: 0, default: value, description, ...(env === undefined ? {} : { env }) });
const unused = (...keys: readonly string[]): Settings => Object.fromEntries(keys.map((key) => [key, { unused: true }]));
const repeats: Setting = {
  type: "object",
  properties: {
    exact_failure: { type: "integer", minimum: 1, description: "Times the same call may fail." },
    same_tool_failure: { type: "integer", minimum: 1, description: "Times one tool may fail, whatever its arguments." },
    idempotent_no_progress: { type: "integer", minimum: 1, description: "Times the same call may give the same result." },
  },
};

/** How a turn runs. Owner: the engine, through `TurnConfig`. */
export const AGENT_SETTINGS: Settings = {
  agent: {
    type: "object",
    properties: {
      max_turns: { type: "integer", minimum: 1, default: 90, env: "HERMES_MAX_ITERATIONS", description: "Model requests in one turn." },
      api_max_retries: { type: "integer", minimum: 0, default: 3, description: "How often a failed request is sent again." },
      connect_timeout: seconds("Seconds until a connection must stand.", 30),
      api_timeout: seconds("Seconds one model request may take in all.", 1800, "HERMES_API_TIMEOUT"),
      stream_read_timeout: seconds("Seconds until the first event of an answer.", 120, "HERMES_STREAM_READ_TIMEOUT"),
      stream_stale_timeout: seconds("Seconds of silence between two events of an answer.", 120, "HERMES_STREAM_STALE_TIMEOUT"),
      stream_retries: { type: "integer", minimum: 0, default: 2, env: "HERMES_STREAM_RETRIES", description: "How often a broken stream is taken up again." },
      reasoning_effort: { enum: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"], default: "", description: "How long the model thinks; empty is its own default." },
      disabled_toolsets: { type: "array", items: { type: "string" }, default: [], description: "Toolsets that are off on every platform." },
      system_prompt: { type: "string", default: "", description: "Added to the system prompt." },
      clarify_timeout: seconds("Seconds a person has to answer a question.", 3600),
      verbose: { type: "boolean", default: false, description: "Show more of what happens." },
      ...unused("gateway_timeout", "gateway_timeout_warning", "gateway_notify_interval", "gateway_auto_continue_freshness", "restart_drain_timeout", "service_tier", "tool_use_enforcement"),
      ...unused("intent_ack_continuation", "task_completion_guidance", "parallel_tool_call_guidance", "environment_probe", "verify_guidance", "environment_hint", "coding_context"),
      ...unused("coding_instructions", "max_verify_nudges", "verify_on_stop", "local_stream_stale_timeout", "image_input_mode", "reasoning_overrides", "personalities", "max_tokens", "save_trajectories"),
    },
  },
  tool_loop_guardrails: {
    type: "object",
    properties: {
      warnings_enabled: { type: "boolean", default: true, description: "Tell the model that it repeats itself." },
      hard_stop_enabled: { type: "boolean", default: true, description: "Refuse the same call with the same result when it comes too often." },
      warn_after: repeats,
      hard_stop_after: repeats,
    },
  },
  compression: {
    type: "object",
    properties: {
      enabled: { type: "boolean", default: true, description: "Shorten a conversation before it outgrows the model." },
      threshold: { type: "number", minimum: 0.05, maximum: 0.95, default: 0.5, description: "Share of the context at which it starts." },
      target_ratio: { type: "number", minimum: 0.05, maximum: 0.9, default: 0.2, description: "Share of the threshold that is kept word for word." },
      protect_first_n: { type: "integer", minimum: 0, default: 3, description: "First messages that are kept." },
      protect_last_n: { type: "integer", minimum: 0, default: 20, description: "Last messages that are kept." },
      ...unused("in_place", "hygiene_hard_message_limit", "abort_on_summary_failure", "codex_gpt55_autoraise", "codex_gpt55_autoraise_notice", "codex_app_server_auto"),
    },
  },
  context: { type: "object", properties: { engine: { type: "string", default: "compressor", description: "Who shortens conversations." } } },
  delegation: {
    type: "object",
    properties: {
      max_iterations: { type: "integer", minimum: 1, default: 50, description: "Model requests of one subagent." },
      max_concurrent_children: { type: "integer", minimum: 1, default: 3, description: "Subagents side by side." },
      max_spawn_depth: { type: "integer", minimum: 0, default: 1, description: "How deep subagents may start subagents." },
      child_timeout_seconds: seconds("Seconds a subagent may take; 0 is no limit.", 0),
      max_summary_chars: { type: "integer", minimum: 1, default: 24_000, description: "Longest report of a subagent." },
      ...unused("model", "provider", "base_url", "api_key", "api_mode", "reasoning_effort", "orchestrator_enabled", "inherit_mcp_toolsets", "subagent_auto_approve"),
    },
  },
  memory: {
    type: "object",
    properties: {
      memory_enabled: { type: "boolean", default: true, description: "Keep notes between sessions." },
      user_profile_enabled: { type: "boolean", default: true, description: "Keep a profile of the person." },
      memory_char_limit: { type: "integer", minimum: 1, default: 2200, description: "Longest notes." },
      user_char_limit: { type: "integer", minimum: 1, default: 1375, description: "Longest profile." },
      provider: { type: "string", default: "", description: "External memory; empty is the built-in one." },
      write_approval: { type: "boolean", default: false, description: "Ask before a note is written." },
      ...unused("nudge_interval", "flush_min_turns"),
    },
  },
  context_file_max_chars: { type: "integer", minimum: 1, description: "Longest project notes (AGENTS.md and its kin); longer ones lose their middle. Default 20000." },
};
