import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const FAMILIES: { readonly [family: string]: readonly string[] } = {
  web: ["web_search", "web_extract"],
  terminal: ["terminal"],
  file: ["read_file", "write_file", "patch", "search_files"],
  vision: ["vision_analyze"],
  mixture_of_agents: ["mixture_of_agents"],
  image_generation: ["image_generate"],
  skills: ["skills_list", "skill_view"],
  skill_manager: ["skill_manage"],
  browser: [
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
  ],
  cronjob: ["cronjob"],
  rl_training: [
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
  tts: ["text_to_speech"],
  todo: ["todo"],
  memory: ["memory"],
  session_search: ["session_search"],
  clarify: ["clarify"],
  code_execution: ["execute_code"],
  delegate: ["delegate_task"],
  process_registry: ["process"],
  send_message: ["send_message"],
  homeassistant: ["ha_list_entities", "ha_get_state", "ha_list_services", "ha_call_service"],
};
const SERVICES: readonly string[] = [
  "spotify_playback",
  "spotify_devices",
  "spotify_queue",
  "spotify_search",
  "spotify_playlists",
  "spotify_albums",
  "spotify_library",
  "yb_query_group_info",
  "yb_query_group_members",
  "yb_send_dm",
  "yb_search_sticker",
  "yb_send_sticker",
  "feishu_doc_read",
  "feishu_drive_list_comments",
  "feishu_drive_list_comment_replies",
  "feishu_drive_add_comment",
  "feishu_drive_reply_comment",
  "discord",
  "discord_admin",
];

// req: registry.builtin-families, toolsets.builtin-68
test("ships all 21 tool families with 68 tools, and the reference page describes every one", async () => {
  using user = new NewUser();
  // The only one of these plugins that the user must enable.
  assert.equal((await user.run(["plugins", "enable", "spotify"])).status, 0);
  const { status, out, err } = await user.run(["tools", "list", "--json"]);
  assert.equal(status, 0, err);
  const registered = new Map(
    (JSON.parse(out) as readonly { readonly name: string; readonly description: string }[]).map((row) => [
      row.name,
      row,
    ]),
  );
  const wanted = [...Object.values(FAMILIES).flat(), ...SERVICES];
  assert.deepEqual([Object.keys(FAMILIES).length, new Set(wanted).size], [21, 68]);
  assert.deepEqual(
    wanted.filter((name) => !registered.has(name)),
    [],
  );
  assert.deepEqual(
    wanted.filter((name) => (registered.get(name)?.description ?? "").trim() === ""),
    [],
  );
  const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/tools.md"), "utf8");
  const counted = Number(/^(\d+) tools ship with this version\./m.exec(page)?.[1]);
  const rows = [...page.matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name]) => name!);
  assert.equal(rows.length, counted);
  assert.deepEqual(
    wanted.filter((name) => !rows.includes(name)),
    [],
  );
});
