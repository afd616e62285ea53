import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, register, run, setUp, tool } from "./plugins-fixture.ts";

// req: plugins.location, plugins.typescript-plugin, plugins.opt-in, plugins.enable-disable
test("a plugin put into the home waits, is enabled by name, runs after the next start, and is disabled again", async (t) => {
  const place = setUp(t, {
    "home/plugins/greet/plugin.yaml": manifest("greet", "provides_tools: [greet]\n"),
    "home/plugins/greet/index.ts": register(`const said: string = "x";\n${tool("greet", "hi")}`),
  });
  const first = await place.start();
  assert.equal(first.host.tools.get("greet"), undefined);
  assert.deepEqual(first.host.notices, [
    { level: "info", text: "A plugin waits to be enabled: greet", hint: "hermes plugins enable greet" },
  ]);
  assert.deepEqual(
    (await first.host.service.list()).map(({ key, state, reason }) => [key, state, reason]),
    [["greet", "not enabled", "not enabled in config (run `hermes plugins enable greet`)"]],
  );
  assert.deepEqual(place.loads(), []);
  const { listing, replaces } = await first.host.service.enable("greet");
  assert.deepEqual([listing.state, listing.registered.tools, replaces], ["enabled", ["greet"], []]);
  assert.equal(place.config(), "plugins:\n  enabled:\n    - greet\n");

  const second = await place.start();
  assert.deepEqual(
    second.host.tools.list().map(({ name, owner }) => [name, owner]),
    [["greet", "greet"]],
  );
  assert.deepEqual(await run(second.host, "greet"), { said: "hi" });
  await second.host.service.disable("greet");
  const third = await place.start();
  assert.equal(third.host.tools.get("greet"), undefined);
  assert.equal((await third.host.service.list())[0]?.reason, "disabled via config");
});

// req: plugins.register-once
test("a start offers everything from the cache, and the code is loaded once, on first use", async (t) => {
  const body = `${tool("greet", "hi")}\nctx.hook("post_tool_call", (p) => { globalThis.loads.push("hook"); });\nctx.command({ name: "wave", description: "Wave", run: (args) => "waving " + args });\nctx.cli({ name: "greet", description: "Greet", input: { type: "object", properties: {} }, run: () => 7 });`;
  const place = setUp(
    t,
    { "home/plugins/greet/plugin.yaml": manifest("greet"), "home/plugins/greet/index.ts": register(body) },
    "plugins:\n  enabled: [greet]\n",
  );
  await place.start();
  assert.deepEqual(place.loads(), ["greet"]);
  const { host } = await place.start();
  assert.deepEqual(place.loads(), ["greet"]);
  assert.deepEqual(host.tools.get("greet")?.declaration.description, "Says hi.");
  assert.deepEqual(host.hooks.list(), [{ name: "post_tool_call", owner: "greet" }]);
  assert.equal(await host.commands.get("wave")?.run("x  y", {} as never), "waving x  y");
  assert.deepEqual(place.loads(), ["greet", "greet"]);
  await Promise.all([run(host, "greet"), run(host, "greet"), host.hooks.observe("post_tool_call", {} as never)]);
  assert.equal(await host.cli.get("greet")?.run({} as never, {} as never), 7);
  assert.deepEqual(place.loads(), ["greet", "greet", "hook"]);
  assert.deepEqual(host.tools.list().length, 1);
});

test("a changed plugin is registered again, including its own modules", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/greet/plugin.yaml": manifest("greet"),
      "home/plugins/greet/words.ts": 'export const word = "one";\n',
      "home/plugins/greet/index.ts":
        'import { word } from "./words.ts";\n' +
        register(
          'ctx.tool({ name: word, toolset: "greet", description: "x", effect: "none", input: { type: "object" }, execute: async () => word });',
        ),
    },
    "plugins:\n  enabled: [greet]\n",
  );
  assert.deepEqual(
    (await place.start()).host.tools.list().map(({ name }) => name),
    ["one"],
  );
  place.write({ "home/plugins/greet/words.ts": 'export const word = "other";\n' });
  assert.deepEqual(
    (await place.start()).host.tools.list().map(({ name }) => name),
    ["other"],
  );
});

