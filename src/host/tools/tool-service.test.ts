import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import type { Toolset } from "../../contract/tools/toolset.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import { createToolsets } from "../../engine/tools/toolsets.ts";
import { fakeClock, quietLog } from "../../testing/index.ts";
import { createToolService } from "./tool-service.ts";

function serviceWith(tools: readonly (readonly [name: string, toolset: string, owner: string])[]) {
  const log = quietLog();
  const registry = new Registry<ToolEntry>("tool", log);
  const settings = new Map<string, Json>();
  for (const [name, toolset, owner] of tools) {
    registry.add(
      name,
      entryOf(
        defineTool({
          name,
          toolset,
          description: `Does ${name}.`,
          effect: "none",
          input: { type: "object", properties: {} },
          execute: async () => "",
        }),
      ),
      owner,
    );
  }
  const add = (tool: AnyTool): void => void registry.add(tool.name, entryOf(tool), "tool-more");
  const service = createToolService({
    tools: registry,
    clock: fakeClock(),
    log,
    probe: () => ({
      env: () => undefined,
      config: (path) => settings.get(path),
      which: async () => undefined,
      prompter: true,
      surface: "cli",
    }),
    toolsets: createToolsets({ tools: registry, toolsets: new Registry<Toolset>("toolset", log) }),
    config: {
      get: (path) => settings.get(path),
      explain: (path) => ({ source: settings.has(path) ? "file" : "default" }),
      set: async (path, value) => void settings.set(path, JSON.parse(value) as Json),
      changeList: async (path, { add = [], remove = [] }) =>
        void settings.set(path, [
          ...(settings.get(path) as readonly string[]).filter((name) => !remove.includes(name)),
          ...add,
        ]),
    },
    fromOutside: (owner) => owner === "stranger",
  });
  return { service, settings, add };
}

const OURS = [
  ["terminal", "terminal", "tool-terminal"],
  ["process", "terminal", "tool-terminal"],
  ["todo", "todo", "tool-todo"],
] as const;

test("disabling a toolset keeps it off for its platform, and lists the rest as whole toolsets", async () => {
  const { service, settings } = serviceWith(OURS);
  await service.disable(["terminal"], "cli");
  assert.deepEqual(
    service.select("cli").filter((name) => ["terminal", "process", "todo"].includes(name)),
    ["todo"],
  );
  const saved = settings.get("platform_toolsets.cli") as readonly string[];
  assert.ok(saved.includes("todo") && saved.includes("web") && !saved.includes("web_search"), saved.join());
  assert.ok(service.select("telegram").includes("terminal"), "other platforms do not change");
  await service.enable(["terminal"], "cli");
  assert.ok(service.select("cli").includes("process"));
});

test("disables one tool of a toolset", async () => {
  const { service, settings } = serviceWith(OURS);
  await service.disable(["process"], "cli");
  assert.deepEqual(
    ["terminal", "process"].map((name) => service.select("cli").includes(name)),
    [true, false],
  );
  assert.ok((settings.get("platform_toolsets.cli") as readonly string[]).includes("tool:terminal"));
});

test("a plugin's toolset added after the list was saved is on; one that was left out then is off", async () => {
  const before = serviceWith([...OURS, ["seen", "seen", "stranger"]]);
  await before.service.disable(["seen"], "cli");
  const after = serviceWith([...OURS, ["seen", "seen", "stranger"], ["fresh", "fresh", "stranger"]]);
  for (const [path, value] of before.settings) after.settings.set(path, value);
  assert.deepEqual(
    ["seen", "fresh"].map((name) => after.service.select("cli").includes(name)),
    [false, true],
  );
});

