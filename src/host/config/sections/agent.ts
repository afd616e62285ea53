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
    exact_failure: { type: "integer", minimum: 1, description: "How often the same call may fail in the same way." },
    same_tool_failure: { type: "integer", minimum: 1, description: "How often one tool may fail, with any arguments." },
    idempotent_no_progress: {
      type: "integer",
      minimum: 1,
      description: "How often the same call may return the same result.",
    },
  },
};

/** A section that its provider reads. */
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
        description: "Maximum model requests per turn.",
      },
      api_max_retries: {
        type: "integer",
        minimum: 0,
        default: 3,
        description: "How often a failed request is retried.",
      },
      retry_after_limit: seconds(
        "Seconds a provider may ask to wait (Retry-After) while a fallback model could answer; for a longer wait, the fallback answers.",
        20,
      ),
      connect_timeout: seconds("Timeout for connecting to the model provider, in seconds.", 30),
      api_timeout: seconds("Timeout for one whole model request, in seconds.", 1800, "HERMES_API_TIMEOUT"),
      stream_read_timeout: seconds(
        "Seconds to wait for the first event of an answer.",
        120,
        "HERMES_STREAM_READ_TIMEOUT",
      ),
      stream_stale_timeout: seconds(
        "Seconds to wait between two events of an answer.",
        120,
        "HERMES_STREAM_STALE_TIMEOUT",
      ),
      local_stream_stale_timeout: seconds(
        "Seconds of silence, before and during an answer, for servers on this machine or its network, unless the two settings above are set.",
        900,
        "HERMES_LOCAL_STREAM_STALE_TIMEOUT",
      ),
      stream_retries: {
        type: "integer",
        minimum: 0,
        default: 2,
        env: "HERMES_STREAM_RETRIES",
        description: "How often an interrupted answer is requested again; counts towards `api_max_retries`.",
      },
      reasoning_effort: {
        enum: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
        default: "",
        description: "How much the model thinks; empty: the model's default.",
      },
      disabled_toolsets: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Toolsets that are disabled on every platform.",
      },
      system_prompt: { type: "string", default: "", description: "Text to append to the system prompt." },
      personalities: {
        type: "object",
        additionalProperties: {},
        description:
          "Your own personalities by name: a text for the system prompt, or `description`, `system_prompt`, `tone` and `style`.",
      },
      clarify_timeout: seconds("Seconds the user has to answer a question of the model; 0: no limit.", 3600),
      gateway_timeout: seconds(
        "Seconds without activity after which a chat's turn is stopped; 0: no limit.",
        1800,
        "HERMES_AGENT_TIMEOUT",
      ),
      gateway_timeout_warning: seconds(
        "Seconds without activity after which the chat gets a warning; 0: no warning.",
        900,
        "HERMES_AGENT_TIMEOUT_WARNING",
      ),
      restart_drain_timeout: seconds(
        "Seconds that the turns of chats may continue when the gateway stops or restarts.",
        60,
        "HERMES_RESTART_DRAIN_TIMEOUT",
      ),
      verbose: {
        type: "boolean",
        default: false,
        description:
          "Log at DEBUG and show the arguments and results of calls, unless `logging.level` or `display.tool_progress` is set.",
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
        "prefill_messages_file",
        "max_tokens",
        "save_trajectories",
      ),
    },
  },
  tool_loop_guardrails: {
    type: "object",
    properties: {
      warnings_enabled: { type: "boolean", default: true, description: "Warn the model when it repeats itself." },
      hard_stop_enabled: {
        type: "boolean",
        default: true,
        description: "Refuse a call that has repeatedly returned the same result.",
      },
      warn_after: {
        ...repeats,
        description: "Repetitions in a row after which the model is warned; default 2, 3 and 2.",
      },
      hard_stop_after: {
        ...repeats,
        description: "Repetitions in a row after which calls are refused; default 3, never and 3.",
      },
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
        description: "Plugin that manages the context of a conversation.",
      },
    },
  },
  delegation: {
    type: "object",
    properties: {
      max_iterations: { type: "integer", minimum: 1, default: 50, description: "Maximum model requests per subagent." },
      max_concurrent_children: {
        type: "integer",
        minimum: 1,
        default: 3,
        env: "DELEGATION_MAX_CONCURRENT_CHILDREN",
        description: "Maximum subagents that a session runs at the same time, and tasks in one call.",
      },
      max_spawn_depth: {
        type: "integer",
        minimum: 1,
        default: 1,
        description: "Levels of subagents; 1: subagents start no subagents.",
      },
      orchestrator_enabled: {
        type: "boolean",
        default: true,
        description: "Let subagents with the role `orchestrator` delegate, within `max_spawn_depth`.",
      },
      child_timeout_seconds: {
        type: "number",
        minimum: 0,
        default: 0,
        env: "DELEGATION_CHILD_TIMEOUT_SECONDS",
        description:
          "Timeout for one subagent, in seconds, without the time a user takes to answer; 0: no limit, otherwise at least 30.",
      },
      max_summary_chars: {
        type: "integer",
        minimum: 1,
        default: 24_000,
        description: "Longest summary that the parent's model receives; longer ones are saved in a file.",
      },
      subagent_auto_approve: {
        type: "boolean",
        default: false,
        description:
          "Run the calls of subagents without approval, except calls that untrusted content may have caused; hard blocks and `approvals.deny` still apply.",
      },
      model: { type: "string", default: "", description: "Model of subagents; empty: their parent's." },
      provider: { type: "string", default: "", description: "Provider of this model." },
      base_url: { type: "string", default: "", description: "Base URL of this model." },
      api_key: { type: "string", default: "", description: "API key of this model." },
      api_mode: { type: "string", default: "", description: "Wire protocol of this model, as in `model.api_mode`." },
      reasoning_effort: {
        enum: ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
        default: "",
        description: "How much the subagents' model thinks; empty: as much as their parent's.",
      },
      ...unused("inherit_mcp_toolsets"),
    },
  },
  memory: {
    type: "object",
    additionalProperties: OWN_SECTION,
    description: "Memory across sessions. The section `memory.NAME` belongs to the provider NAME.",
    properties: {
      provider: { type: "string", default: "", description: "Memory provider plugin; empty: none." },
      memory_enabled: {
        type: "boolean",
        default: true,
        description: "Let the agent write its own notes in `memories/MEMORY.md`.",
      },
      user_profile_enabled: {
        type: "boolean",
        default: true,
        description: "Let the agent write what it learns about the user in `memories/USER.md`.",
      },
      memory_char_limit: {
        type: "integer",
        minimum: 1,
        default: 2200,
        description: "Maximum length of MEMORY.md, in characters.",
      },
      user_char_limit: {
        type: "integer",
        minimum: 1,
        default: 1375,
        description: "Maximum length of USER.md, in characters.",
      },
      write_approval: {
        type: "boolean",
        default: false,
        description: "Ask the user before each change of these files; refuse the change if no one can answer.",
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
        description: "While a gateway runs, archive skills that the agent created and has not used for a long time.",
      },
      interval_hours: {
        type: "number",
        minimum: 1,
        default: 168,
        description: "Hours between two runs of the curator.",
      },
      min_idle_hours: {
        type: "number",
        minimum: 0,
        default: 2,
        description: "Hours without a message to the agent before a run starts.",
      },
      stale_after_days: {
        type: "number",
        minimum: 1,
        default: 30,
        description: "Days without use after which a skill is marked as stale.",
      },
      archive_after_days: {
        type: "number",
        minimum: 1,
        default: 90,
        description: "Days without use after which a skill is archived.",
      },
      consolidate: {
        type: "boolean",
        default: false,
        description: "Let a model (`auxiliary.curator`) merge overlapping skills.",
      },
      ...unused("prune_builtins", "backup"),
    },
  },
  personalities: {
    type: "object",
    additionalProperties: {},
    description: "The same as `agent.personalities`, which wins.",
  },
  goals: {
    type: "object",
    properties: {
      max_turns: {
        type: "integer",
        minimum: 1,
        default: 20,
        description: "Turns that the agent may start for a goal (`/goal`) before it pauses.",
      },
    },
  },
  context_file_max_chars: {
    type: "integer",
    minimum: 1,
    description:
      "Maximum length of project notes (AGENTS.md and similar files); longer ones are cut in the middle. Default 20000.",
  },
};
