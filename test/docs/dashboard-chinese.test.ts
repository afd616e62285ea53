import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHINESE } from "../../src/surfaces/dashboard/page/chinese.ts";
import { keyProblem } from "../../src/surfaces/shared/gateway/key-problem.ts";
import { unlistedPlatforms } from "../../src/surfaces/shared/gateway/known-platforms.ts";
import { MESSAGES, translated } from "../../src/surfaces/dashboard/page/chinese/messages.ts";
import { pageTexts, serverTexts } from "./texts-in-source.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const filesOf = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .sort();

const PAGE = filesOf("src/surfaces/dashboard/page/**/*.ts").filter((file) => !file.includes("/page/chinese"));
/** The server, except what it prints at its start, and the commands whose refusals its pages show. */
const SERVER = filesOf(
  "src/surfaces/dashboard/**/*.ts",
  "src/surfaces/shared/{costs,memory}/*.ts",
  "src/surfaces/shared/http/read-body.ts",
  "src/host/config/{open-config,setting-paths,edit-settings}.ts",
  "src/host/jobs/{find-job,job-definition,job-service,parse-schedule}.ts",
  "plugins/mcp/mcp-command.ts",
  "plugins/tool-memory/{entries,memory-command}.ts",
  "plugins/checkpoints/rollback/*.ts",
  "plugins/skills/hub/{choose,install,scan-fetched}.ts",
  "plugins/skills/hub/sources/{registry,write-files,all-sources,github-api}.ts",
  "src/host/plugins/install/*.ts",
).filter((file) => !file.includes("/dashboard/page/") && !file.endsWith("run-dashboard.ts"));

/** Arguments whose texts are states and names from the server, or from a table that the page receives. */
const FROM_ELSEWHERE = new Set([
  "label",
  "job.stateText",
  "state",
  'state === "open" ? "running" : state',
  "reason",
  "text",
  "tab.label",
]);
/** Texts of states that the server sends. */
const STATES = ["enabled", "disabled", "not enabled", "failed", "shadowed", "running", "completed", "interrupted"];

test("every text of the dashboard's page has a Chinese one", () => {
  const missing = PAGE.flatMap((file) => {
    const { texts, unknown } = pageTexts(file, read(file));
    return [
      ...texts.filter((text) => !/^\{\} \{\}s?$/.test(text) && CHINESE[text] === undefined),
      ...unknown.filter((argument) => !FROM_ELSEWHERE.has(argument)),
    ].map((text) => `${file}: ${text}`);
  });
  assert.deepEqual(missing, []);
  assert.deepEqual(
    STATES.filter((state) => CHINESE[state] === undefined),
    [],
  );
});

test("every message of the dashboard's server has a Chinese one, with all its values", () => {
  const texts = SERVER.flatMap((file) => serverTexts(file, read(file)).map((text) => ({ file, text })));
  assert.ok(texts.length > 120, `only ${texts.length} messages found`);
  assert.deepEqual(
    texts.flatMap(({ file, text }) => (MESSAGES[text] === undefined ? [`${file}: ${text}`] : [])),
    [],
  );
  const count = (text: string): number => text.split("{}").length;
  assert.deepEqual(
    [...Object.entries(MESSAGES), ...Object.entries(CHINESE)].filter(
      ([english, chinese]) => count(english) !== count(chinese),
    ),
    [],
  );
});

test("a message is translated with its values and the message in it; an unknown one is not", () => {
  assert.equal(translated('"agent.max_turns" cannot be "many".'), '“agent.max_turns”不能是 "many"。');
  assert.equal(translated('There is no job "a "b"".'), '没有任务“a "b"”。');
  assert.equal(
    translated("This question is no longer open. The server was not added."),
    "这个问题已经关闭。 服务器未添加。",
  );
  assert.equal(translated("Something else happened."), undefined);
});

test("a refused installation and what a chat platform lacks are translated", () => {
  assert.equal(
    translated('"evil" is not installed: community source, dangerous, 2 findings.\n  one\n  two'),
    "“evil”未安装：来源 community，扫描结果 dangerous，发现 2 项（findings）。\n  one\n  two",
  );
  assert.equal(translated("There is already a plugin in /home/ada/relay."), "/home/ada/relay 中已有插件。");
  assert.equal(translated("TELEGRAM_BOT_TOKEN is not set"), "未设置 TELEGRAM_BOT_TOKEN");
  assert.equal(translated("A_KEY, A_SECRET are not set"), "未设置 A_KEY, A_SECRET");
  const lacks = [
    ...["", "short", "with a space in the key", "a".repeat(40)].map((key) => keyProblem(key)),
    keyProblem("", true),
    ...unlistedPlatforms(new Set()).map(({ lack }) => lack),
  ];
  assert.equal(lacks.includes(undefined), false);
  assert.deepEqual(
    lacks.filter((lack) => translated(lack ?? "") === undefined),
    [],
  );
});

test("the check finds a text without a Chinese one, also in a table", () => {
  const source = `
const STATES = { on: "A new state", off: cond ? "x" : "Another" } as const;
const TABS = [{ name: "a", label: "A tab" }];
say("A text");
say(n === 1 ? "one" : "many");
draw(TABS.map(({ label }) => say(label)));
say(STATES[state] ?? state);
say(unknown);
`;
  const { texts, unknown } = pageTexts("page.ts", source);
  for (const text of ["A text", "one", "many", "A tab", "A new state", "Another"])
    assert.ok(texts.includes(text), text);
  assert.deepEqual(unknown, ["unknown"]);
  const server = 'throw new UserError(`No ${x} here.`, { hint: y ? "Do this." : undefined });';
  assert.deepEqual(serverTexts("server.ts", server), ["No {} here.", "Do this."]);
});
