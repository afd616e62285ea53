import type { Setting, Settings } from "../setting.ts";

const unused = (...keys: readonly string[]): Settings => Object.fromEntries(keys.map((key) => [key, { unused: true }]));

const DISPLAY: Settings = {
  tool_progress: {
    enum: ["off", "new", "all", "verbose"],
    default: "all",
    env: "HERMES_TOOL_PROGRESS_MODE",
    description:
      "Which tool calls are shown: none, those of another tool than the one before, all, or all with arguments and results. In chats none, until it is set.",
  },
  show_reasoning: { type: "boolean", default: true, description: "Show what the model thinks." },
  reasoning_full: { type: "boolean", default: false, description: "All of it, not its last lines." },
  streaming: { type: "boolean", default: true, description: "Show text as it comes, not when it is complete." },
  busy_input_mode: {
    enum: ["interrupt", "queue", "steer"],
    default: "interrupt",
    description: "What input does while a turn runs.",
  },
  show_cost: { type: "boolean", default: false, description: "Show what a session cost, where prices are known." },
  timestamps: { type: "boolean", default: false, description: "Show when something was said." },
  timestamp_format: {
    type: "string",
    default: "%H:%M",
    description: "How that is written: `%H %I %M %S %p %Y %m %d %F %T %R`.",
  },
  compact: { type: "boolean", default: false, description: "Fewer empty lines." },
  bell_on_complete: { type: "boolean", default: false, description: "Ring when a turn ends." },
  inline_diffs: { type: "boolean", default: true, description: "Show edits as differences." },
  tool_preview_length: {
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Longest shown argument; 0 is the width of the screen.",
  },
  resume_display: {
    enum: ["full", "minimal"],
    default: "full",
    description: "What a resumed session shows of before: its last exchanges, or one line.",
  },
  resume_exchanges: { type: "integer", minimum: 0, default: 10, description: "How many exchanges that are." },
  tui_status_indicator: {
    enum: ["kaomoji", "emoji", "unicode", "ascii"],
    default: "unicode",
    description: "The sign that turns while something is awaited.",
  },
};

const RUNTIME_FOOTER: Setting = {
  type: "object",
  properties: {
    enabled: {
      type: "boolean",
      default: false,
      description: "Put a line of figures under the answers in chats (`/footer`).",
    },
    fields: {
      type: "array",
      items: { enum: ["model", "context_pct", "cwd"] },
      default: ["model", "context_pct", "cwd"],
      description: "Which figures, in this order.",
    },
  },
};

const STREAMING: Setting = {
  type: "object",
  description: "Answers in chats are shown while they are written, where a platform can change its messages.",
  properties: {
    enabled: {
      type: "boolean",
      default: false,
      description: "Whether they are; `display.platforms.NAME.streaming` says it for one platform.",
    },
    transport: {
      enum: ["auto", "draft", "edit", "off"],
      default: "auto",
      description: "How: all but `off` write one message again and again.",
    },
    mode: { enum: ["auto", "draft", "edit", "off"], description: "The same; it alone switches them on." },
    edit_interval: { type: "number", minimum: 0.2, default: 0.8, description: "Seconds between two changes." },
    cursor: { type: "string", default: " ▉", description: "What stands at the end until an answer is whole." },
    ...unused("buffer_threshold", "fresh_final_after_seconds"),
  },
};

const UNTRUSTED: Setting = {
  enum: ["pair", "ignore"],
  description: "What a stranger gets who writes to the agent: a code to be let in by, or nothing.",
};

const PLATFORM: Setting = {
  type: "object",
  properties: {
    enabled: { type: "boolean", description: "Whether it is served." },
    token: { type: "string", description: "Its key; better kept in .env." },
    unauthorized_dm_behavior: UNTRUSTED,
    extra: { type: "object", additionalProperties: true, description: "What the platform itself knows." },
  },
  additionalProperties: true,
};