// row 44 of the fault matrix
// req: plugins.register-crash
test("a plugin whose register() throws leaves no registrations, and the other plugins run", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/bad/plugin.yaml": manifest("bad"),
      "home/plugins/bad/index.ts": register(
        `${tool("half", "x")}\nctx.hook("pre_tool_call", () => null);\nthrow new Error("no such luck");`,
      ),
      "home/plugins/good/plugin.yaml": manifest("good"),
      "home/plugins/good/index.js": register(tool("whole", "y")),
    },
    "plugins:\n  enabled: [bad, good]\n",
  );
  const { host, log } = await place.start();
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["whole"],
  );
  assert.equal(host.hooks.has("pre_tool_call"), false);
  assert.deepEqual(
    (await host.service.list()).map(({ key, state, reason }) => [key, state, reason]),
    [
      ["bad", "failed", "no such luck (index.ts:5:7)"],
      ["good", "enabled", undefined],
    ],
  );
  assert.deepEqual(
    host.notices.map(({ text }) => text),
    ['The plugin "bad" failed: no such luck (index.ts:5:7)'],
  );
  const line = log.lines.find(({ message }) => message.includes("no such luck"));
  assert.equal(line?.level, "warning");
  assert.match(String((line?.detail as { cause?: Error } | undefined)?.cause?.stack), /bad\/index\.ts:5/);
});

test("code that cannot be loaded on first use fails with one message, and its guard keeps refusing", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/guard/plugin.yaml": manifest("guard"),
      "home/plugins/guard/index.ts": register(
        `if (globalThis.broken) throw new Error("gone wrong");\n${tool("greet", "hi")}\nctx.hook("pre_tool_call", () => null);\nctx.hook("post_tool_call", () => null);`,
      ),
    },
    "plugins:\n  enabled: [guard]\n",
  );
  await place.start();
  const { host } = await place.start();
  (globalThis as { broken?: boolean }).broken = true;
  t.after(() => void delete (globalThis as { broken?: boolean }).broken);
  await assert.rejects(host.tools.get("greet")!.load(), /Cannot use the plugin "guard": gone wrong/);
  assert.equal(host.tools.get("greet"), undefined);
  assert.equal(host.hooks.has("post_tool_call"), false);
  const answer = await host.hooks.first("pre_tool_call", {} as never);
  assert.deepEqual(answer, {
    kind: "broken",
    owner: "guard",
    reason: 'Cannot use the plugin "guard": gone wrong (index.ts:3:30)',
  });
});

// req: plugins.entry-module-required, plugins.python-bridge-absent
test("each missing part of a plugin has its own message", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/empty/plugin.yaml": manifest("empty"),
      "home/plugins/mute/plugin.yaml": manifest("mute"),
      "home/plugins/mute/index.ts": "export const nothing = 1;\n",
      "home/plugins/snake/plugin.yaml": manifest("snake"),
      "home/plugins/snake/__init__.py": "",
      "home/plugins/odd/plugin.yaml": "name: [\n",
    },
    "plugins:\n  enabled: [empty, mute, snake]\n",
  );
  const { host } = await place.start();
  const reasons = new Map((await host.service.list()).map(({ key, state, reason }) => [key, `${state}: ${reason}`]));
  assert.match(reasons.get("empty") ?? "", /^failed: no entry module: .* has neither index\.ts nor/);
  assert.match(reasons.get("mute") ?? "", /^failed: no register\(\) function: .*mute\/index\.ts/);
  assert.match(reasons.get("snake") ?? "", /^failed: .*snake\/__init__\.py is Python/);
  assert.match(reasons.get("odd") ?? "", /^failed: .*odd\/plugin\.yaml:\d+:\d+: /);
});

