/**
 * Auxiliary model tasks that have a section `auxiliary.NAME` without any plugin, here or in the original. Plugins must
 * choose other names.
 */
export const BUILT_IN_TASKS: ReadonlySet<string> = new Set([
  "vision",
  "compression",
  "web_extract",
  "approval",
  "goal_judge",
  "mcp",
  "title_generation",
  "memory_query_rewrite",
  "tts_audio_tags",
  "skills_hub",
  "triage_specifier",
  "kanban_decomposer",
  "profile_describer",
  "curator",
  "session_search",
  "moa_reference",
  "moa_aggregator",
]);
