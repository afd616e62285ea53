import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const root = join(import.meta.dirname, "../../..");

const registers = (name: string, toolset: string, more = ""): string => `
import { registry } from "hermes-agent/registry";
registry.register({
  name: "${name}", toolset: "${toolset}", emoji: "🌙",
  schema: { name: "${name}", description: "Tells something.", parameters: { type: "object", properties: { day: { type: "integer" } }, required: ["day"] } },
  handler: async ({ day }, { task_id, env }) => JSON.stringify({ day, task: typeof task_id, key: env("MOON_KEY") ?? null, other: env("OTHER_KEY") ?? null }),
  ${more}
});
`;

interface Row {
  readonly name: string;
  readonly toolset: string;
  readonly owner: string;
  readonly enabled: boolean;
  readonly available: boolean;
}

async function listed(user: NewUser): Promise<{ readonly rows: ReadonlyMap<string, Row>; readonly err: string }> {
  const { status, out, err } = await user.run(["tools", "list", "--json"]);
  assert.equal(status, 0, err);
  return { rows: new Map((JSON.parse(out) as readonly Row[]).map((row) => [row.name, row])), err };
}

// req: registry.autodiscovery, registry.autodiscovery-top-level, registry.self-registration, registry.optional-failure-isolated, registry.register-signature
test("a file dropped into ~/.hermes/tools is a tool at the next start; a broken file affects no other", async () => {
  using user = new NewUser();
  const before = await listed(user);
  user.write("~/.hermes/.env", "MOON_KEY=full\nOTHER_KEY=secret\n");
  user.write(
    "~/.hermes/tools/moon.ts",
    registers(
      "moon_phase",
      "sky",
      'requires_env: ["MOON_KEY"], check_fn: (probe) => probe.env("MOON_KEY") !== undefined,',
    ),
  );
  user.write("~/.hermes/tools/broken.js", `${registers("half", "sky")}\nimport "a-library-nobody-has";\n`);
  user.write("~/.hermes/tools/plain.ts", 'throw new Error("was loaded");');
  user.write(
    "~/.hermes/tools/inside.ts",
    'throw new Error("was loaded");\nexport function later(registry: any) { registry.register({}); }',
  );
  const after = await listed(user);
  assert.deepEqual(
    [...after.rows.keys()].filter((name) => !before.rows.has(name)),
    ["moon_phase"],
  );
  const { name, toolset, owner, enabled, available } = after.rows.get("moon_phase")!;
  assert.deepEqual(
    { name, toolset, owner, enabled, available },
    { name: "moon_phase", toolset: "sky", owner: "tools/moon.ts", enabled: true, available: true },
  );
  assert.doesNotMatch(after.err, /was loaded/);
  const called = await user.run(["tools", "call", "moon_phase", '{"day":"3"}']);
  assert.deepEqual(JSON.parse(called.out), { day: 3, task: "string", key: "full", other: null });
  const chat = await user.run(["chat", "-q", 'Use the moon_phase tool with {"day": 5}']);
  assert.equal(chat.status, 0, chat.err);
  assert.match(chat.out, /full/);
  assert.match(chat.err, /Cannot load the tool module "tools\/broken\.js": .*a-library-nobody-has/);
  assert.equal(
    (chat.err.match(/Cannot load the tool module "tools\/broken\.js"/g) ?? []).length,
    1,
    "one warning that names it",
  );
});

// req: registry.collision
test("a file in ~/.hermes/tools does not replace a built-in tool without consent", async () => {
  using user = new NewUser();
  user.write("~/.hermes/tools/mine.ts", registers("read_file", "mine"));
  const { rows } = await listed(user);
  assert.equal(rows.get("read_file")?.owner, "tool-file");
  const { err } = await user.run(["chat", "-q", "list the files here"]);
  assert.match(err, /mine\.ts would replace the built-in tool "read_file"/);
});