// req: plugins.layout-flat-nested, plugins.debug-skip-reasons, plugins.debug-scanned
test("finds plugins one or two folders deep and skips deeper ones", async (t) => {
  const place = setUp(t, {
    "home/plugins/flat/plugin.yaml": manifest("flat"),
    "home/plugins/image_gen/mine/plugin.yml": manifest("my-imggen"),
    "home/plugins/a/b/c/plugin.yaml": manifest("deep"),
    "home/plugins/attic/plugin.yaml": manifest("notes"),
    "home/plugins/bare/index.js": "",
  });
  const { host, log } = await place.start();
  assert.deepEqual(
    (await host.service.list()).map(({ key, manifest: { name } }) => [key, name]),
    [
      ["flat", "flat"],
      ["image_gen/mine", "my-imggen"],
      ["notes", "notes"],
    ],
  );
  assert.equal((await host.service.info("attic")).key, "notes");
  const messages = log.lines.map(({ message }) => message);
  assert.ok(messages.some((message) => message.endsWith("a/b: no plugin.yaml, depth cap reached")));
  assert.ok(messages.some((message) => /^Scanned user plugins in .*: 3 manifests$/.test(message)));
  assert.ok(
    messages.some((message) =>
      /^Found image_gen\/mine: name my-imggen, kind standalone, source user, path .*image_gen\/mine$/.test(message),
    ),
  );
  await assert.rejects(host.service.enable("bare"), {
    message: `${join(place.path, "home/plugins/bare")} has no plugin.yaml, so it is not a plugin.`,
    hint: "Create one with the lines `name:` and `description:`.",
  });
  await assert.rejects(host.service.enable("a/b/c"), {
    message: `${join(place.path, "home/plugins/a/b/c")} is too deep to be found.`,
  });
  await assert.rejects(host.service.enable("image_gen/mien"), {
    message: 'There is no plugin "image_gen/mien".',
    hint: 'Did you mean "image_gen/mine"?',
  });
});

test("finds a plugin in a category that was enabled by hand, names a missing one, and uses the later of two with one name", async (t) => {
  const place = setUp(t, {
    "home/plugins/tools/one/plugin.yaml": manifest("one"),
    "home/plugins/tools/one/index.ts": register(tool("first", "x")),
  });
  await place.start();
  const config = "plugins:\n  enabled: [tools/two, ghost, same]\n";
  place.write({
    "home/config.yaml": config,
    "home/plugins/tools/two/plugin.yaml": manifest("two"),
    "home/plugins/tools/two/index.ts": register(tool("second", "x")),
  });
  const { host } = await place.start();
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["second"],
  );
  assert.ok(
    host.notices.some(({ text }) => text === 'plugins.enabled names "ghost", "same", but these plugins do not exist.'),
  );
  assert.equal(await host.service.disable("ghost"), undefined);
  assert.equal(place.config(), "plugins:\n  enabled: [tools/two, same]\n");
  for (const [folder, word] of [
    ["a", "older"],
    ["b", "newer"],
  ])
    place.write({
      [`home/plugins/${folder}/plugin.yaml`]: manifest("same"),
      [`home/plugins/${folder}/index.ts`]: register(tool(word!, "x")),
    });
  const again = await place.start();
  assert.deepEqual(
    again.host.tools.list().map(({ name }) => name),
    ["newer", "second"],
  );
  assert.deepEqual(
    (await again.host.service.list()).filter(({ key }) => key === "same").map(({ state }) => state),
    ["shadowed", "enabled"],
  );
});

// req: plugins.debug-load-summary
test("the log counts what a plugin registered", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/calc/plugin.yaml": manifest("calc"),
      "home/plugins/calc/index.ts": register(
        `${tool("a", "x")}\n${tool("b", "x")}\nctx.hook("post_tool_call", () => null);`,
      ),
    },
    "plugins:\n  enabled: [calc]\n",
  );
  const { log } = await place.start();
  const messages = log.lines.filter(({ name }) => name === "plugins").map(({ message }) => message);
  assert.ok(messages.includes("Loaded calc: 2 tools, 1 hooks, 0 slash commands, 0 CLI commands, 0 providers"));
  assert.ok(messages.some((message) => /^Importing calc from .*calc\/index\.ts$/.test(message)));
  // A later start logs the same without an import.
  const again = await place.start();
  assert.deepEqual(
    again.log.lines.map(({ message }) => message).filter((message) => /^(Importing|Loaded|Offered) calc/.test(message)),
    [
      "Offered calc from its snapshot, without importing it: 2 tools, 1 hooks, 0 slash commands, 0 CLI commands, 0 providers",
    ],
  );
});

