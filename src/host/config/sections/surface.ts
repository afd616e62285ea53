import type { Setting, Settings } from "../setting.ts";

const unused = (...keys: readonly string[]): Settings => Object.fromEntries(keys.map((key) => [key, { unused: true }]));

const DISPLAY: Settings = {
  tool_progress: {
    enum: ["off", "new", "all", "verbose"],
    default: "all",
    env: "HERMES_TOOL_PROGRESS_MODE",
    description:
      "Tool calls to show: none, calls of another tool than before, all, or all with arguments and results. Chats show none unless this is set.",
  },
  show_reasoning: { type: "boolean", default: true, description: "Show the model's thinking." },
  reasoning_full: { type: "boolean", default: false, description: "Show all of it, not only its last lines." },
  streaming: {
    type: "boolean",
    default: true,
    description: "Show text while it arrives, not only when it is complete.",
  },
  busy_input_mode: {
    enum: ["interrupt", "queue", "steer"],
    default: "interrupt",
    description: "Effect of input while a turn runs.",
  },
  show_cost: { type: "boolean", default: false, description: "Show the cost of a session, if prices are known." },
  timestamps: { type: "boolean", default: false, description: "Show the time of each message." },
  timestamp_format: {
    type: "string",
    default: "%H:%M",
    description: "Format of the time: `%H %I %M %S %p %Y %m %d %F %T %R`.",
  },
  compact: { type: "boolean", default: false, description: "Show fewer empty lines." },
  bell_on_complete: { type: "boolean", default: false, description: "Ring the terminal bell when a turn ends." },
  notify: {
    enum: ["all", "questions", "off"],
    default: "all",
    description:
      "When a terminal rings, notifies (OSC 9 and 777) and changes its title: at approvals, questions and the ends of long turns (`all`), at approvals and questions, or never.",
  },
  notify_after: {
    type: "number",
    minimum: 0,
    default: 15,
    description: "Seconds that a turn runs before its end counts as that of a long turn.",
  },
  inline_diffs: { type: "boolean", default: true, description: "Show edits as diffs." },
  tool_preview_length: {
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Maximum length of a shown argument; 0: the width of the screen.",
  },
  resume_display: {
    enum: ["full", "minimal"],
    default: "full",
    description: "Display of a resumed session: its last exchanges, or one line.",
  },
  resume_exchanges: { type: "integer", minimum: 0, default: 10, description: "Number of exchanges to show." },
  pager: {
    type: "string",
    default: "",
    description: "Command that shows a long output (`less -R`, `$PAGER`); empty: on the screen itself.",
  },
  tui_status_indicator: {
    enum: ["kaomoji", "emoji", "unicode", "ascii"],
    default: "unicode",
    description: "Style of the activity indicator.",
  },
  status_line: {
    type: "array",
    items: { enum: ["waiting", "model", "context", "cost", "time", "mode", "folder", "session"] },
    default: ["waiting", "model", "context", "cost", "time", "mode", "folder", "session"],
    description:
      "Parts of the status line in interactive sessions, in this order. `waiting` is what the session waits for, `time` how long a turn has run, `mode` who decides about risky calls and where commands run; `cost` shows an unknown cost only with `display.show_cost`.",
  },
};

const RUNTIME_FOOTER: Setting = {
  type: "object",
  properties: {
    enabled: {
      type: "boolean",
      default: false,
      description: "Add a line of statistics to answers in chats (`/footer`).",
    },
    fields: {
      type: "array",
      items: { enum: ["model", "context_pct", "cwd"] },
      default: ["model", "context_pct", "cwd"],
      description: "Statistics to show, in this order.",
    },
  },
};

