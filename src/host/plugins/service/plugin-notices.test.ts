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

test("what waits for a yes is one notice, whatever their number; a package waits in silence", () => {
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

test("what cannot run, lacks a variable, was changed or is not there is told with what helps", () => {
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
      text: 'plugins.enabled names "gone", "lost", and there are no such plugins.',
      hint: "hermes plugins disable gone takes the first out.",
    },
    { level: "warning", text: 'The plugin "broken" cannot run: its manifest is no map' },
    {
      level: "warning",
      text: "Plugin lacks disabled (missing: A_KEY, B_KEY)",
      hint: "hermes config set A_KEY VALUE puts it into .env.",
    },
    { level: "warning", text: 'The plugin "changed" does not run: its files are others' },
  ]);
  assert.deepEqual(logged, [notices[0]!.text, notices[2]!.text, notices[3]!.text]);
});
