import type { Setting, Settings } from "../setting.ts";

const unused = (...keys: readonly string[]): Settings => Object.fromEntries(keys.map((key) => [key, { unused: true }]));

const DISPLAY: Settings = {
  tool_progress: { enum: ["off", "new", "all", "verbose"], default: "all", description: "Which tool calls are shown." },
  show_reasoning: { type: "boolean", default: true, description: "Show what the model thinks." },
  streaming: { type: "boolean", description: "Show text as it comes." },
  busy_input_mode: { enum: ["interrupt", "queue", "steer"], default: "interrupt", description: "What input does while a turn runs." },
  show_cost: { type: "boolean", default: false, description: "Show what a turn cost." },
  timestamps: { type: "boolean", default: false, description: "Show times." },
  compact: { type: "boolean", default: false, description: "Fewer empty lines." },
  bell_on_complete: { type: "boolean", default: false, description: "Ring when a turn ends." },
  inline_diffs: { type: "boolean", default: true, description: "Show edits as differences." },
  tool_preview_length: { type: "integer", minimum: 0, default: 0, description: "Longest shown argument; 0 is the width of the screen." },
};

/** What people see and what is written down. Owners: surfaces, store, logger. */
export const SURFACE_SETTINGS: Settings = {
  display: {
    type: "object",
    properties: {
      ...DISPLAY,
      platforms: { type: "object", additionalProperties: { type: "object", properties: withoutDefaults(DISPLAY), additionalProperties: { unused: true } }, description: "The same keys for one platform." },
      ...unused("tool_progress_command", "skin", "personality", "resume_display", "interim_assistant_messages", "language", "final_response_markdown", "runtime_footer", "file_mutation_verifier"),
      ...unused("busy_steer_ack_enabled", "turn_completion_explainer", "tool_progress_overrides"),
      ...unused("resume_exchanges", "resume_max_user_chars", "resume_max_assistant_chars", "resume_max_assistant_lines", "resume_skip_tool_only", "interface"),
      ...unused("tui_auto_resume_recent", "tui_agents_nudge", "tui_status_indicator", "reasoning_full", "reasoning_style", "memory_notifications", "timestamp_format"),
      ...unused("persistent_output", "persistent_output_max_lines", "persist_prompts", "credits_notices", "cli_refresh_interval", "user_message_preview", "show_commentary"),
      ...unused("friendly_tool_labels", "tool_progress_grouping", "status_phrases", "ephemeral_system_ttl", "copy_shortcut", "pet"),
    },
  },
  sessions: {
    type: "object",
    properties: {
      auto_prune: { type: "boolean", default: false, description: "Delete old sessions by itself." },
      retention_days: { type: "integer", minimum: 1, default: 90, description: "How long sessions are kept then." },
      ...unused("vacuum_after_prune", "min_interval_hours", "write_json_snapshots"),
    },
  },
  logging: {
    type: "object",
    properties: {
      level: { enum: ["DEBUG", "INFO", "WARNING", "ERROR"], default: "INFO", description: "Least serious lines that are written." },
      max_size_mb: { type: "number", minimum: 0.01, default: 5, description: "Size at which a log is put aside." },
      backup_count: { type: "integer", minimum: 0, default: 3, description: "Logs put aside that are kept." },
    },
  },
  timezone: { type: "string", default: "", env: "HERMES_TIMEZONE", description: "Zone of shown times; empty is this machine's." },
};

function withoutDefaults(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).map(([key, setting]): [string, Setting] => [key, { ...setting, default: undefined }]));
}
