import assert from "node:assert/strict";
import { test } from "node:test";
import type { Probe } from "../../contract/common/availability.ts";
import type { Json } from "../../contract/common/json.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { definitions } from "./definitions.ts";
import type { ToolEntry } from "../ports.ts";
import { Registry } from "./registry.ts";
import { entryOf } from "./tool-declaration.ts";

function world() {
  const log = quietLog();
  const clock = fakeClock();
  const tools = new Registry<ToolEntry>("tool", log);
  const probe = (owner: string, { name, prompter }: { name: string; prompter: boolean }): Probe => ({
    env: (variable) => `${owner}/${variable}`,
    config: () => undefined,
    which: async () => undefined,
    prompter,
    surface: name,
  });
  const ports = { tools, clock, log, probe };
  const add = (change: Partial<AnyTool> & { name: string }, owner = "plugin") =>
    tools.add(
      change.name,
      entryOf({
        toolset: "t",
        description: `About ${change.name}.`,
        input: { type: "object", properties: {} },
        effect: "read",
        execute: async () => null,
        ...change,
      }),
      owner,
    );
  const build = (names: Iterable<string>, options: { surface?: string; prompter?: boolean } = {}) =>
    definitions(ports, { names, surface: options.surface ?? "cli", prompter: options.prompter ?? true });
  return { log, clock, tools, ports, add, build };
}

const offer = (name: string) => ({
  name,
  description: `About ${name}.`,
  parameters: { type: "object", properties: {} },
});

// req: registry.get-definitions
test("offers exactly the known and available tools, sorted by name", async () => {
  const { add, build } = world();
  add({ name: "zebra" });
  add({ name: "ant" });
  add({ name: "hidden", available: () => ({ ok: false, reason: "needs a key", needs: ["KEY"] }) });
  add({ name: "unwanted" });
  assert.deepEqual(await build(["zebra", "unknown", "hidden", "ant"]), {
    offers: [offer("ant"), offer("zebra")],
    hidden: [{ name: "hidden", reason: "needs a key" }],
  });
});

// req: toolsets.patch-execute-code
test("a description mentions other tools only if they are offered", async () => {
  const { add, build } = world();
  add({ name: "script", description: "Calls %tools%.", mentions: ["read", "web", "write"] });
  for (const name of ["read", "web", "write"]) add({ name });
  const message = async (...names: string[]) =>
    (await build(["script", ...names])).offers.find(({ name }) => name === "script")?.description;
  assert.deepEqual(
    [await message("read", "web", "write"), await message("write", "read"), await message()],
    ["Calls read, web, write.", "Calls read, write.", "Calls none."],
  );
});

test("hides a tool whose program is not on PATH, unless it runs the program elsewhere", async () => {
  const { ports, add } = world();
  add({ name: "snake", programs: ["bash", "python3"] });
  const build = (backend: string | undefined, ...there: string[]) => {
    const probe = (): Probe => ({
      env: () => undefined,
      config: (path) => (path === "terminal.backend" ? backend : undefined),
      which: async (program) => (there.includes(program) ? `/bin/${program}` : undefined),
      prompter: true,
      surface: "cli",
    });
    return definitions({ ...ports, probe }, { names: ["snake"], surface: "cli", prompter: true });
  };
  assert.deepEqual((await build("local", "bash")).hidden, [{ name: "snake", reason: "There is no python3 on PATH." }]);
  assert.deepEqual((await build(undefined)).hidden, [{ name: "snake", reason: "There is no bash on PATH." }]);
  assert.deepEqual((await build(undefined, "bash", "python3")).offers, [offer("snake")]);
  assert.deepEqual((await build("docker")).offers, [offer("snake")]);
});

test("hides a tool if none of its alternative requirements is met, without loading its code", async () => {
  const { ports, add } = world();
  add({ name: "drive", needsOneOf: ["chromium", "/opt/chrome", "setting:browser.cdp_url"] });
  const build = (url: string, ...there: string[]) => {
    const probe = (): Probe => ({
      env: () => undefined,
      config: (path) => (path === "browser.cdp_url" ? url : undefined),
      which: async (program) => (there.includes(program) ? program : undefined),
      prompter: true,
      surface: "cli",
    });
    return definitions({ ...ports, probe }, { names: ["drive"], surface: "cli", prompter: true });
  };
  assert.deepEqual((await build("")).hidden, [
    { name: "drive", reason: "There is no chromium on PATH, and browser.cdp_url is not set." },
  ]);
  for (const [url, there] of [
    ["", "chromium"],
    ["", "/opt/chrome"],
    ["http://127.0.0.1:9222", ""],
  ] as const)
    assert.deepEqual((await build(url, there)).offers, [offer("drive")]);
});

