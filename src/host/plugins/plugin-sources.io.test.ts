import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, register, run, setUp, tool, type Files } from "./plugins-fixture.ts";

const folder = (place: string, name: string, toolName: string, more = ""): Files => ({
  [`${place}/plugin.yaml`]: manifest(name, more),
  [`${place}/index.js`]: register(tool(toolName, place)),
});

// req: plugins.project-source, R-34
test("a project's plugin is not listed unless enabled, runs only with trusted content, and any change asks again", async (t) => {
  const place = setUp(t, folder("project/.hermes/plugins/lint", "lint", "lint_it"), "plugins:\n  enabled: [lint]\n");
  const projectDir = join(place.path, "project/.hermes/plugins");
  assert.deepEqual(await (await place.start()).host.service.list(), []);

  const first = await place.start({}, { projectDir });
  assert.deepEqual(
    (await first.host.service.list()).map(({ key, source, state }) => [key, source, state]),
    [["lint", "project", "not enabled"]],
  );
  assert.match((await first.host.service.list())[0]?.reason ?? "", /you have not trusted yet/);
  assert.equal(first.host.tools.get("lint_it"), undefined);
  assert.deepEqual(place.loads(), []);

  assert.equal((await first.host.service.enable("lint")).listing.state, "enabled");
  const second = await place.start({}, { projectDir });
  assert.deepEqual(await run(second.host, "lint_it"), { said: "project/.hermes/plugins/lint" });

  place.write({ "project/.hermes/plugins/lint/deep/down/in/data.bin": "x" });
  const third = await place.start({}, { projectDir });
  assert.equal(third.host.tools.get("lint_it"), undefined);
  assert.match((await third.host.service.list())[0]?.reason ?? "", /its files changed since you trusted it/);
  assert.ok(third.host.notices.some(({ text }) => /"lint" is not running: its files changed/.test(text)));

  await third.host.service.enable("lint");
  assert.equal((await place.start({}, { projectDir })).host.tools.list().length, 1);
  await third.host.service.disable("lint");
  assert.match((await third.host.service.list())[0]?.reason ?? "", /you have not trusted yet/);
});

test("asking for a project's plugin by name while they are disabled shows how to enable them", async (t) => {
  const place = setUp(t, {
    "project/.hermes/plugins/mine/plugin.yaml": manifest("mine"),
    "project/.hermes/plugins/mine/index.js": register(tool("one", "x")),
  });
  const { host } = await place.start({}, { unread: join(place.path, "project/.hermes/plugins") });
  await assert.rejects(host.service.enable("mine"), (error: Error & { hint?: string }) => {
    assert.equal(error.message, '"mine" is a plugin of this project, and project plugins are disabled.');
    assert.match(error.hint ?? "", /^Set HERMES_ENABLE_PROJECT_PLUGINS=1 /);
    return true;
  });
  await assert.rejects(host.service.enable("other"), { message: 'There is no plugin "other".' });
});

// req: R-34
test("a trusted project's plugin whose file changes after the start is refused when it loads", async (t) => {
  const place = setUp(t, folder("project/.hermes/plugins/lint", "lint", "lint_it"));
  const projectDir = join(place.path, "project/.hermes/plugins");
  await (await place.start({}, { projectDir })).host.service.enable("lint");
  const { host } = await place.start({}, { projectDir });
  const loads = place.loads().length;
  place.write({ "project/.hermes/plugins/lint/index.js": register("globalThis.stolen = true;") });
  await assert.rejects(
    host.tools.get("lint_it")!.load(),
    /Cannot use the plugin "lint": its files changed since you trusted it/,
  );
  assert.equal(place.loads().length, loads);
});

