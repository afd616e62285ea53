import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

/** A typical plugin written from the guides: tools, a command, a hook and a data file. */
const GREENHOUSE = `import { readFileSync } from "node:fs";
import { join } from "node:path";
export default function register(ctx) {
  const plants = JSON.parse(readFileSync(join(ctx.dir, "data", "plants.json"), "utf8"));
  ctx.register_tool({ name: "list_plants", toolset: "greenhouse", schema: { name: "list_plants", description: "Lists the plants.", parameters: { type: "object", properties: {} } }, handler: async () => JSON.stringify({ plants }) });
  ctx.register_tool({ name: "odd_object", toolset: "greenhouse", schema: { name: "odd_object", description: "Returns an object.", parameters: { type: "object", properties: {} } }, handler: () => ({ plants }) });
  ctx.register_tool({ name: "odd_throw", toolset: "greenhouse", schema: { name: "odd_throw", description: "Throws.", parameters: { type: "object", properties: {} } }, handler: () => { throw new Error("the hose burst"); } });
  ctx.register_hook("post_tool_call", ({ tool_name }) => { ctx.log.info("watered after " + tool_name); });
  ctx.register_command("water", async (args) => { await null; return "Watering " + (args || "everything") + "."; }, "Waters plants", "[plant]");
  ctx.register_command("relay", async (args) => ctx.dispatch_tool("terminal", { command: args }), "Runs a command");
  ctx.cli({ name: "greenhouse", description: "about the greenhouse", input: { type: "object", properties: { loud: { type: "boolean", description: "in capitals" } } }, run: (input, io) => io.out(input.loud ? "GREEN\\n" : "green\\n") });
}
`;

function gardener(): NewUser {
  const user = new NewUser();
  user.write(
    "~/.hermes/plugins/greenhouse/plugin.yaml",
    "name: greenhouse\nversion: 1.2.0\ndescription: Plants.\nprovides_tools: [list_plants, odd_object, odd_throw]\nprovides_hooks: [post_tool_call]\n",
  );
  user.write("~/.hermes/plugins/greenhouse/index.js", GREENHOUSE);
  user.write("~/.hermes/plugins/greenhouse/data/plants.json", '["fern", "moss"]');
  return user;
}

// req: cli.plugins-list, plugins.data-files, plugins.plugin-toolset
test("a plugin's folder is listed, enabled, and its toolset appears beside the built-in ones", async () => {
  using user = gardener();
  assert.match((await user.run(["plugins", "list"])).out, /greenhouse\s.*not enabled/);
  assert.equal((await user.run(["plugins", "enable", "greenhouse"])).status, 0);
  const listed =
    (await user.run(["plugins", "list"])).out.split("\n").find((line) => line.includes("greenhouse")) ?? "";
  for (const part of ["1.2.0", "enabled", "user"]) assert.ok(listed.includes(part), `${part}: ${listed}`);

  assert.match((await user.run(["tools", "list"])).out, /list_plants +greenhouse[\s\S]*read_file +file/);
  assert.deepEqual(JSON.parse((await user.run(["tools", "call", "list_plants", "{}"])).out), {
    plants: ["fern", "moss"],
  });
  assert.match((await user.run(["tools", "call", "odd_object", "{}"])).out, /fern/);
  const thrown = await user.run(["tools", "call", "odd_throw", "{}"]);
  assert.match(thrown.out + thrown.err, /the hose burst/);

  assert.equal((await user.run(["tools", "disable", "greenhouse"])).status, 0);
  const without = await user.run(["chat", "-q", "call list_plants with {}"]);
  assert.doesNotMatch(without.out, /fern/);
  assert.equal((await user.run(["tools", "enable", "greenhouse"])).status, 0);
  assert.match((await user.run(["chat", "-q", "call list_plants with {}"])).out, /fern/);
});

