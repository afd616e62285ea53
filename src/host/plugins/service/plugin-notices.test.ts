import assert from "node:assert/strict";
import { test } from "node:test";
import { quietLog } from "../../../testing/quiet-log.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Verdict } from "../consent/gate.ts";
import { PluginNotices } from "./plugin-notices.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

function plugin(key: string, more: Partial<FoundPlugin> = {}): FoundPlugin {
  return {
    key,
    source: "user",
    dir: `/p/${key}`,
    files: [["index.ts", 1, 1]] as unknown as FoundPlugin["files"],
    manifest: {
      name: key,
      version: "1",
      description: "",
      kind: "standalone",
      requires_env: [],
      optional_env: [],
      provides_tools: [],
      provides_hooks: [],
    },
    ...more,
  };
}

function output(verdicts: readonly (readonly [FoundPlugin, Verdict])[], absent: readonly string[] = []) {
  const log = quietLog();
  const notices = new PluginNotices(log);
  notices.ofChoice({ run: [], verdicts: new Map(verdicts), beatenBy: new Map() }, absent);
  return {
    notices: notices.all,
    logged: log.lines.filter(({ level }) => level === "warning").map(({ message }) => message),
  };
}

test("plugins that wait for approval share one notice, whatever their number; a package causes none", () => {
  const waiting: Verdict = { state: "not enabled", because: "asked", reason: "not enabled in config" };
  assert.deepEqual(
    output([
      [plugin("a"), waiting],
      [plugin("p", { source: "npm" }), waiting],
      [plugin("ours", { source: "bundled" }), waiting],
    ]),
    {
      notices: [{ level: "info", text: "A plugin waits to be enabled: a", hint: "hermes plugins enable a" }],
      logged: [],
    },
  );
  const six = [..."abcdef"].map((key) => [plugin(key), waiting] as const);
  assert.deepEqual(output(six).notices, [
    { level: "info", text: "6 plugins wait to be enabled: a, b, c, d, e, ...", hint: "hermes plugins enable NAME" },
  ]);
});

test("reports a plugin that cannot run, lacks a variable, was changed or is missing, with a fix", () => {
  const { notices, logged } = output(
    [
      [plugin("broken"), { state: "failed", reason: "its manifest is no map" }],
      [
        plugin("lacks"),
        { state: "disabled", because: "variables", reason: "Plugin lacks disabled (missing: A_KEY, B_KEY)" },
      ],
      [plugin("off"), { state: "disabled", because: "off", reason: "disabled via config" }],
      [plugin("changed"), { state: "not enabled", because: "changed", reason: "its files are others" }],
      [plugin("runs"), { state: "enabled" }],
    ],
    ["gone", "lost"],
  );
  assert.deepEqual(withoutUndefined(notices), [
    {
      level: "warning",
      text: 'plugins.enabled names "gone", "lost", but these plugins do not exist.',
      hint: "Run `hermes plugins disable gone` to remove the first from the list.",
    },
    { level: "warning", text: 'The plugin "broken" cannot run: its manifest is no map' },
    {
      level: "warning",
      text: "Plugin lacks disabled (missing: A_KEY, B_KEY)",
      hint: "Run `hermes config set A_KEY VALUE` to add it to .env.",
    },
    { level: "warning", text: 'The plugin "changed" is not running: its files are others' },
  ]);
  assert.deepEqual(logged, [notices[0]!.text, notices[2]!.text, notices[3]!.text]);
});