// req: plugins.sources, plugins.debug-scanned
test("plugins come from five sources, each is listed with its own, and the debug log counts each folder", async (t) => {
  const place = setUp(t, {
    ...folder("bundled/ours", "ours", "a"),
    ...folder("home/plugins/mine", "mine", "b"),
    ...folder("project/.hermes/plugins/theirs", "theirs", "c"),
    "modules/hermes-plugin-dice/package.json": JSON.stringify({
      name: "hermes-plugin-dice",
      version: "2.1.0",
      description: "Rolls dice.",
      keywords: ["hermes-plugin"],
      hermes: { plugin: "./lib/main.js" },
    }),
    "modules/hermes-plugin-dice/lib/main.js": register(tool("roll", "six")),
    "modules/@me/cards/package.json": JSON.stringify({
      name: "@me/cards",
      version: "1.0.0",
      hermes: { plugin: { name: "cards", entry: "cards.js", provides_tools: ["draw"] } },
    }),
    "modules/@me/cards/cards.js": register(tool("draw", "ace")),
    "modules/left-pad/package.json": JSON.stringify({ name: "left-pad", version: "1.0.0" }),
    "env/lib/python3.11/site-packages/snake-1.0.dist-info/entry_points.txt":
      "[console_scripts]\nx = y:z\n\n[hermes_agent.plugins]\nmy-plugin = my_plugin_package\nother = my_plugin_package.sub:register\n",
    "env/lib/python3.11/site-packages/snake-1.0.dist-info/METADATA":
      "Metadata-Version: 2.1\nName: snake\nVersion: 1.0\nSummary: A snake.\n\nLong text: yes\n",
    "env/lib/python3.11/site-packages/my_plugin_package/__init__.py": "def register(ctx): pass\n",
  });
  // A Python that prints its package folders.
  const bin = join(place.path, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "python3"), `#!/bin/sh\necho '["${place.path}/env/lib/python3.11/site-packages"]'\n`);
  chmodSync(join(bin, "python3"), 0o755);
  const { host, log } = await place.start(
    {},
    { projectDir: join(place.path, "project/.hermes/plugins"), modulesDir: join(place.path, "modules"), path: bin },
  );
  assert.deepEqual(
    (await host.service.list()).map(({ key, source, manifest: { version, description } }) => [
      key,
      source,
      version,
      description,
    ]),
    [
      ["cards", "npm", "1.0.0", ""],
      ["hermes-plugin-dice", "npm", "2.1.0", "Rolls dice."],
      ["mine", "user", "1.0.0", "A plugin"],
      ["my-plugin", "python", "1.0", "A snake."],
      ["other", "python", "1.0", "A snake."],
      ["ours", "bundled", "1.0.0", "A plugin"],
      ["theirs", "project", "1.0.0", "A plugin"],
    ],
  );
  const output = log.lines
    .filter(({ level }) => level === "debug")
    .map(({ message }) => message.replaceAll(place.path, "~"));
  for (const line of [
    "Scanned bundled plugins in ~/bundled: 1 manifest",
    "Scanned user plugins in ~/home/plugins: 1 manifest",
    "Scanned project plugins in ~/project/.hermes/plugins: 1 manifest",
    "Scanned npm packages in ~/modules: 2 manifests",
    "Scanned entry-points (hermes_agent.plugins) in ~/env/lib/python3.11/site-packages: 2 manifests",
    "Found theirs: name theirs, kind standalone, source project, path ~/project/.hermes/plugins/theirs",
  ])
    assert.ok(output.includes(line), line);
});

// req: plugins.sources
test("recognises a provider without a manifest by its code, and reports other folders without a manifest", async (t) => {
  const place = setUp(t, {
    "home/plugins/shim/__init__.py": "def register(ctx):\n    ctx.register_memory_provider(None)\n",
    "home/plugins/memory/attic/__init__.py":
      "from agent.memory_provider import MemoryProvider\nclass Attic(MemoryProvider):\n    pass\n",
    "home/plugins/model-providers/acme/__init__.py":
      "from providers import register_provider\nfrom providers.base import ProviderProfile\nregister_provider(ProviderProfile(name='acme'))\n",
    "home/plugins/context_engine/window/__init__.py":
      "from agent.context_engine import ContextEngine\nclass Window(ContextEngine):\n    pass\ndef register(ctx):\n    ctx.register_context_engine(Window())\n",
    "home/plugins/notes/__init__.py": "def register(ctx):\n    pass\n",
    "home/plugins/games/dice/index.ts": "export function register(ctx) {}\n",
    "home/plugins/shared/__init__.py": "WORDS = 1\n",
  });
  const list = async (config: string) => {
    place.write({ "home/config.yaml": config });
    return (await place.start()).host.service.list();
  };
  const states = async (config: string) =>
    (await list(config))
      .filter(({ state }) => state !== "failed" || config !== "")
      .flatMap(({ key, manifest: { kind }, state }) => (/notes|dice|window/.test(key) ? [] : [[key, kind, state]]));
  const listed = (shim: string, attic: string) => [
    ["memory/attic", "exclusive", attic],
    ["model-providers/acme", "model-provider", "not enabled"],
    ["shim", "exclusive", shim],
  ];
  const all = await list("");
  assert.deepEqual(
    all.filter(({ state }) => state === "failed").map(({ key, reason }) => [key, reason]),
    ["games/dice", "notes"].map((key) => [
      key,
      `there is no plugin.yaml in ${join(place.path, "home/plugins", key)}; create one with the lines \`name:\` and \`description:\``,
    ]),
  );
  assert.deepEqual(
    all.filter(({ key }) => key === "context_engine/window").map(({ manifest: { kind }, state }) => [kind, state]),
    [["exclusive", "not enabled"]],
  );
  assert.notEqual(
    (await list("context:\n  engine: window\n")).find(({ key }) => key === "context_engine/window")?.state,
    "not enabled",
  );
  assert.deepEqual(await states(""), listed("not enabled", "not enabled"));
  const [[, , attic] = [], , [, , shim] = []] = await states("memory:\n  provider: shim\n");
  assert.deepEqual([attic, shim === "not enabled"], ["not enabled", false]);
});