test("a plugin's folder may be a link into a store with constant timestamps, and a new version there is noticed", async () => {
  using user = new NewUser();
  const link = join(user.agentHome, "plugins/greenhouse");
  mkdirSync(join(user.agentHome, "plugins"), { recursive: true });
  user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [greenhouse]\n");
  const linked = (version: string, tool: string): void => {
    const files = [
      "name: greenhouse\nversion: 1.0.0\n",
      `export const register = (ctx) => ctx.register_tool({ name: "${tool}", schema: { description: "Lists.", parameters: { type: "object", properties: {} } }, handler: () => "{}" });\n`,
    ];
    for (const [at, text] of files.entries())
      utimesSync(user.write(`store/${version}/${at === 0 ? "plugin.yaml" : "index.mjs"}`, text), 1, 1);
    rmSync(link, { force: true });
    symlinkSync(join(user.folder, "store", version), link);
  };
  const offered = async (): Promise<readonly string[]> =>
    [...(await user.run(["tools", "list"])).out.matchAll(/\bplants_\w/g)].map(([name]) => name);
  linked("one", "plants_a");
  assert.deepEqual(await offered(), ["plants_a"]);
  linked("two", "plants_b");
  assert.deepEqual(await offered(), ["plants_b"]);
});

// req: plugins.specialised-types
test("an example of each specialised type is found in its category's folder, and listed with its kind and what it provides", async () => {
  using user = new NewUser({ LOOPBACK_CHAT_PORT: "1" });
  const types = [
    ["context_engine/window", "window-engine", "standalone", "context/window"],
    ["image_gen/swatch", "swatch-images", "backend", "image_gen/swatches"],
    ["memory/notes", "notes-memory", "exclusive", "memory/notes-memory"],
    ["model-providers/acme", "acme-provider", "model-provider", "model_profile/acme"],
    ["platforms/loopback", "loopback-chat", "platform", "platform/loopback-chat"],
  ] as const;
  for (const [key, example] of types)
    cpSync(join(import.meta.dirname, "../../../examples/plugins", example), join(user.agentHome, "plugins", key), {
      recursive: true,
    });
  const listed = async () =>
    (
      JSON.parse((await user.run(["plugins", "list", "--json"])).out) as readonly {
        readonly name: string;
        readonly kind: string;
        readonly source: string;
        readonly registered: { readonly providers: readonly string[] };
      }[]
    ).filter(({ source }) => source === "user");
  assert.deepEqual(
    (await listed()).map(({ name, kind }) => [name, kind]),
    types.map(([key, , kind]) => [key, kind]),
  );
  const exclusive = await user.run(["plugins", "enable", "memory/notes"]);
  assert.deepEqual(
    [exclusive.status, exclusive.out],
    [0, "✓ memory/notes is available. Choose it with: hermes memory setup notes-memory\n"],
    exclusive.err,
  );
  assert.equal((await user.run(["memory", "setup", "notes-memory"])).status, 0);
  for (const [key, , kind] of types)
    if (kind !== "exclusive") assert.equal((await user.run(["plugins", "enable", key])).status, 0, key);
  assert.deepEqual(
    (await listed()).map(({ name, registered }) => [name, ...registered.providers]),
    types.map(([key, , , provider]) => [key, provider]),
  );
});

// req: plugins.handler-not-json
test("three plugins with invalid handlers break no turn: each call returns JSON, and the log names plugin and rule", async () => {
  using user = new NewUser();
  const schema = (name: string): string =>
    `{ name: "${name}", description: "Odd.", parameters: { type: "object", properties: {} } }`;
  const faulty: readonly (readonly [plugin: string, file: string, code: string, rule: RegExp])[] = [
    [
      "returns-object",
      "index.js",
      `export const register = (ctx) => ctx.register_tool({ name: "gives_object", schema: ${schema("gives_object")}, handler: () => ({ fern: 1 }) });\n`,
      /"gives_object" of the plugin "returns-object" returned object; a handler returns a JSON string/,
    ],
    [
      "throws-it",
      "index.js",
      `export const register = (ctx) => ctx.register_tool({ name: "throws_up", schema: ${schema("throws_up")}, handler: () => { throw new Error("the hose burst"); } });\n`,
      /"throws_up" of the plugin "throws-it" threw; a handler returns its errors as JSON and never raises/,
    ],
    [
      "lacks-context",
      "__init__.py",
      `def handler(args):\n    return '{"never": "seen"}'\n\ndef register(ctx):\n    ctx.register_tool(name="no_context", toolset="odd", schema={"name": "no_context", "description": "Odd.", "parameters": {"type": "object", "properties": {}}}, handler=handler)\n`,
      /'no_context' of the plugin 'lacks-context' has no \*\*kwargs, which every handler should/,
    ],
  ];
  for (const [plugin, file, code] of faulty) {
    user.write(`~/.hermes/plugins/${plugin}/plugin.yaml`, `name: ${plugin}\nversion: 1.0.0\n`);
    user.write(`~/.hermes/plugins/${plugin}/${file}`, code);
    assert.equal((await user.run(["plugins", "enable", plugin])).status, 0);
  }
  // The check reports what it can find without a call.
  assert.match(
    (await user.run(["plugins", "check", "lacks-context"])).out,
    /○ It logs: The handler of the tool 'no_context' of the plugin 'lacks-context' has no \*\*kwargs/,
  );
  const messages: string[] = [];
  for (const tool of ["gives_object", "throws_up", "no_context"]) {
    const turn = await user.run(["chat", "--json", "-q", `call ${tool} with {}`]);
    assert.equal(turn.status, 0, turn.err);
    messages.push(/"type":"tool\.settled".*/.exec(turn.out)?.[0] ?? turn.out);
  }
  assert.match(messages[0]!, /\{\\"fern\\":1\}/);
  assert.match(messages[1]!, /the hose burst/);
  assert.match(messages[2]!, /\{\\"never\\": \\"seen\\"\}/);
  const log = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8");
  for (const [plugin, , , rule] of faulty)
    assert.match(
      log
        .split("\n")
        .filter((line) => line.includes(plugin) && /"level":"(info|warning|error)"/.test(line))
        .map((line) => (JSON.parse(line) as { message: string; name: string }).name + " " + line.replaceAll('\\"', '"'))
        .join("\n"),
      rule,
    );
});