// req: plugins.requires-env-gate
test("the weather example is off without its key and runs with it", async (t) => {
  const place = setUp(t, {}, "plugins:\n  enabled: [weather]\n");
  cpSync(join(import.meta.dirname, "../../../examples/plugins/weather"), join(place.path, "home/plugins/weather"), {
    recursive: true,
  });
  const without = await place.start();
  assert.equal(without.host.tools.get("weather"), undefined);
  assert.deepEqual(
    without.host.notices.map(({ text }) => text),
    ["Plugin weather disabled (missing: WEATHER_API_KEY)"],
  );
  assert.ok(
    without.log.lines.some(
      ({ level, message }) => level === "warning" && message === "Plugin weather disabled (missing: WEATHER_API_KEY)",
    ),
  );
  assert.equal((await without.host.service.list())[0]?.reason, "Plugin weather disabled (missing: WEATHER_API_KEY)");
  const { host } = await place.start({ WEATHER_API_KEY: "k" });
  assert.deepEqual(host.notices, []);
  assert.deepEqual(
    host.declaredEnv("weather").map(({ name }) => name),
    ["WEATHER_API_KEY", "WEATHER_BASE_URL", "WEATHER_API_KEY", "WEATHER_BASE_URL"],
  );
  const loaded = await host.tools.get("weather")!.load();
  await assert.rejects(loaded.execute({ location: "London" }, { env: () => undefined } as never), {
    message: "WEATHER_API_KEY not configured",
    name: "ToolFailure",
  });
});

// req: plugins.manifest-provides
test("reports a manifest that lists more than is registered, and keeps the plugin", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/greet/plugin.yaml": manifest("greet", "provides_tools: [greet, wave]\n"),
      "home/plugins/greet/index.ts": register(tool("greet", "hi")),
    },
    "plugins:\n  enabled: [greet]\n",
  );
  for (const { host } of [await place.start(), await place.start()]) {
    assert.deepEqual(
      host.notices.map(({ text }) => text),
      ['The manifest of the plugin "greet" lists the tool "wave", which it does not register.'],
    );
    assert.ok(host.tools.get("greet"));
  }
});

test("a plugin replaces a built-in tool only if the user agreed", async (t) => {
  const place = setUp(t, {
    "bundled/core/plugin.yaml": manifest("core"),
    "bundled/core/index.js": register(tool("greet", "ours")),
    "home/plugins/mine/plugin.yaml": manifest("mine"),
    "home/plugins/mine/index.ts": register(`${tool("greet", "mine")}\n${tool("wave", "mine")}`),
  });
  const first = await place.start();
  const asked = await first.host.service.enable("mine");
  assert.deepEqual(
    [asked.replaces, asked.waits, asked.listing.state],
    [[{ tool: "greet", owner: "core" }], true, "not enabled"],
  );
  assert.equal(place.config(), "");

  // Enabled by hand, without the consent: the rest of it runs.
  place.write({ "home/config.yaml": "plugins:\n  enabled: [mine]\n" });
  for (const { host } of [await place.start(), await place.start()]) {
    assert.deepEqual(await run(host, "greet"), { said: "ours" });
    assert.deepEqual(await run(host, "wave"), { said: "mine" });
  }
  const agreed = await (await place.start()).host.service.enable("mine", { allowReplace: ["greet"] });
  assert.deepEqual([agreed.waits, agreed.listing.state], [false, "enabled"]);
  assert.match(place.config(), /allow_tool_override:\s+- greet\n/);
  assert.deepEqual((await (await place.start()).host.service.enable("mine")).replaces, []);
  const { host } = await place.start();
  assert.deepEqual(await run(host, "greet"), { said: "mine" });
  await host.unload("mine");
  assert.deepEqual(await run(host, "greet"), { said: "ours" });
});

// req: registry.collision
test("enabling a plugin reports tools that another plugin also provides, with the owner", async (t) => {
  const place = setUp(t, {
    "home/plugins/one/plugin.yaml": manifest("one"),
    "home/plugins/one/index.ts": register(`${tool("greet", "one")}\n${tool("wave", "one")}`),
    "home/plugins/two/plugin.yaml": manifest("two"),
    "home/plugins/two/index.ts": register(tool("greet", "two")),
  });
  assert.deepEqual((await (await place.start()).host.service.enable("one")).shared, []);
  assert.deepEqual((await (await place.start()).host.service.enable("two")).shared, [{ tool: "greet", owner: "one" }]);
  assert.deepEqual(await run((await place.start()).host, "greet"), { said: "two" });
});