const STREAMING: Setting = {
  type: "object",
  description: "Show answers in chats while the model writes them, on platforms that can edit messages.",
  properties: {
    enabled: {
      type: "boolean",
      default: false,
      description: "Enable it; `display.platforms.NAME.streaming` overrides it for one platform.",
    },
    transport: {
      enum: ["auto", "draft", "edit", "off"],
      default: "auto",
      description: "Method: every value except `off` edits one message repeatedly.",
    },
    mode: {
      enum: ["auto", "draft", "edit", "off"],
      description: "Same as `transport`; setting it also enables streaming.",
    },
    edit_interval: { type: "number", minimum: 0.2, default: 0.8, description: "Seconds between two edits." },
    cursor: { type: "string", default: " ▉", description: "Text at the end of an incomplete answer." },
    ...unused("buffer_threshold", "fresh_final_after_seconds"),
  },
};

const UNTRUSTED: Setting = {
  enum: ["pair", "ignore"],
  description: "Response to unknown users who write to the agent: a pairing code, or none.",
};

const PLATFORM: Setting = {
  type: "object",
  properties: {
    enabled: { type: "boolean", description: "Connect to this platform." },
    token: { type: "string", description: "API token; better stored in `.env`." },
    unauthorized_dm_behavior: UNTRUSTED,
    extra: { type: "object", additionalProperties: true, description: "Settings that only this platform has." },
  },
  additionalProperties: true,
};

