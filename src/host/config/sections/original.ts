import type { Setting, Settings } from "../setting.ts";

const ANY: Setting = { unused: true };
const unused = (keys: string): Settings =>
  Object.fromEntries(
    keys
      .trim()
      .split(/\s+/)
      .map((key) => [key, ANY]),
  );

/** Accepted unchecked while no plugin owns it; the keys of a plugin that owns it are added. */
const section = (keys: string): Setting => ({
  unused: true,
  type: "object",
  properties: unused(keys),
  additionalProperties: true,
});

/**
 * Sections and keys of the original that no code here reads. They load without an error, and `hermes doctor` lists
 * them. A plugin's manifest can replace a key here, which keeps its variable and aliases.
 */
export const ORIGINAL_SETTINGS: Settings = {
  terminal: {
    type: "object",
    properties: {
      backend: { unused: true, env: "TERMINAL_ENV", aliases: ["env_type"] },
      cwd: { unused: true, env: "TERMINAL_CWD" },
      timeout: { unused: true, env: "TERMINAL_TIMEOUT" },
      max_foreground_timeout: { unused: true, env: "TERMINAL_MAX_FOREGROUND_TIMEOUT" },
      lifetime_seconds: { unused: true, env: "TERMINAL_LIFETIME_SECONDS" },
      home_mode: { unused: true, env: "TERMINAL_HOME_MODE" },
      docker_image: { unused: true, env: "TERMINAL_DOCKER_IMAGE" },
      docker_forward_env: { unused: true, env: "TERMINAL_DOCKER_FORWARD_ENV" },
      docker_volumes: { unused: true, env: "TERMINAL_DOCKER_VOLUMES" },
      docker_extra_args: { unused: true, env: "TERMINAL_DOCKER_EXTRA_ARGS" },
      docker_env: { unused: true, env: "TERMINAL_DOCKER_ENV" },
      docker_network: { unused: true, env: "TERMINAL_DOCKER_NETWORK" },
      docker_mount_cwd_to_workspace: { unused: true, env: "TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE" },
      docker_run_as_host_user: { unused: true, env: "TERMINAL_DOCKER_RUN_AS_HOST_USER" },
      docker_persist_across_processes: { unused: true, env: "TERMINAL_DOCKER_PERSIST_ACROSS_PROCESSES" },
      docker_orphan_reaper: { unused: true, env: "TERMINAL_DOCKER_ORPHAN_REAPER" },
      singularity_image: { unused: true, env: "TERMINAL_SINGULARITY_IMAGE" },
      modal_image: { unused: true, env: "TERMINAL_MODAL_IMAGE" },
      modal_mode: { unused: true, env: "TERMINAL_MODAL_MODE" },
      daytona_image: { unused: true, env: "TERMINAL_DAYTONA_IMAGE" },
      container_cpu: { unused: true, env: "TERMINAL_CONTAINER_CPU" },
      container_memory: { unused: true, env: "TERMINAL_CONTAINER_MEMORY" },
      container_disk: { unused: true, env: "TERMINAL_CONTAINER_DISK" },
      container_persistent: { unused: true, env: "TERMINAL_CONTAINER_PERSISTENT" },
      ssh_host: { unused: true, env: "TERMINAL_SSH_HOST" },
      ssh_user: { unused: true, env: "TERMINAL_SSH_USER" },
      ssh_port: { unused: true, env: "TERMINAL_SSH_PORT" },
      ssh_key: { unused: true, env: "TERMINAL_SSH_KEY" },
      persistent_shell: { unused: true, env: "TERMINAL_PERSISTENT_SHELL" },
      sandbox_dir: { unused: true, env: "TERMINAL_SANDBOX_DIR" },
      ...unused(
        "env_passthrough shell_init_files auto_source_bashrc sudo_password daemon_term_grace_seconds vercel_runtime",
      ),
    },
  },
  browser: section(
    "inactivity_timeout command_timeout record_sessions headed allow_private_urls engine auto_local_for_private_urls cdp_url allow_unsafe_evaluate restrict_evaluate dialog_policy dialog_timeout_s camofox",
  ),
  checkpoints: section(
    "enabled max_snapshots max_total_size_mb max_file_size_mb auto_prune retention_days delete_orphans min_interval_hours",
  ),
  skills: section("external_dirs template_vars inline_shell inline_shell_timeout guard_agent_created write_approval"),
  mcp: section("auto_reload_on_config_change"),
  privacy: section("redact_pii"),
  voice: section("record_key max_recording_seconds auto_tts beep_enabled silence_threshold silence_duration"),
  human_delay: section("mode min_ms max_ms"),
  kanban: section(
    "dispatch_in_gateway dispatch_interval_seconds failure_limit worker_log_rotate_bytes worker_log_backup_count orchestrator_profile default_assignee max_in_progress_per_profile auto_decompose auto_decompose_per_tick dispatch_stale_timeout_seconds",
  ),
  network: section("force_ipv4"),
  model_catalog: section("enabled url ttl_hours providers"),
  secrets: section("bitwarden onepassword"),
  updates: section("pre_update_backup backup_keep non_interactive_local_changes refresh_cua_driver"),
  dashboard: section(
    "theme turn_isolation compute_host_heartbeat_secs compute_host_respawn_max show_token_analytics oauth basic_auth drain_auth public_url",
  ),
  lsp: section("enabled wait_mode wait_timeout install_strategy servers"),
  openrouter: section("response_cache response_cache_ttl min_coding_score"),
  bedrock: section("region discovery guardrail"),
  x_search: section("model reasoning_effort timeout_seconds retries"),
  moa: section("default_preset active_preset save_traces trace_dir presets"),
  computer_use: section("cua_telemetry"),
  onboarding: section("seen profile_build"),
  ...unused(`
    mcp_servers clarify quick_commands
    worktree prefill_messages_file provider_routing honcho max_live_sessions platform_hints
    smart_model_routing telegram discord slack whatsapp signal matrix email sms mattermost homeassistant dingtalk feishu wecom weixin
    bluebubbles qqbot yuanbao webhook paste_collapse_threshold paste_collapse_threshold_fallback
    paste_collapse_char_threshold desktop vertex _config_version
  `),
};