// req: plugins.enable-disable
test("a bundled plugin runs unless disabled, and a user's plugin of the same key replaces it", async (t) => {
  const place = setUp(t, {
    "bundled/core/plugin.yaml": manifest("core"),
    "bundled/core/index.js": register(tool("greet", "ours")),
    "home/plugins/core/plugin.yaml": manifest("core"),
    "home/plugins/core/index.ts": register(tool("salute", "mine")),
  });
  assert.deepEqual(
    (await place.start()).host.tools.list().map(({ name }) => name),
    ["greet"],
  );
  place.write({ "home/config.yaml": "plugins:\n  enabled: [core]\n" });
  const { host } = await place.start();
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["salute"],
  );
  assert.deepEqual(
    (await host.service.list()).map(({ source, state }) => [source, state]),
    [
      ["bundled", "shadowed"],
      ["user", "enabled"],
    ],
  );
  place.write({ "home/config.yaml": "plugins:\n  disabled: [core]\n" });
  assert.deepEqual((await place.start()).host.tools.list(), []);
});

// req: plugins.register-tool, plugins.register-hook, plugins.register-command, plugins.command-conflict, plugins.dispatch-tool, plugins.register-tool-default-toolset
test("the original's spelling works: tools, hooks, commands and dispatch", async (t) => {
  const body = `
ctx.register_tool({ name: "add", schema: { name: "add", description: "Adds.", parameters: { type: "object", properties: { a: { type: "number" } } } }, handler: (args) => JSON.stringify({ sum: args.a + 1 }), check_fn: () => false, requires_env: ["ADD_KEY"] });
ctx.register_hook("on_session_start", (info) => { globalThis.loads.push(info.session_id); });
ctx.register_command("/My Status", async (args) => "status: " + args, "Shows the status", "[x]");
ctx.register_command("help", () => "mine");
ctx.register_command("ask", () => ctx.dispatch_tool("read_file", { path: "x" }));`;
  const place = setUp(
    t,
    {
      "home/plugins/seeds/plugin.yaml": manifest("seeds"),
      "home/plugins/seeds/index.ts": `export function register(ctx) {\nglobalThis.loads ??= [];${body}\n}\n`,
    },
    "plugins:\n  enabled: [seeds]\n",
  );
  for (const { host, calls, log } of [await place.start(), await place.start()]) {
    const declaration = host.tools.get("add")?.declaration;
    assert.deepEqual(
      [declaration?.toolset, declaration?.conditional, declaration?.env],
      ["seeds", true, [{ name: "ADD_KEY" }]],
    );
    const add = await host.tools.get("add")!.load();
    assert.equal(await add.execute({ a: 1 }, { log } as never), '{"sum":2}');
    await host.hooks.observe("on_session_start", { session_id: "s1" } as never);
    assert.equal(place.loads().at(-1), "s1");
    assert.equal(await host.commands.get("my-status")?.run("a  b", {} as never), "status: a  b");
    assert.equal(host.commands.get("my-status")?.argsHint, "[x]");
    assert.equal(host.commands.get("help"), undefined);
    assert.ok(log.lines.some(({ level, message }) => level === "warning" && message.includes('"/help" is built in')));
    assert.equal(await host.commands.get("ask")?.run("", {} as never), '{"got":1}');
    assert.deepEqual(calls, [["seeds", "read_file", { path: "x" }]]);
  }
});

// req: plugins.dispatch-stable
test("a plugin sees the public entry point and nothing behind it", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/look/plugin.yaml": manifest(
        "look",
        "optional_env: [LOOK_VAR]\nconfig:\n  schema: { type: object, properties: { depth: { type: integer, default: 2 } } }\n",
      ),
      "home/plugins/look/index.ts":
        "export default (ctx) => { globalThis.loads = [Object.keys(ctx).sort(), ctx.config, ctx.env('LOOK_VAR'), ctx.env('OTHER'), Object.isFrozen(ctx)]; };\n",
    },
    "plugins:\n  enabled: [look]\n  entries:\n    look:\n      depth: 3\n",
  );
  const { log } = await place.start({ LOOK_VAR: "seen", OTHER: "hidden" });
  assert.deepEqual(place.loads(), [
    [
      "browserReturn",
      "call",
      "changeFile",
      "chats",
      "cli",
      "command",
      "config",
      "dir",
      "dispatch_tool",
      "doctor",
      "env",
      "fetch",
      "home",
      "hook",
      "id",
      "inject_message",
      "jobs",
      "llm",
      "log",
      "middleware",
      "onUnload",
      "package",
      "provide",
      "proxy",
      "redact",
      "register_browser_provider",
      "register_cli_command",
      "register_command",
      "register_context_engine",
      "register_hook",
      "register_image_gen_provider",
      "register_memory_provider",
      "register_platform",
      "register_provider",
      "register_skill",
      "register_tool",
      "register_transcription_provider",
      "register_tts_provider",
      "register_video_gen_provider",
      "register_web_search_provider",
      "registering",
      "saveConfig",
      "secrets",
      "sessions",
      "setting",
      "signal",
      "skill",
      "skills",
      "socket",
      "storage",
      "tool",
      "tools",
      "toolset",
      "use",
      "version",
    ],
    { depth: 3 },
    "seen",
    undefined,
    true,
  ]);
  assert.ok(
    log.lines.some(
      ({ message }) => message === 'The plugin "look" read the variable OTHER, which it does not declare.',
    ),
  );
});

