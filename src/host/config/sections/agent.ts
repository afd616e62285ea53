import type { Setting, Settings } from "../setting.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const seconds = (description: string, value: number, env?: string): Setting =>
  definedFields({
    type: "number",
    minimum: 0,
    default: value,
    description,
    env,
  });
const unused = (...keys: readonly string[]): Settings => Object.fromEntries(keys.map((key) => [key, { unused: true }]));
const repeats: Setting = {
  type: "object",
  properties: {
    exact_failure: { type: "integer", minimum: 1, description: "Times the same call may fail in the same way." },
    same_tool_failure: { type: "integer", minimum: 1, description: "Times one tool may fail, whatever its arguments." },
    idempotent_no_progress: {
      type: "integer",
      minimum: 1,
      description: "Times the same call may give the same result.",
    },
  },
};

/** What a provider keeps under its own name, and reads by itself. */
const OWN_SECTION: Setting = { type: "object" };

/** Keys of parts that are not here: accepted, and nothing reads them. */
const unusedSection = (keys: string): Setting => ({ type: "object", properties: unused(...keys.split(/\s+/)) });

/** How a turn runs. Owner: the engine, through `TurnConfig`. */
export const AGENT_SETTINGS: Settings = {
  agent: {
    type: "object",
    properties: {
      max_turns: {
        type: "integer",
        minimum: 1,
        default: 90,
        env: "HERMES_MAX_ITERATIONS",
        description: "Model requests in one turn.",
      },
      api_max_retries: {
        type: "integer",
        minimum: 0,
        default: 3,
        description: "How often a failed request is sent again.",
      },
      connect_timeout: seconds("Seconds until a connection must stand.", 30),
      api_timeout: seconds("Seconds one model request may take in all.", 1800, "HERMES_API_TIMEOUT"),
      stream_read_timeout: seconds("Seconds until the first event of an answer.", 120, "HERMES_STREAM_READ_TIMEOUT"),
      stream_stale_timeout: seconds(
        "Seconds of silence between two events of an answer.",
        120,
        "HERMES_STREAM_STALE_TIMEOUT",
      ),
      local_stream_stale_timeout: seconds(
        "Seconds of silence, before and in an answer, of a server on this machine or its network, where the two above are not set.",
        900,
        "HERMES_LOCAL_STREAM_STALE_TIMEOUT",
      ),
      stream_retries: {
        type: "integer",
        minimum: 0,
        default: 2,
        env: "HERMES_STREAM_RETRIES",
        description: "How often an answer that broke off is asked for again; within `api_max_retries`.",
      },
      reasoning_effort: {
        enum: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
        default: "",
        description: "How long the model thinks; empty is its own default.",
      },
      disabled_toolsets: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Toolsets that are off on every platform.",
      },
      system_prompt: { type: "string", default: "", description: "Added to the system prompt." },
      clarify_timeout: seconds(
        "Seconds a person has to answer a question of the model; 0 waits for as long as it takes.",
        3600,
      ),
      gateway_timeout: seconds(
        "Seconds a turn of a chat may go on without a sign of life; 0 waits for as long as it takes.",
        1800,
        "HERMES_AGENT_TIMEOUT",
      ),
      gateway_timeout_warning: seconds(
        "After so many the chat is told; 0 tells nothing.",
        900,
        "HERMES_AGENT_TIMEOUT_WARNING",
      ),
      restart_drain_timeout: seconds(
        "Seconds that turns of chats may still run when the gateway is stopped or started again.",
        60,
        "HERMES_RESTART_DRAIN_TIMEOUT",
      ),
      verbose: {
        type: "boolean",
        default: false,
        description:
          "Log at DEBUG, and show arguments and results of calls, unless `logging.level` or `display.tool_progress` say otherwise.",
      },
      ...unused("gateway_notify_interval", "gateway_auto_continue_freshness", "service_tier", "tool_use_enforcement"),
      ...unused(
        "intent_ack_continuation",
        "task_completion_guidance",
        "parallel_tool_call_guidance",
        "environment_probe",
        "verify_guidance",
        "environment_hint",
        "coding_context",
      ),
      ...unused(
        "coding_instructions",
        "max_verify_nudges",
        "verify_on_stop",
        "image_input_mode",
        "reasoning_overrides",
        "personalities",
        "max_tokens",
        "save_trajectories",
      ),
    },
  },
  tool_loop_guardrails: {
    type: "object",
    properties: {
      warnings_enabled: { type: "boolean", default: true, description: "Tell the model that it repeats itself." },
      hard_stop_enabled: {
        type: "boolean",
        default: true,
        description: "Refuse the same call with the same result when it comes too often.",
      },
      warn_after: { ...repeats, description: "Times in a row before the model is told; default 2, 3 and 2." },
      hard_stop_after: { ...repeats, description: "Times in a row before a call is refused; default 3, never and 3." },
    },
  },
  compression: unusedSection(
    "enabled threshold target_ratio protect_first_n protect_last_n in_place hygiene_hard_message_limit abort_on_summary_failure codex_gpt55_autoraise codex_gpt55_autoraise_notice codex_app_server_auto",
  ),
  context: {
    type: "object",
    additionalProperties: OWN_SECTION,
    properties: {
      engine: {
        type: "string",
        default: "compressor",
        description: "Plugin that looks after the context of a conversation.",
      },
    },
  },
  delegation: {
    type: "object",
    properties: {
      max_iterations: { type: "integer", minimum: 1, default: 50, description: "Model requests of one subagent." },
      max_concurrent_children: {
        type: "integer",
        minimum: 1,
        default: 3,
        env: "DELEGATION_MAX_CONCURRENT_CHILDREN",
        description: "Subagents of one session at a time, and tasks in one call.",
      },
      max_spawn_depth: {
        type: "integer",
        minimum: 1,
        default: 1,
        description: "How deep subagents may have subagents; 1: they have none.",
      },
      orchestrator_enabled: {
        type: "boolean",
        default: true,
        description: "Subagents of the role `orchestrator` may delegate, within `max_spawn_depth`.",
      },
      child_timeout_seconds: {
        type: "number",
        minimum: 0,
        default: 0,
        env: "DELEGATION_CHILD_TIMEOUT_SECONDS",
        description: "Seconds one subagent may take, a person's thinking not counted; 0 is no limit, else at least 30.",
      },
      max_summary_chars: {
        type: "integer",
        minimum: 1,
        default: 24_000,
        description: "Longest summary that a parent's model is given; a longer one is kept in a file.",
      },
      subagent_auto_approve: {
        type: "boolean",
        default: false,
        description:
          "Nobody is asked for calls of subagents, but for what strangers' words may have led to; the hard floor and `approvals.deny` stay.",
      },
      model: { type: "string", default: "", description: "Model of subagents; empty is their parent's." },
      provider: { type: "string", default: "", description: "Its provider." },
      base_url: { type: "string", default: "", description: "Its address." },
      api_key: { type: "string", default: "", description: "Its key." },
      api_mode: { type: "string", default: "", description: "Its wire, as `model.api_mode`." },
      reasoning_effort: {
        enum: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
        default: "",
        description: "How long subagents' model thinks; empty is as their parent's.",
      },
      ...unused("inherit_mcp_toolsets"),
    },
  },
  memory: {
    type: "object",
    additionalProperties: OWN_SECTION,
    description: "Keeping memories. A section of the provider's own name (`memory.NAME`) is left to the provider.",
    properties: {
      provider: { type: "string", default: "", description: "Plugin that keeps memories; empty is none." },
      memory_enabled: {
        type: "boolean",
        default: true,
        description: "The agent keeps notes of its own in `memories/MEMORY.md`.",
      },
      user_profile_enabled: {
        type: "boolean",
        default: true,
        description: "It keeps what it learns of the person in `memories/USER.md`.",
      },
      memory_char_limit: {
        type: "integer",
        minimum: 1,
        default: 2200,
        description: "Longest MEMORY.md, in characters.",
      },
      user_char_limit: { type: "integer", minimum: 1, default: 1375, description: "Longest USER.md, in characters." },
      write_approval: {
        type: "boolean",
        default: false,
        description: "A person is asked about each change of them; where nobody can be asked nothing is changed.",
      },
      ...unused("nudge_interval", "flush_min_turns"),
    },
  },
  curator: {
    type: "object",
    properties: {
      enabled: {
        type: "boolean",
        default: true,
        description:
          "Skills that the agent made and that are not used for long go into an archive, by themselves where a gateway runs.",
      },
      interval_hours: { type: "number", minimum: 1, default: 168, description: "Hours between two such runs." },
      min_idle_hours: {
        type: "number",
        minimum: 0,
        default: 2,
        description: "Hours in which nobody talked to the agent before one begins.",
      },
      stale_after_days: {
        type: "number",
        minimum: 1,
        default: 30,
        description: "Days without use after which a skill is marked.",
      },
      archive_after_days: {
        type: "number",
        minimum: 1,
        default: 90,
        description: "Days without use after which it goes into the archive.",
      },
      consolidate: {
        type: "boolean",
        default: false,
        description: "Skills that overlap become one, by a model (`auxiliary.curator`).",
      },
      ...unused("prune_builtins", "backup"),
    },
  },
  context_file_max_chars: {
    type: "integer",
    minimum: 1,
    description: "Longest project notes (AGENTS.md and its kin); longer ones lose their middle. Default 20000.",
  },
};