test("an npm package runs once it is enabled, with the entry module of its package.json", async (t) => {
  const place = setUp(t, {
    "modules/hermes-plugin-dice/package.json": JSON.stringify({
      name: "hermes-plugin-dice",
      version: "2.1.0",
      type: "module",
      hermes: { plugin: "./lib/main.js" },
    }),
    "modules/hermes-plugin-dice/lib/main.js": register(tool("roll", "six")),
  });
  const more = { modulesDir: join(place.path, "modules") };
  const first = await place.start({}, more);
  assert.deepEqual((await first.host.service.enable("hermes-plugin-dice")).listing.registered.tools, ["roll"]);
  assert.deepEqual(await run((await place.start({}, more)).host, "roll"), { said: "six" });
  place.write({ "modules/hermes-plugin-dice/lib/main.js": register(tool("roll_two", "twelve")) });
  assert.deepEqual(
    (await place.start({}, more)).host.tools.list().map(({ name }) => name),
    ["roll_two"],
  );
});

test("an npm package names its plugins as a Python package does, each with its module; a manifest beside it names the requirements", async (t) => {
  const place = setUp(t, {
    "modules/games/package.json": JSON.stringify({
      name: "games",
      version: "2.1.0",
      type: "module",
      description: "Games.",
      "hermes_agent.plugins": {
        dice: "./dice/index.js",
        cards: "./cards.js",
        away: "../../home/secret.js",
        gone: "./gone.js",
        odd: 7,
      },
    }),
    "modules/games/dice/index.js": register(tool("roll", "six")),
    "modules/games/dice/plugin.yaml": "name: someone-dice\nrequires_env: [DICE_SIDES]\n",
    "modules/games/cards.js": register(tool("draw", "ace")),
    "modules/listed/package.json": JSON.stringify({ name: "listed", "hermes_agent.plugins": ["./a.js"] }),
  });
  const more = { modulesDir: join(place.path, "modules") };
  const { host } = await place.start({ DICE_SIDES: "6" }, more);
  assert.deepEqual(
    (await host.service.list()).map(
      ({ key, source, state, reason, manifest: { version, description, requires_env } }) => [
        key,
        source,
        state,
        reason?.replace(/^.*package\.json: | \(run .*/g, ""),
        version,
        description,
        requires_env.map(({ name }) => name),
      ],
    ),
    [
      ["away", "npm", "failed", "the plugin path leads out of the package: ../../home/secret.js", "", "", []],
      ["cards", "npm", "not enabled", "not enabled in config", "2.1.0", "Games.", []],
      ["dice", "npm", "not enabled", "not enabled in config", "2.1.0", "Games.", ["DICE_SIDES"]],
      ["gone", "npm", "failed", '"hermes_agent.plugins" names ./gone.js for "gone", which does not exist.', "", "", []],
      ["listed", "npm", "failed", '"hermes_agent.plugins" must be a map from names to modules.', "", "", []],
      ["odd", "npm", "failed", '"hermes_agent.plugins" names no module for "odd".', "", "", []],
    ],
  );
  for (const key of ["dice", "cards"]) await host.service.enable(key);
  const next = (await place.start({ DICE_SIDES: "6" }, more)).host;
  assert.deepEqual([await run(next, "roll"), await run(next, "draw")], [{ said: "six" }, { said: "ace" }]);
});

test("a package whose plugin leads out of it, or is unreadable, is listed with the reason", async (t) => {
  const place = setUp(t, {
    "modules/out/package.json": JSON.stringify({ name: "out", hermes: { plugin: "../../home/secret.js" } }),
    "modules/odd/package.json": JSON.stringify({ name: "odd", hermes: { plugin: 7 } }),
    "modules/bad/package.json": JSON.stringify({ name: "bad", hermes: { plugin: { grants: "x" } } }),
  });
  const { host } = await place.start({}, { modulesDir: join(place.path, "modules") });
  const reasons = Object.fromEntries(
    (await host.service.list()).map(({ key, reason }) => [key, reason?.replace(/^.*package\.json: /, "")]),
  );
  assert.deepEqual(reasons, {
    out: "the plugin path leads out of the package: ../../home/secret.js",
    odd: '"hermes.plugin" must be a path, true, or a manifest.',
    bad: 'hermes.plugin.grants: "grants" must be a map of read, write, hosts, tools.',
  });
});

test("of several plugins with one key the one closest to the user runs, and the listing shows which replaced which", async (t) => {
  const place = setUp(
    t,
    {
      ...folder("bundled/same", "same", "of_bundled"),
      "modules/same/package.json": JSON.stringify({ name: "same", type: "module", hermes: { plugin: "." } }),
      "modules/same/index.js": register(tool("of_npm", "x")),
      ...folder("home/plugins/same", "same", "of_home"),
      ...folder("project/.hermes/plugins/same", "same", "of_project"),
    },
    "plugins:\n  enabled: [same]\n",
  );
  const more = { projectDir: join(place.path, "project/.hermes/plugins"), modulesDir: join(place.path, "modules") };
  const { host } = await place.start({}, more);
  await host.service.list();
  const again = await place.start({}, more);
  assert.deepEqual(
    again.host.tools.list().map(({ name }) => name),
    ["of_home"],
  );
  const states = (await again.host.service.list()).map(({ source, state }) => [source, state]);
  assert.deepEqual(states, [
    ["bundled", "shadowed"],
    ["npm", "shadowed"],
    ["user", "enabled"],
    ["project", "not enabled"],
  ]);
  assert.match(
    (await again.host.service.list())[0]?.reason ?? "",
    /home\/plugins\/same has the same name and comes later \(order: bundled, Python packages, npm packages, the home's plugins, the project's\)/,
  );
  await again.host.service.enable("same");
  assert.deepEqual(
    (await place.start({}, more)).host.tools.list().map(({ name }) => name),
    ["of_project"],
  );
});

// req: plugins.kind-exclusive, plugins.kind
test("a memory provider without kind is exclusive, a tool makes it ordinary, and a platform without kind gets a hint with the missing line", async (t) => {
  const place = setUp(t, {
    "home/plugins/recall/plugin.yaml": "name: recall\n",
    "home/plugins/recall/__init__.py": "def register(ctx):\n    ctx.register_memory_provider(Recall())\n",
    "home/plugins/both/plugin.yaml": "name: both\n",
    "home/plugins/both/__init__.py":
      "def register(ctx):\n    ctx.register_memory_provider(Recall())\n    ctx.register_tool(name='x')\n",
    "home/plugins/line/plugin.yaml": "name: line\n",
    "home/plugins/line/__init__.py": "def register(ctx):\n    ctx.register_platform(name='line')\n",
  });
  const listed = await (await place.start()).host.service.list();
  assert.deepEqual(
    listed.map(({ key, manifest: { kind } }) => [key, kind]),
    [
      ["both", "standalone"],
      ["line", "standalone"],
      ["recall", "exclusive"],
    ],
  );
  assert.match(listed[2]?.reason ?? "", /^exclusive plugin/);
  assert.match(listed[1]?.reason ?? "", /lacks the line `kind: platform`/);
});

// row 48 of the fault matrix
test("an unreadable plugin lock file disables the plugins it covers, and the agent starts", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins.lock.json": "{ torn",
      ...folder("home/plugins/mine", "mine", "b"),
      ...folder("bundled/ours", "ours", "a"),
    },
    "plugins:\n  enabled: [mine]\n",
  );
  const { host } = await place.start();
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["a"],
  );
  assert.match((await host.service.list())[0]?.reason ?? "", /Cannot read \S*plugins\.lock\.json/);
});

test("a setting that names a context engine of a plugin that never ran reports which plugin waits", async (t) => {
  const place = setUp(
    t,
    {
      "home/plugins/context_engine/brief/plugin.yaml": manifest("brief"),
      "home/plugins/context_engine/brief/index.js": register(
        'ctx.register_context_engine({ name: "brief", should_compress: () => false, compress: (messages) => messages });',
      ),
    },
    "context:\n  engine: brief\n",
  );
  const { host } = await place.start();
  assert.deepEqual(
    host.slots.misnamed(() => ({ source: "file" })).map(({ hint }) => hint),
    [
      'The plugin "context_engine/brief" is not running: not enabled in config (run `hermes plugins enable context_engine/brief`)',
    ],
  );
});