/** What people see and what is written down. Owners: surfaces, store, logger. */
export const SURFACE_SETTINGS: Settings = {
  display: {
    type: "object",
    properties: {
      ...DISPLAY,
      runtime_footer: RUNTIME_FOOTER,
      skin: {
        type: "string",
        default: "default",
        description: "Colours of the interactive session: a built-in skin, or the name of a file in `skins`.",
      },
      interface: {
        enum: ["cli", "tui"],
        default: "cli",
        description:
          "Where an interactive session is shown: in the terminal's own scrollback, or on a full screen of its own (`--tui`, `--no-tui`).",
      },
      tool_progress_overrides: {
        type: "object",
        additionalProperties: DISPLAY["tool_progress"]!,
        description: "Former place of `display.platforms.NAME.tool_progress`; moved there when the file is read.",
      },
      platforms: {
        type: "object",
        additionalProperties: {
          type: "object",
          properties: {
            ...withoutDefaults(DISPLAY),
            runtime_footer: { ...RUNTIME_FOOTER, properties: withoutDefaults(RUNTIME_FOOTER.properties!) },
          },
          additionalProperties: { unused: true },
        },
        description: "The same keys for one platform.",
      },
      tool_progress_command: { type: "boolean", default: false, description: "`/verbose` works in chats, too." },
      ...unused(
        "personality",
        "interim_assistant_messages",
        "language",
        "final_response_markdown",
        "file_mutation_verifier",
      ),
      ...unused("busy_steer_ack_enabled", "turn_completion_explainer"),
      ...unused(
        "resume_max_user_chars",
        "resume_max_assistant_chars",
        "resume_max_assistant_lines",
        "resume_skip_tool_only",
      ),
      ...unused("tui_auto_resume_recent", "tui_agents_nudge", "reasoning_style", "memory_notifications"),
      ...unused(
        "persistent_output",
        "persistent_output_max_lines",
        "persist_prompts",
        "credits_notices",
        "cli_refresh_interval",
        "user_message_preview",
        "show_commentary",
      ),
      ...unused(
        "friendly_tool_labels",
        "tool_progress_grouping",
        "status_phrases",
        "ephemeral_system_ttl",
        "copy_shortcut",
        "pet",
      ),
    },
  },
  sessions: {
    type: "object",
    properties: {
      auto_prune: { type: "boolean", default: false, description: "Delete old sessions by itself." },
      retention_days: {
        type: "integer",
        minimum: 1,
        default: 90,
        description: "Days without use after which a session is removed then.",
      },
      min_interval_hours: { type: "number", minimum: 0, default: 24, description: "Hours between two such clearings." },
      ...unused("vacuum_after_prune", "write_json_snapshots"),
    },
  },
  logging: {
    type: "object",
    properties: {
      level: {
        enum: ["DEBUG", "INFO", "WARNING", "ERROR"],
        default: "INFO",
        description: "Least serious lines that are written.",
      },
      max_size_mb: { type: "number", minimum: 0.01, default: 5, description: "Size at which a log is put aside." },
      backup_count: { type: "integer", minimum: 0, default: 3, description: "Logs put aside that are kept." },
    },
  },
  gateway: {
    type: "object",
    properties: {
      platforms: { type: "object", additionalProperties: PLATFORM, description: "Chat platforms by name." },
      streaming: {
        ...STREAMING,
        description: "The same as `streaming`, which counts first.",
        properties: withoutDefaults(STREAMING.properties!),
      },
      platform_connect_timeout: {
        type: "number",
        minimum: 0,
        default: 30,
        env: "HERMES_GATEWAY_PLATFORM_CONNECT_TIMEOUT",
        description: "Seconds a chat platform may take to connect.",
      },
      api_server: {
        type: "object",
        description: "The API server (`platforms.api_server`).",
        properties: {
          max_concurrent_runs: {
            type: "integer",
            minimum: 0,
            default: 10,
            description:
              "How many requests of programs are worked for at the same time; others are asked to come again. 0 is no limit.",
          },
        },
      },
      ...unused(
        "delivery_ledger",
        "write_sessions_json",
        "scale_to_zero",
        "restart_loop_guard",
        "respawn_storm",
        "message_timestamps",
        "max_inbound_media_bytes",
      ),
      ...unused("strict", "media_delivery_allow_dirs", "trust_recent_files", "trust_recent_files_seconds"),
    },
    additionalProperties: { unused: true },
  },
  streaming: STREAMING,
  platforms: {
    type: "object",
    additionalProperties: PLATFORM,
    description: "The same as `gateway.platforms`, and before it.",
  },
  group_sessions_per_user: {
    type: "boolean",
    default: true,
    description: "Everybody in a group chat has a conversation of their own.",
  },
  thread_sessions_per_user: { type: "boolean", default: false, description: "The same in threads." },
  unauthorized_dm_behavior: {
    ...UNTRUSTED,
    description:
      "What a stranger gets who writes to the agent: a code to be let in by, or nothing. Unset: a code, unless a list says who may.",
  },
  session_reset: {
    type: "object",
    description: "When a chat begins another conversation by itself.",
    properties: {
      mode: {
        enum: ["none", "daily", "idle", "both"],
        default: "none",
        description: "Never, once a day, after a pause, or both.",
      },
      at_hour: {
        type: "integer",
        minimum: 0,
        maximum: 23,
        default: 4,
        description: "The hour of the day, by this machine's clock.",
      },
      idle_minutes: { type: "number", minimum: 1, default: 1440, description: "Minutes in which nothing was written." },
      notify: { type: "boolean", default: true, description: "Say so in the chat." },
      ...unused("notify_exclude_platforms", "bg_process_max_age_hours"),
    },
  },
  max_concurrent_sessions: {
    type: ["integer", "null"],
    minimum: 1,
    default: null,
    description:
      "How many chats the gateway works for at the same time; others are asked to write later. Null is no limit.",
  },
  batch: {
    type: "object",
    description: "`hermes batch`.",
    properties: {
      distributions: {
        type: "object",
        default: {},
        description: "Which toolsets items get, by a name; one of a built-in name adds to it.",
        additionalProperties: {
          type: "object",
          properties: {
            description: { type: "string", description: "What it is for." },
            toolsets: {
              type: "object",
              additionalProperties: { type: "number", minimum: 0, maximum: 100 },
              description: "Toolset or tool, and how many of a hundred items get it.",
            },
          },
        },
      },
    },
  },
  cron: {
    type: "object",
    properties: {
      inactivity_timeout_seconds: {
        type: "number",
        minimum: 0,
        default: 600,
        env: "HERMES_CRON_TIMEOUT",
        description: "A scheduled run in which nothing has happened for so long is stopped; 0 never.",
      },
      script_timeout_seconds: {
        type: "number",
        minimum: 0,
        default: 120,
        env: "HERMES_CRON_SCRIPT_TIMEOUT",
        description: "How long a job's script may take; 0 for ever.",
      },
      max_parallel_jobs: {
        type: ["integer", "null"],
        minimum: 1,
        default: 4,
        env: "HERMES_CRON_MAX_PARALLEL",
        description: "How many jobs run at the same time.",
      },
      output_retention: {
        type: "integer",
        minimum: 0,
        default: 50,
        description: "Outputs that are kept of each job; 0 keeps all.",
      },
      wrap_response: {
        type: "boolean",
        default: true,
        description: "Messages say which job they are of, and how to stop it.",
      },
      ...unused("provider", "chronos", "mirror_delivery", "session_db_timeout_seconds"),
    },
  },
  timezone: {
    type: "string",
    format: "time-zone",
    default: "",
    env: "HERMES_TIMEZONE",
    description:
      "Time zone of shown times and of the day the model is told, like `Europe/Berlin`; empty is this machine's.",
  },
};

function withoutDefaults(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]): [string, Setting] => [key, { ...setting, default: undefined }]),
  );
}
