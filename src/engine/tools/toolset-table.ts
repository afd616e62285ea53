import type { Toolset } from "../../contract/tools/toolset.ts";

/** On every platform: a name added here is offered in the CLI and in every chat. */
export const CORE_TOOLS: readonly string[] = [
  "web_search",
  "web_extract",
  "terminal",
  "process",
  "read_file",
  "write_file",
  "patch",
  "search_files",
  "vision_analyze",
  "image_generate",
  "skills_list",
  "skill_view",
  "skill_manage",
  "browser_navigate",
  "browser_snapshot",
  "browser_click",
  "browser_type",
  "browser_scroll",
  "browser_back",
  "browser_press",
  "browser_get_images",
  "browser_vision",
  "browser_console",
  "browser_cdp",
  "browser_dialog",
  "text_to_speech",
  "todo",
  "memory",
  "session_search",
  "clarify",
  "execute_code",
  "delegate_task",
  "cronjob",
  "send_message",
  "ha_list_entities",
  "ha_get_state",
  "ha_list_services",
  "ha_call_service",
];

const WEB = ["web_search", "web_extract"];
const TERMINAL = ["terminal", "process"];
const FILE = ["read_file", "write_file", "patch", "search_files"];
const SKILLS = ["skills_list", "skill_view", "skill_manage"];
const BROWSER = CORE_TOOLS.filter(
  (name) => name.startsWith("browser_") && name !== "browser_cdp" && name !== "browser_dialog",
);
const HOME_ASSISTANT = CORE_TOOLS.filter((name) => name.startsWith("ha_"));
const FEISHU_DRIVE = [
  "feishu_drive_list_comments",
  "feishu_drive_list_comment_replies",
  "feishu_drive_add_comment",
  "feishu_drive_reply_comment",
];
const YUANBAO = ["yb_query_group_info", "yb_query_group_members", "yb_send_dm", "yb_search_sticker", "yb_send_sticker"];

/** Not for an editor, which has its own ways to ask, schedule, show and speak. */
const NOT_IN_EDITORS = new Set([
  "clarify",
  "cronjob",
  "image_generate",
  "send_message",
  "text_to_speech",
  ...HOME_ASSISTANT,
]);
/** A program at the other end of an API cannot be asked, sent to or spoken to. */
const NOT_OVER_API = new Set(["clarify", "send_message", "text_to_speech"]);

/** Chat platforms whose preset is the core list alone. */
const CHATS = [
  "telegram",
  "slack",
  "whatsapp",
  "signal",
  "matrix",
  "mattermost",
  "email",
  "sms",
  "homeassistant",
  "bluebubbles",
  "dingtalk",
  "wecom",
  "wecom-callback",
  "weixin",
  "qqbot",
];

/**
 * The toolsets that are defined without any plugin. `core` is a parameter so that one list really reaches every
 * platform.
 */
