import type { Setting, Settings } from "../setting.ts";

const ANY: Setting = { unused: true };
const unused = (keys: string): Settings => Object.fromEntries(keys.trim().split(/\s+/).map((key) => [key, ANY]));

/**
 * Sections and keys that a file of the original may hold and no code here reads. They load without an error, and `hermes doctor`
 * lists them. What a plugin's manifest declares takes the place of the same key here and keeps its variable and aliases.
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
      ...unused("env_passthrough shell_init_files auto_source_bashrc sudo_password daemon_term_grace_seconds vercel_runtime"),
    },
  },
  ...unused(`
    web browser checkpoints skills curator hooks hooks_auto_accept mcp_servers mcp privacy code_execution tts stt voice streaming
    human_delay group_sessions_per_user unauthorized_dm_behavior session_reset gateway cron kanban goals clarify quick_commands personalities
    network worktree prefill_messages_file model_catalog secrets updates dashboard lsp provider_routing openrouter bedrock x_search moa image_gen
    video_gen honcho max_live_sessions mcp_discovery_timeout platform_hints computer_use onboarding smart_model_routing
    telegram discord slack whatsapp signal matrix email sms mattermost homeassistant dingtalk feishu wecom weixin bluebubbles qqbot yuanbao webhook
    max_concurrent_sessions paste_collapse_threshold paste_collapse_threshold_fallback paste_collapse_char_threshold desktop vertex _config_version
  `),
};