// field: C07
test("switching one tool neither enables nor disables others of its toolset", async () => {
  const { service, settings, add } = serviceWith(OURS);
  add(
    defineTool({
      name: "text_to_speech",
      toolset: "tts",
      description: "Speaks.",
      effect: "network",
      input: { type: "object", properties: {} },
      available: ({ config }) =>
        JSON.stringify(config("platform_toolsets.cli") ?? []).includes("tts")
          ? { ok: true }
          : { ok: false, reason: "No voice is chosen." },
      execute: async () => "",
    }),
  );
  const offered = async () =>
    (await service.list({ surface: "cli", prompter: true }))
      .filter(({ enabled, availability }) => enabled && availability.ok)
      .map(({ declaration }) => declaration.name);
  assert.deepEqual(await offered(), ["process", "terminal", "todo"]);
  await service.disable(["todo"], "cli");
  assert.deepEqual(await offered(), ["process", "terminal"]);
  await service.enable(["todo"], "cli");
  assert.deepEqual(await offered(), ["process", "terminal", "todo"]);
  const saved = settings.get("platform_toolsets.cli") as readonly string[];
  assert.deepEqual(
    saved.filter((name) => /tts|speech/.test(name)),
    ["tool:text_to_speech"],
    "the tool stays enabled until a voice is configured",
  );
  await service.enable(["tts"], "cli");
  await service.disable(["todo"], "cli");
  assert.deepEqual(await offered(), ["process", "terminal", "text_to_speech"]);
});

test("reports a name that is not a toolset or tool", async () => {
  const { service } = serviceWith(OURS);
  await assert.rejects(service.enable(["termnal"], "cli"), { message: 'There is no toolset or tool "termnal".' });
  await assert.rejects(service.disable(["terminal", "termnal", "tood"], "cli"), {
    message: 'There is no toolset or tool "termnal", "tood".',
  });
  assert.ok(service.select("cli").includes("terminal"), "no valid name is switched either");
  assert.throws(() => service.select("cli", { enabled: ["flie"] }), { message: 'There is no toolset or tool "flie".' });
});

test("warns about unknown toolsets and tools with suggestions, but accepts those of an absent plugin", () => {
  const { service, settings } = serviceWith(OURS);
  assert.deepEqual(service.misnamed("cli"), []);
  settings.set("platform_toolsets.cli", ["terminal", "tool:todo", "all", "file_tools", "away", "termnal"]);
  settings.set("known_plugin_toolsets.cli", ["away"]);
  settings.set("platform_toolsets.telegram", ["nonsense"]);
  settings.set("agent.disabled_toolsets", ["flie"]);
  settings.set("custom_toolsets", { mine: { tools: ["todo", "raed_file"], includes: ["terminal", "wbe"] } });
  assert.deepEqual(
    service.misnamed("cli").map(({ level, text, hint }) => `${level}: ${text} ${hint}`),
    [
      'warning: platform_toolsets.cli names "termnal", which is not a toolset or tool here. Did you mean "terminal"?',
      'warning: agent.disabled_toolsets names "flie", which is not a toolset or tool here. Did you mean "file"?',
      'warning: custom_toolsets.mine.tools names "raed_file", which is not a toolset or tool here. `hermes tools list` shows tools and their toolsets.',
      'warning: custom_toolsets.mine.includes names "wbe", which is not a toolset or tool here. Did you mean "web"?',
    ],
  );
  assert.deepEqual(
    service.misnamed("telegram").map(({ text }) => text.split(" ")[2]),
    ['"nonsense",', '"flie",', '"raed_file",', '"wbe",'],
  );
});

test("enabling one tool of a disabled toolset leaves its other tools off, also with other names in the list", async () => {
  const { service, settings } = serviceWith(OURS);
  settings.set("agent.disabled_toolsets", ["gone-with-its-plugin", "terminal", "tool:todo"]);
  await service.enable(["process"], "cli");
  assert.deepEqual(
    ["terminal", "process", "todo"].map((name) => service.select("cli").includes(name)),
    [false, true, false],
  );
  await service.enable(["todo"], "cli");
  assert.deepEqual(
    ["terminal", "process", "todo"].map((name) => service.select("cli").includes(name)),
    [false, true, true],
  );
  await service.enable(["terminal"], "cli");
  assert.deepEqual(
    ["terminal", "process", "todo"].map((name) => service.select("cli").includes(name)),
    [true, true, true],
  );
  assert.deepEqual(settings.get("agent.disabled_toolsets"), ["gone-with-its-plugin"]);
});