/** Display, storage and logging. Owners: surfaces, store, logger. */
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
      vim_keys: {
        type: "boolean",
        default: false,
        description: "Edit messages of interactive sessions with Vim's keys: Esc enters normal mode.",
      },
      notices: {
        enum: ["daily", "always", "never"],
        default: "daily",
        env: "HERMES_NOTICES",
        description:
          "When one-shots print notices: `daily`, each once a day and only on a terminal. Errors are always printed, and `hermes doctor` lists all.",
      },
      interface: {
        enum: ["cli", "tui", "plain"],
        default: "cli",
        description:
          "How to show an interactive session: inline in the terminal, full-screen (`--tui`, `--no-tui`), or line by line without redrawing, for screen readers.",
      },
      tool_progress_overrides: {
        type: "object",
        additionalProperties: DISPLAY["tool_progress"]!,
        description: "Former name of `display.platforms.NAME.tool_progress`; Hermes moves it when it reads the file.",
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
        description: "Settings of `display` that apply only to one platform, by its name.",
      },
      tool_progress_command: { type: "boolean", default: false, description: "Enable `/verbose` in chats." },
      personality: {
        type: "string",
        default: "",
        description: "Manner of writing of new sessions (`/personality` lists them); empty: none.",
      },
      ...unused("interim_assistant_messages", "language", "final_response_markdown", "file_mutation_verifier"),
      ...unused("busy_steer_ack_enabled", "turn_completion_explainer"),
      ...unused("background_process_notifications", "busy_text_mode", "details_mode", "thinking_mode", "tui_compact"),
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
      auto_prune: { type: "boolean", default: false, description: "Delete old sessions automatically." },
      retention_days: {
        type: "integer",
        minimum: 1,
        default: 90,
        description: "Days without use after which a session is deleted.",
      },
      min_interval_hours: {
        type: "number",
        minimum: 0,
        default: 24,
        description: "Minimum hours between two deletions of old sessions.",
      },
      ...unused("vacuum_after_prune", "write_json_snapshots"),
    },
  },
  logging: {
    type: "object",
    properties: {
      level: {
        enum: ["DEBUG", "INFO", "WARNING", "ERROR"],
        default: "INFO",
        description: "Minimum level of log lines.",
      },
      max_size_mb: { type: "number", minimum: 0.01, default: 5, description: "Size at which a log file is rotated." },
      backup_count: { type: "integer", minimum: 0, default: 3, description: "Number of rotated log files to keep." },
    },
  },
  gateway: {
    type: "object",
    properties: {
      platforms: { type: "object", additionalProperties: PLATFORM, description: "Chat platforms by name." },
      streaming: {
        ...STREAMING,
        description: "Same as `streaming`, which takes precedence.",
        properties: withoutDefaults(STREAMING.properties!),
      },
      platform_connect_timeout: {
        type: "number",
        minimum: 0,
        default: 30,
        env: "HERMES_GATEWAY_PLATFORM_CONNECT_TIMEOUT",
        description: "Timeout for connecting a chat platform, in seconds.",
      },
      webhooks: {
        type: "object",
        description: "The HTTP server for services that push messages.",
        properties: {
          host: {
            type: "string",
            default: "127.0.0.1",
            description: "Address to listen on; a reverse proxy or a tunnel makes it public.",
          },
          port: { type: "integer", minimum: 1, maximum: 65_535, default: 8644, description: "Port to listen on." },
        },
      },
      api_server: {
        type: "object",
        description: "The API server (`platforms.api_server`).",
        properties: {
          max_concurrent_runs: {
            type: "integer",
            minimum: 0,
            default: 10,
            description: "API requests to process at the same time; others get status 429. 0: no limit.",
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
    description: "Same as `gateway.platforms`, and takes precedence.",
  },
  group_sessions_per_user: {
    type: "boolean",
    default: true,
    description: "Give every member of a group chat a separate conversation; otherwise all members share one.",
  },
  thread_sessions_per_user: {
    type: "boolean",
    default: false,
    description:
      "Give every user who writes in a chat thread a separate conversation; otherwise all users of the thread share one.",
  },
  unauthorized_dm_behavior: {
    ...UNTRUSTED,
    description:
      "Response to unknown users who write to the agent: a pairing code, or none. Unset: a pairing code, unless there is a list of allowed users.",
  },
  session_reset: {
    type: "object",
    description: "When a chat automatically starts a new conversation.",
    properties: {
      mode: {
        enum: ["none", "daily", "idle", "both"],
        default: "none",
        description: "Never, once a day, after a pause, or daily and after a pause.",
      },
      at_hour: {
        type: "integer",
        minimum: 0,
        maximum: 23,
        default: 4,
        description: "Hour of the daily start, in this machine's time zone.",
      },
      idle_minutes: {
        type: "number",
        minimum: 1,
        default: 1440,
        description: "Minutes without a message after which a new conversation starts.",
      },
      notify: { type: "boolean", default: true, description: "Announce the new conversation in the chat." },
      ...unused("notify_exclude_platforms", "bg_process_max_age_hours"),
    },
  },
  max_concurrent_sessions: {
    type: ["integer", "null"],
    minimum: 1,
    default: null,
    description: "Chats that the gateway serves at the same time; others are asked to write later. Null: no limit.",
  },
  batch: {
    type: "object",
    description: "Settings of `hermes batch`.",
    properties: {
      distributions: {
        type: "object",
        default: {},
        description: "Named distributions of toolsets over items; one with a built-in name extends it.",
        additionalProperties: {
          type: "object",
          properties: {
            description: { type: "string", description: "Purpose of the distribution." },
            toolsets: {
              type: "object",
              additionalProperties: { type: "number", minimum: 0, maximum: 100 },
              description: "Percentage of items that get this toolset or tool.",
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
        description: "Seconds without activity after which a scheduled run is stopped; 0: never.",
      },
      script_timeout_seconds: {
        type: "number",
        minimum: 0,
        default: 120,
        env: "HERMES_CRON_SCRIPT_TIMEOUT",
        description: "Timeout for a job's script, in seconds; 0: no limit.",
      },
      max_parallel_jobs: {
        type: ["integer", "null"],
        minimum: 1,
        default: 4,
        env: "HERMES_CRON_MAX_PARALLEL",
        description: "Maximum number of jobs that run at the same time.",
      },
      output_retention: {
        type: "integer",
        minimum: 0,
        default: 50,
        description: "Saved outputs per job; 0: keep all.",
      },
      wrap_response: {
        type: "boolean",
        default: true,
        description: "Name the job in its messages, and how to stop it.",
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
      "Time zone of displayed times and of the date that the model gets, such as `Europe/Berlin`; empty: this machine's.",
  },
};

function withoutDefaults(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]): [string, Setting] => [key, { ...setting, default: undefined }]),
  );
}