test("an empty setting does not count as set, and the tool's hint replaces the list of requirements", async () => {
  const { ports, add } = world();
  add({
    name: "speak",
    needsOneOf: ["setting:tts.provider", "setting:platform_toolsets"],
    needsHint: "No voice is chosen.",
  });
  const build = (toolsets: Json) =>
    definitions(
      {
        ...ports,
        probe: (owner, surface) => ({
          ...ports.probe(owner, surface),
          config: (path) => (path === "platform_toolsets" ? toolsets : ""),
        }),
      },
      { names: ["speak"], surface: "cli", prompter: true },
    );
  for (const empty of [{}, [], "", null])
    assert.deepEqual((await build(empty)).hidden, [{ name: "speak", reason: "No voice is chosen." }]);
  for (const full of [{ cli: ["tts"] }, ["tts"], "tts", 0])
    assert.deepEqual((await build(full)).offers, [offer("speak")]);
});

test("a slot with a provider can meet a tool's requirement", async () => {
  const { ports, add } = world();
  add({ name: "drive", needsOneOf: ["chromium", "setting:browser.cdp_url", "slot:browser"] });
  add({ name: "rent", needsOneOf: ["slot:browser"] });
  const build = (filled: boolean) =>
    definitions(
      { ...ports, filled: (slot) => slot !== "browser" || filled },
      { names: ["drive", "rent"], surface: "cli", prompter: true },
    );
  assert.deepEqual((await build(false)).hidden, [
    {
      name: "drive",
      reason: "There is no chromium on PATH, browser.cdp_url is not set, and no plugin provides browser.",
    },
    { name: "rent", reason: "No plugin provides browser." },
  ]);
  assert.deepEqual((await build(true)).offers, [offer("drive"), offer("rent")]);
});

test("hides a tool whose required variable is unset, without loading its code", async () => {
  const { ports, tools } = world();
  const declared = entryOf({
    name: "house",
    toolset: "t",
    description: "About house.",
    input: { type: "object", properties: {} },
    effect: "read",
    env: [{ name: "HOUSE_TOKEN" }, { name: "HOUSE_ROOM" }],
    needsOneOf: ["env:HOUSE_TOKEN"],
    execute: async () => null,
  });
  tools.add("house", { declaration: declared.declaration, load: () => Promise.reject(new Error("loaded")) }, "plugin");
  const build = (set: readonly string[]) =>
    definitions(
      {
        ...ports,
        probe: (owner, surface) => ({
          ...ports.probe(owner, surface),
          env: (name) => (set.includes(name) ? "x" : undefined),
        }),
      },
      { names: ["house"], surface: "cli", prompter: true },
    );
  assert.deepEqual((await build(["HOUSE_ROOM"])).hidden, [{ name: "house", reason: "HOUSE_TOKEN is not set." }]);
  assert.deepEqual((await build(["HOUSE_TOKEN"])).offers, [offer("house")]);
});

// req: registry.check-fn-exception
test("a check that throws, rejects or hangs hides only its tool, with the reason", async () => {
  const { clock, log, add, build } = world();
  for (let n = 0; n < 9; n++) add({ name: `good_${n}` });
  add({
    name: "throws",
    available: () => {
      throw new Error("boom");
    },
  });
  add({ name: "rejects", available: () => Promise.reject(new Error("bang")) });
  add({ name: "hangs", available: () => new Promise<never>(() => undefined) });
  const names = [...Array.from({ length: 9 }, (_, n) => `good_${n}`), "throws", "rejects", "hangs"];
  const waiting = clock.nextSleep();
  const building = build(names);
  await waiting;
  await clock.advance(10_000);
  const { offers, hidden } = await building;
  assert.deepEqual(
    offers.map(({ name }) => name),
    names.slice(0, 9),
  );
  assert.deepEqual(hidden, [
    { name: "hangs", reason: "Its availability check gave no answer within 10 s." },
    { name: "rejects", reason: "Its availability check failed: bang" },
    { name: "throws", reason: "Its availability check failed: boom" },
  ]);
  assert.equal(log.lines.length, 2);
});