test("unloading aborts the plugin's signal, takes everything back and cleans up, last first", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/long/plugin.yaml": manifest("long"),
      "home/plugins/long/index.ts": `export default (ctx) => { globalThis.loads = []; ${tool("greet", "hi")} ctx.hook("post_tool_call", () => null); ctx.middleware("tool_execution", (input, next) => next()); ctx.signal.addEventListener("abort", () => globalThis.loads.push("aborted")); ctx.onUnload(() => { globalThis.loads.push("first"); }); ctx.onUnload(async () => { globalThis.loads.push("second"); throw new Error("x"); }); };\n`,
    },
    "plugins:\n  enabled: [long]\n",
  );
  const { host } = await place.start();
  assert.equal(host.middlewares.has("tool_execution"), true);
  assert.equal(await host.unload("long"), true);
  assert.deepEqual(place.loads(), ["aborted", "second", "first"]);
  assert.deepEqual([host.tools.list(), host.hooks.list(), host.middlewares.list()], [[], [], []]);
  assert.equal(await host.unload("long"), false);
});

test("providers are listed from their data and loaded on first use", async (t) => {
  const provider =
    'ctx.provide("model", { id: "mine", label: "Mine", aliases: ["my-own"], keyEnv: ["MINE_KEY"], connect: () => ({}) });';
  const place = setUp(
    t,
    { "home/plugins/model/plugin.yaml": manifest("model"), "home/plugins/model/index.ts": register(provider) },
    "plugins:\n  enabled: [model]\n",
  );
  await place.start();
  const { host } = await place.start();
  assert.deepEqual(
    host.slots.list("model").map(({ id, label, owner, data }) => ({ id, label, owner, data })),
    [{ id: "mine", label: "Mine", owner: "model", data: { aliases: ["my-own"], keyEnv: ["MINE_KEY"] } }],
  );
  assert.equal(place.loads().length, 1);
  assert.equal((await host.slots.use("model", "My-Own")).id, "mine");
  assert.equal(place.loads().length, 2);
  await assert.rejects(host.slots.use("model", "other"), {
    message: 'There is no model provider "other".',
    hint: "Available: mine.",
  });
  await assert.rejects(host.slots.use("terminal"), { message: "No terminal provider is selected." });
});

test("a plugin's command that is built in, or is not one word, is reported and not registered, and its others are", async (t) => {
  const body = ["chat", "two words", "<x>", "-v", "dice"]
    .map(
      (name) =>
        `ctx.cli({ name: "${name}", description: "d", input: { type: "object", properties: {} }, run: () => 0 });`,
    )
    .join("\n");
  const place = setUp(
    t,
    { "home/plugins/dice/plugin.yaml": manifest("dice"), "home/plugins/dice/index.js": register(body) },
    "plugins:\n  enabled: [dice]\n",
  );
  for (const start of ["its first", "from what is known"]) {
    const { host, log } = await place.start();
    assert.deepEqual(
      host.cli.list().map(({ name }) => name),
      ["dice"],
      start,
    );
    const output = log.lines
      .filter(({ level }) => level === "warning")
      .map(({ message }) => message)
      .sort();
    assert.deepEqual(
      output,
      [
        ...["-v", "<x>", "two words"].map(
          (word) => `One registration of the plugin "dice" is left out: A command must be one word, not "${word}".`,
        ),
        'The command "hermes chat" is built in, so the one of the plugin "dice" is not registered.',
      ],
      start,
    );
  }
});