// req: plugins.command-async
test("a plugin's commands may be async, and its subcommands have options", async () => {
  using user = gardener();
  await user.run(["plugins", "enable", "greenhouse"]);
  assert.match((await user.run(["chat", "-q", "/water fern"])).out, /Watering fern\./);
  assert.equal((await user.run(["greenhouse", "--loud"])).out, "GREEN\n");
});

// req: plugins.dispatch-pipelines
test(
  "a call that a command dispatches passes the dispatch pipeline: hooks before and after, approval, masking, limits",
  { skip: NO_TMUX },
  async () => {
    using user = gardener();
    user.write(
      "~/.hermes/plugins/greenhouse/index.js",
      GREENHOUSE.replace(
        'ctx.register_hook("post_tool_call"',
        'ctx.register_hook("pre_tool_call", ({ tool_name, args }) => { ctx.log.info("asked before " + tool_name); return /forbidden/.test(String(args.command)) ? { action: "block", message: "Not in this garden." } : null; });\n  ctx.register_hook("post_tool_call"',
      ),
    );
    await user.run(["plugins", "enable", "greenhouse"]);
    user.write("build/file", "x");
    const refused = await user.run(["chat", "-q", "/relay rm -rf build"]);
    assert.match(refused.out, /denied|approv|refused/i);
    assert.ok(existsSync(join(user.folder, "build/file")));
    {
      await using terminal = await UserTerminal.open(user);
      await terminal.until(READY);
      await terminal.type("/relay rm -rf build");
      await terminal.press("Enter");
      await terminal.until(/Esc denies · 30 min left/);
      await terminal.press("Escape");
      await terminal.until(/rm -rf build[^]*(denied|refused)/i);
    }
    assert.ok(existsSync(join(user.folder, "build/file")));
    assert.match((await user.run(["chat", "-q", "/relay echo grown"])).out, /grown/);
    assert.match((await user.run(["chat", "-q", "/relay echo forbidden"])).out, /Not in this garden\./);
    const secret = `sk-${"Ab3dEf6hIj9k".repeat(3)}`;
    assert.doesNotMatch((await user.run(["chat", "-q", `/relay echo ${secret}`])).out, new RegExp(secret));
    const long = (await user.run(["chat", "-q", "/relay seq 1 200000"])).out;
    assert.ok(long.length < 150_000, `${long.length} characters`);
    const logs = (await user.run(["logs"])).out;
    assert.match(logs, /asked before terminal/);
    assert.match(logs, /watered after terminal/);
  },
);