// req: registry.two-files, toolsets.core-list
test("adding a built-in tool takes two edits: its file, and the toolset definitions", async () => {
  using user = new NewUser();
  const copy = mkdtempSync(join(tmpdir(), "hermes-package-"));
  try {
    for (const part of ["src", "plugins"])
      cpSync(join(root, part), join(copy, part), {
        recursive: true,
        filter: (from) => !/\.test\.ts$|\/node_modules$/.test(from),
      });
    cpSync(join(root, "package.json"), join(copy, "package.json"));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    mkdirSync(join(copy, "tools"));
    writeFileSync(join(copy, "tools/tide.ts"), registers("tide_height", "file"));
    const table = join(copy, "src/engine/tools/toolset-table.ts");
    const text = readFileSync(table, "utf8");
    writeFileSync(
      table,
      text
        .replace(
          "export const CORE_TOOLS: readonly string[] = [",
          'export const CORE_TOOLS: readonly string[] = [\n  "tide_height",',
        )
        .replace("const FILE = [", 'const FILE = ["tide_height", '),
    );
    const { status, out, err } = await user.runMain(join(copy, "src/main.ts"), ["tools", "list", "--json"]);
    assert.equal(status, 0, err);
    const rows = JSON.parse(out) as readonly Row[];
    assert.deepEqual(
      rows
        .filter(({ name }) => name === "tide_height")
        .map(({ toolset, owner, enabled, available }) => ({ toolset, owner, enabled, available })),
      [{ toolset: "file", owner: "tools/tide.ts", enabled: true, available: true }],
    );
    const called = await user.runMain(join(copy, "src/main.ts"), ["tools", "call", "tide_height", '{"day":1}']);
    assert.equal((JSON.parse(called.out) as { readonly day: number }).day, 1);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test(
  "a tool file of the original in Python is reported with the command that turns it into a plugin, and the command works",
  { skip: spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3" },
  async () => {
    using user = new NewUser();
    cpSync(
      join(root, "examples/plugins/weather-python/weather_tool.py"),
      user.write("~/.hermes/tools/weather_tool.py", ""),
    );
    user.write("~/.hermes/tools/helper.py", "def registry_register(): pass\n");
    const { err, status } = await user.run(["tools", "call", "weather", '{"location":"London"}']);
    assert.equal(status, 1, err);
    assert.match((await user.run(["chat", "-Q", "-q", "help"])).err, /weather_tool\.py is not loaded/);
    assert.match(
      err,
      /The tool in .*\/tools\/weather_tool\.py is not loaded: Python tools run as plugins, and you have to enable them\./,
    );
    assert.doesNotMatch(err, /helper/);
    const line = /mkdir -p .*&& hermes plugins enable 'weather_tool'/.exec(err)?.[0] ?? "";
    const [made] = line.split(" && hermes ");
    assert.equal(spawnSync("sh", ["-c", made!]).status, 0, line);
    assert.equal((await user.run(["plugins", "enable", "weather_tool"])).status, 0);
    const called = await user.run(["tools", "call", "weather", '{"location":"London"}']);
    assert.deepEqual(
      [JSON.parse(called.out), called.err.includes("is not loaded")],
      [{ error: "WEATHER_API_KEY not configured" }, false],
    );
  },
);

const WEATHER = `import { registry } from "hermes-agent/registry";

const KEY = process.env.WEATHER_API_KEY;

registry.register({
  name: "weather",
  toolset: "weather",
  requires_env: ["WEATHER_API_KEY"],
  check_fn: () => Boolean(process.env.WEATHER_API_KEY),
  schema: { name: "weather", description: "Tells the weather.", parameters: { type: "object", properties: {} } },
  handler: async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { spawnSync } = await import("node:child_process");
    const inChild = String(spawnSync("sh", ["-c", 'printf %s "$WEATHER_API_KEY"']).stdout);
    return JSON.stringify({ length: process.env.WEATHER_API_KEY?.length, atLoad: KEY?.length, other: process.env.OTHER_API_KEY ?? null, listed: Object.keys(process.env).includes("WEATHER_API_KEY"), inChild, has: "WEATHER_API_KEY" in process.env });
  },
});
`;

// field: P13
test("a tool module reads the variables that it declares from process.env, and nothing else sees them", async () => {
  using user = new NewUser();
  user.write("~/.hermes/.env", "WEATHER_API_KEY=weather-key-4711\nOTHER_API_KEY=other-key-4711\n");
  user.write("~/.hermes/tools/weather_tool.ts", WEATHER);
  user.write(
    "~/.hermes/tools/spy_tool.ts",
    registers("spy", "sky").replace("key: env", "seen: process.env.WEATHER_API_KEY ?? null, key: env"),
  );
  assert.deepEqual(JSON.parse((await user.run(["tools", "call", "weather"])).out), {
    length: 16,
    atLoad: 16,
    other: null,
    listed: false,
    inChild: "",
    has: true,
  });
  assert.equal(
    (JSON.parse((await user.run(["tools", "call", "spy", '{"day":1}'])).out) as { seen: unknown }).seen,
    null,
  );
});

// field: P13
test("a tool whose check fails names the declared variables that are not set: in a module and in plugins", async () => {
  using user = new NewUser();
  user.write("~/.hermes/tools/weather_tool.ts", WEATHER);
  const plugin = (name: string, file: string, code: string): void => {
    user.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: ${name}.\n`);
    user.write(`~/.hermes/plugins/${name}/${file}`, code);
  };
  plugin(
    "tides",
    "index.mjs",
    'export const register = (ctx) => ctx.register_tool({ name: "tides", requires_env: ["TIDES_API_KEY", "TIDES_REGION"], check_fn: (probe) => probe.env("TIDES_API_KEY") !== undefined, schema: { name: "tides", description: "t", parameters: { type: "object", properties: {} } }, handler: () => "{}" });',
  );
  plugin(
    "moons",
    "__init__.py",
    'import os\ndef register(ctx):\n    ctx.register_tool(name="moons", toolset="moons", requires_env=["MOON_API_KEY"], check_fn=lambda: bool(os.environ.get("MOON_API_KEY")), schema={"name": "moons", "description": "m", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **k: "{}")\n',
  );
  user.write("~/.hermes/config.yaml", "plugins: { enabled: [tides, moons] }\n");
  const reasons = async () => {
    const rows = JSON.parse((await user.run(["tools", "list", "--json"])).out) as readonly {
      readonly name: string;
      readonly reason?: string;
    }[];
    return (name: string) => rows.find((row) => row.name === name)?.reason;
  };
  const reason = await reasons();
  assert.equal(reason("weather"), "WEATHER_API_KEY is not set.");
  assert.equal(reason("tides"), "TIDES_API_KEY and TIDES_REGION are not set.");
  if (spawnSync("python3", ["--version"]).status === 0) assert.equal(reason("moons"), "MOON_API_KEY is not set.");
  user.write("~/.hermes/.env", "WEATHER_API_KEY=weather-key-4711\n");
  assert.equal((await reasons())("weather"), undefined);
});
