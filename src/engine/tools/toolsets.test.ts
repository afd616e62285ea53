import assert from "node:assert/strict";
import { test } from "node:test";
import type { Toolset } from "../../contract/tools/toolset.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import type { ToolEntry } from "../ports.ts";
import { Registry } from "./registry.ts";
import { entryOf } from "./tool-declaration.ts";
import { CORE_TOOLS } from "./toolset-table.ts";
import { createToolsets, customToolsets } from "./toolsets.ts";

const log = quietLog();

function world(
  options: { readonly custom?: readonly Toolset[]; readonly core?: readonly string[]; readonly askedFor?: string } = {},
) {
  const tools = new Registry<ToolEntry>("tool", log);
  const registered = new Registry<Toolset>("toolset", log);
  const toolsets = createToolsets({
    tools,
    toolsets: registered,
    askedFor: (owner) => owner === options.askedFor,
    custom: options.custom === undefined ? undefined : () => options.custom!,
    core: options.core,
  });
  const addTool = (name: string, toolset: string) =>
    tools.add(
      name,
      entryOf({ name, toolset, description: name, input: {}, effect: "read", execute: async () => null }),
      "plugin",
    );
  return { tools, registered, addTool, ...toolsets };
}

const BROWSER = [
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
];
const CLI = [
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
  ...BROWSER,
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
].sort();
const RL = [
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
];
const FEISHU = [
  "feishu_doc_read",
  "feishu_drive_list_comments",
  "feishu_drive_list_comment_replies",
  "feishu_drive_add_comment",
  "feishu_drive_reply_comment",
];
const YUANBAO = ["yb_query_group_info", "yb_query_group_members", "yb_send_dm", "yb_search_sticker", "yb_send_sticker"];
const without = (names: readonly string[], ...gone: readonly string[]) => names.filter((name) => !gone.includes(name));

// req: toolsets.count-52
test("defines 52 toolsets, and each resolves to its tools", () => {
  const { list, resolveToolset } = world();
  const expected: { readonly [name: string]: readonly string[] } = {
    web: ["web_search", "web_extract"],
    search: ["web_search"],
    vision: ["vision_analyze"],
    image_gen: ["image_generate"],
    terminal: ["terminal", "process"],
    moa: ["mixture_of_agents"],
    skills: ["skills_list", "skill_view", "skill_manage"],
    browser: BROWSER,
    cronjob: ["cronjob"],
    messaging: ["send_message"],
    rl: RL,
    file: ["read_file", "write_file", "patch", "search_files"],
    tts: ["text_to_speech"],
    todo: ["todo"],
    memory: ["memory"],
    session_search: ["session_search"],
    clarify: ["clarify"],
    code_execution: ["execute_code"],
    delegation: ["delegate_task"],
    homeassistant: ["ha_list_entities", "ha_get_state", "ha_list_services", "ha_call_service"],
    spotify: [
      "spotify_playback",
      "spotify_devices",
      "spotify_queue",
      "spotify_search",
      "spotify_playlists",
      "spotify_albums",
      "spotify_library",
    ],
    discord: ["discord"],
    discord_admin: ["discord_admin"],
    yuanbao: YUANBAO,
    feishu_doc: ["feishu_doc_read"],
    feishu_drive: FEISHU.slice(1),
    debugging: ["terminal", "process", "web_search", "web_extract", "read_file", "write_file", "patch", "search_files"],
    safe: ["web_search", "web_extract", "vision_analyze", "image_generate"],
    "hermes-acp": without(
      CLI,
      "clarify",
      "cronjob",
      "image_generate",
      "send_message",
      "text_to_speech",
      "ha_list_entities",
      "ha_get_state",
      "ha_list_services",
      "ha_call_service",
    ),
    "hermes-api-server": without(CLI, "clarify", "send_message", "text_to_speech"),
    "hermes-discord": [...CLI, "discord", "discord_admin"],
    "hermes-feishu": [...CLI, ...FEISHU],
    "hermes-yuanbao": [...CLI, ...YUANBAO],
    "hermes-webhook": ["web_search", "web_extract", "vision_analyze", "clarify"],
    "hermes-gateway": [...CLI, "discord", "discord_admin", ...FEISHU, ...YUANBAO],
  };
  for (const platform of [
    "cli",
    "cron",
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
  ]) {
    (expected as { [name: string]: readonly string[] })[`hermes-${platform}`] = CLI;
  }
  assert.equal(Object.keys(expected).length, 52);
  assert.deepEqual(
    Object.fromEntries(list().map(({ name }) => [name, resolveToolset(name)])),
    Object.fromEntries(Object.entries(expected).map(([name, tools]) => [name, [...tools].sort()])),
  );
  assert.ok(list().every(({ description }) => description.length >= 5));
});