// req: plugins.debug-traces, plugins.debug-variable
test("a plugin that cannot be read or started is traced to its line, in both languages, and the others work", async () => {
  using user = gardener();
  user.write("~/.hermes/plugins/torn/plugin.yaml", "name: torn\nversion: [\n");
  const falling: readonly (readonly [string, string, string])[] = [
    ["falls", "index.js", "export default function register() {\n  const hose = undefined;\n\n\n  hose.open();\n}\n"],
    ["slips", "__init__.py", "import json\n\ndef register(ctx):\n    hose = None\n    hose.open()\n"],
  ];
  for (const [name, file, code] of falling) {
    user.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: Falls.\n`);
    user.write(`~/.hermes/plugins/${name}/${file}`, code);
  }
  user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [greenhouse, torn, falls, slips]\n");
  using debugging = new NewUser({ HERMES_HOME: user.agentHome, HERMES_PLUGINS_DEBUG: "1" });
  const listed = await debugging.run(["tools", "list"]);
  const traces = [
    /torn\/plugin\.yaml:\d+:\d+[^]*?\n {4}at /,
    /at register \(.*falls\/index\.js:5:\d+\)/,
    /File ".*slips\/__init__\.py", line 5/,
  ];
  for (const trace of traces) assert.match(listed.err, trace);
  assert.match(listed.out, /list_plants/);
  // Without the variable the run shows none of it, and the log has the same traces.
  const quiet = await user.run(["tools", "list"]);
  assert.equal(quiet.out, listed.out);
  assert.doesNotMatch(quiet.err, /\[plugins\]/);
  const log = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8")
    .replaceAll("\\n", "\n")
    .replaceAll('\\"', '"');
  for (const trace of traces) assert.match(log, trace);
});

// req: config.profiles
test("a profile is a separate home: settings, keys, memory, sessions, skills and plugins", async () => {
  using user = gardener();
  await user.run(["plugins", "enable", "greenhouse"]);
  await user.run(["config", "set", "agent.max_turns", "11"]);
  await user.run(["chat", "-q", "run echo of-the-default"]);
  user.write(
    "~/.hermes/skills/pruning/SKILL.md",
    "---\nname: pruning\ndescription: Prunes roses. Use in March.\n---\n\nCut above an eye.\n",
  );
  await user.run(["tools", "call", "memory", '{"action":"add","target":"memory","content":"The roses are red."}']);
  user.write("~/.hermes/profiles/work/.env", "LM_API_KEY=of-work\nLM_BASE_URL=http://127.0.0.1:1/v1\n");
  user.write("~/.hermes/profiles/work/config.yaml", "model:\n  provider: lmstudio\n  default: of-work\n");
  const inWork = (...args: string[]) => user.run(["-p", "work", ...args]);
  assert.notEqual((await inWork("config", "get", "agent.max_turns")).out.trim(), "11");
  assert.doesNotMatch((await inWork("sessions", "list")).out, /of-the-default/);
  assert.doesNotMatch((await inWork("plugins", "list")).out, /greenhouse/);
  assert.deepEqual(
    [
      (await user.run(["skills", "list"])).out.includes("pruning"),
      (await inWork("skills", "list")).out.includes("pruning"),
    ],
    [true, false],
  );
  assert.match(readFileSync(join(user.agentHome, "memories/MEMORY.md"), "utf8"), /The roses are red\./);
  assert.equal(existsSync(join(user.agentHome, "profiles/work/memories")), false);
  assert.match((await inWork("doctor")).out, /✗ model +of-work of lmstudio \(.*config\.yaml.*\): .*127\.0\.0\.1:1/);
  assert.match((await user.run(["doctor"])).out, /✓ model +none configured/);
  await inWork("config", "set", "agent.max_turns", "12");
  assert.equal((await user.run(["config", "get", "agent.max_turns"])).out.trim(), "11");
  assert.equal((await inWork("config", "get", "agent.max_turns")).out.trim(), "12");
  const none = await user.run(["-p", "nobody", "config", "path"]);
  assert.equal(none.status, 2);
  assert.match(none.err, /no profile "nobody".*[\s\S]*default, work/);
});

// req: cli.ignore-user-config
test("--ignore-user-config uses the defaults and still reads the keys of .env", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "agent:\n  max_turns: 11\nmodel:\n  provider: openai\n  default: of-the-file\n");
  user.write("~/.hermes/.env", "OPENROUTER_API_KEY=key-of-the-test\n");
  assert.equal((await user.run(["config", "get", "agent.max_turns"])).out.trim(), "11");
  assert.equal((await user.run(["--ignore-user-config", "config", "get", "agent.max_turns"])).out.trim(), "90");
  using byVariable = new NewUser({ HERMES_HOME: user.agentHome, HERMES_IGNORE_USER_CONFIG: "1" });
  assert.equal((await byVariable.run(["config", "get", "agent.max_turns"])).out.trim(), "90");
  const model = await byVariable.run(["doctor"]);
  assert.match(model.out, /model\s+.*openrouter/);
});