export function toolsetTable(core: readonly string[] = CORE_TOOLS): readonly Toolset[] {
  return [
    set("web", "Search the web and read pages", WEB),
    set("search", "Search the web, without reading pages", ["web_search"]),
    set("vision", "Analyse images", ["vision_analyze"]),
    set("image_gen", "Generate images", ["image_generate"]),
    set("terminal", "Run commands and manage background processes", TERMINAL),
    set("moa", "Ask several models and merge their answers", ["mixture_of_agents"]),
    set("skills", "Find, read and write skills", SKILLS),
    set("browser", "Control a web browser", BROWSER),
    set("cronjob", "Schedule work", ["cronjob"]),
    set("messaging", "Send messages to chats", ["send_message"]),
    set("rl", "Train models by reinforcement learning", [
      "rl_list_environments",
      "rl_select_environment",
      "rl_get_current_config",
      "rl_edit_config",
      "rl_start_training",
      "rl_check_status",
      "rl_stop_training",
      "rl_get_results",
      "rl_list_runs",
      "rl_test_inference",
    ]),
    set("file", "Read, write, edit and search files", FILE),
    set("tts", "Speak", ["text_to_speech"]),
    set("todo", "Keep a list of steps for the current task", ["todo"]),
    set("memory", "Remember across sessions", ["memory"]),
    set("session_search", "Search earlier sessions", ["session_search"]),
    set("clarify", "Ask the user", ["clarify"]),
    set("code_execution", "Run scripts that call tools", ["execute_code"]),
    set("delegation", "Hand work to subagents", ["delegate_task"]),
    set("homeassistant", "Read and control a smart home", HOME_ASSISTANT),
    set("spotify", "Play and manage music", [
      "spotify_playback",
      "spotify_devices",
      "spotify_queue",
      "spotify_search",
      "spotify_playlists",
      "spotify_albums",
      "spotify_library",
    ]),
    set("discord", "Read and write in Discord", ["discord"]),
    set("discord_admin", "Manage a Discord server", ["discord_admin"]),
    set("yuanbao", "Groups, direct messages and stickers of Yuanbao", YUANBAO),
    set("feishu_doc", "Read Feishu documents", ["feishu_doc_read"]),
    set("feishu_drive", "Comments in Feishu Drive", FEISHU_DRIVE),

    set("debugging", "Find and fix faults: terminal, files and web", TERMINAL, ["web", "file"]),
    set(
      "safe",
      "Reading and media only: nothing that runs commands or writes files",
      [],
      ["web", "vision", "image_gen"],
    ),

    set("hermes-cli", "The command line", core),
    set("hermes-cron", "Scheduled jobs", core),
    set(
      "hermes-acp",
      "Editors",
      core.filter((name) => !NOT_IN_EDITORS.has(name)),
    ),
    set(
      "hermes-api-server",
      "The HTTP API",
      core.filter((name) => !NOT_OVER_API.has(name)),
    ),
    ...CHATS.map((platform) => set(`hermes-${platform}`, `Chats: ${platform}`, core)),
    set("hermes-discord", "Chats: discord", [...core, "discord", "discord_admin"]),
    set("hermes-feishu", "Chats: feishu", [...core, "feishu_doc_read", ...FEISHU_DRIVE]),
    set("hermes-yuanbao", "Chats: yuanbao", [...core, ...YUANBAO]),
    // Anyone who can reach a webhook writes its input, so no tool here acts on the machine.
    set("hermes-webhook", "Webhooks: untrusted input, so reading only", [...WEB, "vision_analyze", "clarify"]),
    set(
      "hermes-gateway",
      "All tools of all chat platforms",
      [],
      [...CHATS, "discord", "feishu", "yuanbao", "webhook"].map((platform) => `hermes-${platform}`),
    ),
  ];
}

/** Former toolset names, and the tools they meant. */
export const LEGACY_TOOLSETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["web_tools", WEB],
  ["terminal_tools", TERMINAL],
  ["vision_tools", ["vision_analyze"]],
  ["moa_tools", ["mixture_of_agents"]],
  ["image_tools", ["image_generate"]],
  ["skills_tools", SKILLS],
  ["browser_tools", BROWSER],
  ["cronjob_tools", ["cronjob"]],
  [
    "rl_tools",
    [
      "rl_list_environments",
      "rl_select_environment",
      "rl_get_current_config",
      "rl_edit_config",
      "rl_start_training",
      "rl_check_status",
      "rl_stop_training",
      "rl_get_results",
      "rl_list_runs",
      "rl_test_inference",
    ],
  ],
  ["file_tools", FILE],
  ["tts_tools", ["text_to_speech"]],
]);

/** Platforms whose preset is not called `hermes-<platform>`. */
export const PRESET_OF: ReadonlyMap<string, string> = new Map([
  ["api", "hermes-api-server"],
  ["whatsapp_cloud", "hermes-whatsapp"],
]);

function set(name: string, description: string, tools: readonly string[], includes: readonly string[] = []): Toolset {
  return { name, description, tools, includes };
}