// req: toolsets.hermes-cli-38, toolsets.homeassistant-identical
test("hermes-cli and hermes-homeassistant contain the 38 tools of the core list", () => {
  const { resolveToolset } = world();
  assert.equal(CLI.length, 38);
  assert.deepEqual(resolveToolset("hermes-cli"), CLI);
  assert.deepEqual(resolveToolset("hermes-homeassistant"), CLI);
});

// req: toolsets.acp-preset, toolsets.api-server-drops, toolsets.discord-sets, toolsets.safe-set
test("presets differ from the core list only by what their platform cannot or should not do", () => {
  const { resolveToolset } = world();
  const acp = new Set(resolveToolset("hermes-acp"));
  for (const gone of ["clarify", "cronjob", "image_generate", "send_message", "text_to_speech", "ha_call_service"])
    assert.equal(acp.has(gone), false, gone);
  for (const saved of ["terminal", "process", "read_file", "write_file", "patch", "search_files"])
    assert.equal(acp.has(saved), true, saved);
  const api = resolveToolset("hermes-api-server");
  assert.deepEqual(
    CLI.filter((name) => !api.includes(name)),
    ["clarify", "send_message", "text_to_speech"],
  );
  assert.deepEqual(
    resolveToolset("hermes-discord").filter((name) => !CLI.includes(name)),
    ["discord", "discord_admin"],
  );
  assert.equal(CLI.includes("discord"), false);
  assert.deepEqual(resolveToolset("safe"), ["image_generate", "vision_analyze", "web_extract", "web_search"]);
});

// req: toolsets.core-list
test("a tool added to the core list appears on every platform", () => {
  const { resolveToolset } = world({ core: [...CORE_TOOLS, "weather"] });
  for (const preset of ["hermes-cli", "hermes-telegram", "hermes-slack"])
    assert.equal(resolveToolset(preset).includes("weather"), true, preset);
});

// req: toolsets.legacy-names
test("former names ending in _tools resolve to the tools of their modern counterparts", () => {
  const { resolveToolset, selectTools } = world();
  const modern = {
    web_tools: "web",
    terminal_tools: "terminal",
    vision_tools: "vision",
    moa_tools: "moa",
    image_tools: "image_gen",
    skills_tools: "skills",
    browser_tools: "browser",
    cronjob_tools: "cronjob",
    rl_tools: "rl",
    file_tools: "file",
    tts_tools: "tts",
  };
  for (const [former, name] of Object.entries(modern)) {
    assert.deepEqual(resolveToolset(former), resolveToolset(name), former);
    assert.deepEqual(selectTools({ enabled: [former] }), { names: resolveToolset(name), unknown: [] });
  }
});

// req: toolsets.includes, toolsets.definition-shape
test("resolves included toolsets and ignores cycles; a custom toolset is off until enabled", () => {
  const { resolveToolset, selectTools, get } = world({
    custom: customToolsets({
      outer: { description: "Both", tools: ["x"], includes: ["left", "right"] },
      left: { tools: ["l"], includes: ["outer"] },
      right: { tools: ["r"], includes: ["left"] },
      weather: { description: "Weather", tools: ["get_weather"], includes: [] },
      broken: "no",
    }),
  });
  assert.deepEqual(resolveToolset("outer"), ["l", "r", "x"]);
  assert.deepEqual(get("weather"), { name: "weather", description: "Weather", tools: ["get_weather"], includes: [] });
  assert.deepEqual(resolveToolset("broken"), []);
  assert.equal(resolveToolset("hermes-cli").includes("get_weather"), false);
  assert.equal(selectTools({ platform: "cli" }).names.includes("get_weather"), false);
  assert.equal(selectTools({ enabled: ["hermes-cli", "weather"] }).names.includes("get_weather"), true);
});

// req: toolsets.browser-cdp-split
test("browser has ten tools and browser-cdp two, and each can be disabled alone", () => {
  const { addTool, resolveToolset, selectTools } = world();
  addTool("browser_cdp", "browser-cdp");
  addTool("browser_dialog", "browser-cdp");
  assert.equal(resolveToolset("browser").length, 10);
  assert.deepEqual(resolveToolset("browser-cdp"), ["browser_cdp", "browser_dialog"]);
  const left = (disabled: string) =>
    selectTools({ platform: "cli", disabled: [disabled] }).names.filter((name) => name.startsWith("browser"));
  assert.deepEqual(left("browser"), ["browser_cdp", "browser_dialog"]);
  assert.deepEqual(left("browser-cdp"), [...BROWSER].sort());
});