// req: registry.check-fn-cached
test("runs a check shared by several tools once per build", async () => {
  const { add, build } = world();
  let runs = 0;
  const available: AnyTool["available"] = async () => {
    runs++;
    return { ok: true };
  };
  for (const name of ["a", "b", "c"]) add({ name, available });
  await build(["a", "b", "c"]);
  assert.equal(runs, 1);
  await build(["a", "b", "c"]);
  assert.equal(runs, 2);
});

// req: registry.check-fn-excludes
test("a check runs again in the next build, and sees its plugin's variables and the surface", async () => {
  const { add, build, log } = world();
  let ready = false;
  const seen: unknown[] = [];
  add(
    {
      name: "tool",
      available: (probe) => (
        seen.push([probe.env("KEY"), probe.surface, probe.prompter]),
        ready ? { ok: true } : { ok: false, reason: "not yet" }
      ),
    },
    "mine",
  );
  assert.deepEqual((await build(["tool"])).offers, []);
  ready = true;
  assert.deepEqual((await build(["tool"], { surface: "telegram", prompter: false })).offers, [offer("tool")]);
  assert.deepEqual(
    [seen, log.lines],
    [
      [
        ["mine/KEY", "cli", true],
        ["mine/KEY", "telegram", false],
      ],
      [],
    ],
  );
});

test("leaves out a tool that needs the user if no user is connected", async () => {
  const { add, build } = world();
  add({ name: "ask", interactive: true });
  assert.deepEqual(await build(["ask"], { prompter: false }), {
    offers: [],
    hidden: [{ name: "ask", reason: "It needs a user to answer, but no one can be asked here." }],
  });
  assert.deepEqual(await build(["ask"]), { offers: [offer("ask")], hidden: [] });
});

// req: toolsets.patch-execute-code, toolsets.patch-browser-navigate
test("a dynamic description receives the names of the available tools", async () => {
  const { add, build } = world();
  add({
    name: "code",
    description: (offered) => `Calls ${["web", "read"].filter((name) => offered.has(name)).join(", ")}.`,
  });
  add({ name: "web" });
  add({ name: "read" });
  add({
    name: "odd",
    description: () => {
      throw new Error("no text");
    },
  });
  const described = async (names: readonly string[]) =>
    (await build(names)).offers.find(({ name }) => name === "code")?.description;
  assert.equal(await described(["code", "web", "read"]), "Calls web, read.");
  assert.equal(await described(["code", "read"]), "Calls read.");
  assert.deepEqual((await build(["odd"])).hidden, [{ name: "odd", reason: "no text" }]);
});

// req: registry.schema-verbatim
test("sends description, enum, default and required to the model as written, with sorted keys", async () => {
  const { add, build } = world();
  const input = {
    type: "object",
    required: ["b", "a"],
    properties: { b: { enum: ["z", "y"], default: "y", description: "B", type: "string" }, a: { type: "integer" } },
  };
  add({ name: "tool", input });
  const { offers } = await build(["tool"]);
  assert.deepEqual(offers[0]!.parameters, input);
  assert.equal(
    JSON.stringify(offers[0]!.parameters),
    '{"properties":{"a":{"type":"integer"},"b":{"default":"y","description":"B","enum":["z","y"],"type":"string"}},"required":["b","a"],"type":"object"}',
  );
});

test("hides a tool whose code cannot be loaded, with the reason", async () => {
  const { tools, build } = world();
  const { declaration } = entryOf({
    name: "gone",
    toolset: "t",
    description: "x",
    input: {},
    effect: "read",
    available: () => ({ ok: true }),
    execute: async () => null,
  });
  tools.add("gone", { declaration, load: () => Promise.reject(new Error('The plugin "p" could not be loaded.')) }, "p");
  assert.deepEqual(await build(["gone"]), {
    offers: [],
    hidden: [{ name: "gone", reason: 'The plugin "p" could not be loaded.' }],
  });
});