// req: toolsets.named-bundles, toolsets.enabled-only, toolsets.disabled-subtract, toolsets.neither-all,
// toolsets.enabled-and-disabled
test("enabled selects toolsets, disabled removes them, both subtract, and neither selects all", () => {
  const { selectTools, resolveToolset } = world();
  const all = resolveToolset("all");
  assert.deepEqual(selectTools({ enabled: ["web"] }).names, ["web_extract", "web_search"]);
  assert.deepEqual(selectTools({ disabled: ["terminal"] }).names, without(all, "terminal", "process"));
  assert.deepEqual(selectTools({}).names, all);
  assert.deepEqual(resolveToolset("*"), all);
  assert.deepEqual(selectTools({ enabled: ["debugging"], disabled: ["web"] }).names, [
    "patch",
    "process",
    "read_file",
    "search_files",
    "terminal",
    "write_file",
  ]);
  assert.deepEqual(selectTools({ enabled: [] }).names, []);
  assert.equal(all.length, 68);
});

// req: toolsets.common-names
test("search, messaging, spotify, discord, debugging and safe can be selected by name", () => {
  const { selectTools, resolveToolset } = world();
  for (const name of ["search", "messaging", "spotify", "discord", "debugging", "safe"]) {
    assert.deepEqual(selectTools({ enabled: [name] }), { names: resolveToolset(name), unknown: [] }, name);
    assert.ok(resolveToolset(name).length > 0);
  }
});

// req: toolsets.platform-presets
test("a platform starts with its preset, an unknown platform with the CLI's", () => {
  const { selectTools, presetOf, resolveToolset } = world();
  assert.deepEqual(
    ["cli", "telegram", "api", "api_server", "whatsapp_cloud", "wecom_callback", "acp", "newchat"].map(presetOf),
    [
      "hermes-cli",
      "hermes-telegram",
      "hermes-api-server",
      "hermes-api-server",
      "hermes-whatsapp",
      "hermes-wecom-callback",
      "hermes-acp",
      "hermes-cli",
    ],
  );
  assert.deepEqual(selectTools({ platform: "telegram" }).names, resolveToolset("hermes-telegram"));
});

test("tools of an enabled plugin are on by default; those in a listed toolset only if named", () => {
  const { addTool, registered, selectTools, resolveToolset } = world();
  addTool("get_weather", "weather");
  addTool("spotify_playback", "spotify");
  addTool("web_crawl", "web");
  registered.add("bundle", { name: "bundle", description: "b", tools: ["mixture_of_agents"], includes: [] }, "plugin");
  const { names } = selectTools({ platform: "cli" });
  assert.deepEqual(
    names.filter((name) => !CLI.includes(name)),
    ["get_weather", "mixture_of_agents"],
  );
  assert.deepEqual(resolveToolset("web"), ["web_crawl", "web_extract", "web_search"]);
  assert.deepEqual(selectTools({ platform: "cli", disabled: ["weather"] }).names.includes("get_weather"), false);
});

test("a plugin that the user enabled offers its tools on every platform, whatever their toolset", () => {
  const { addTool, selectTools } = world({ askedFor: "plugin" });
  addTool("spotify_playback", "spotify");
  const added = (platform: string): readonly string[] =>
    selectTools({ platform }).names.filter((name) => name.startsWith("spotify_"));
  assert.deepEqual(
    [added("cli").includes("spotify_playback"), added("telegram").includes("spotify_playback")],
    [true, true],
  );
  assert.deepEqual(
    selectTools({ platform: "cli", disabled: ["spotify"] }).names.filter((name) => name.startsWith("spotify_")),
    [],
  );
});

// req: toolsets.mcp-dynamic
test("a toolset added at run time can be selected and disabled, and disappears with its last tool", () => {
  const { addTool, selectTools, list } = world();
  const tool = addTool("mcp_fs_read", "mcp-fs");
  assert.deepEqual(selectTools({ enabled: ["mcp-fs"] }), { names: ["mcp_fs_read"], unknown: [] });
  assert.equal(selectTools({ platform: "cli", disabled: ["mcp-fs"] }).names.includes("mcp_fs_read"), false);
  assert.equal(
    list().some(({ name }) => name === "mcp-fs"),
    true,
  );
  tool[Symbol.dispose]();
  assert.deepEqual(selectTools({ enabled: ["mcp-fs"] }), { names: [], unknown: ["mcp-fs"] });
});

test("single tools can be named, and a name that is neither toolset nor tool is reported", () => {
  const { addTool, selectTools } = world();
  addTool("get_weather", "weather");
  assert.deepEqual(selectTools({ enabled: ["file", "get_weather", "wether"], disabled: ["patch", "nothing"] }), {
    names: ["get_weather", "read_file", "search_files", "write_file"],
    unknown: ["wether", "nothing"],
  });
});

test("disabling a preset removes what it adds and keeps the core tools", () => {
  const { selectTools } = world();
  assert.deepEqual(selectTools({ platform: "discord", disabled: ["hermes-discord"] }).names, CLI);
});

test("skill_manage is offered by default in the CLI and in Telegram, Discord, WhatsApp and Slack", () => {
  const { selectTools } = world();
  for (const platform of ["cli", "telegram", "discord", "whatsapp", "slack"])
    assert.ok(selectTools({ platform }).names.includes("skill_manage"), platform);
});
