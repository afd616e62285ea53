import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { servePythonIndex, withPip } from "../../../src/host/plugins/install/python-index-fixture.ts";
import { ROOT } from "../../docs/read-pages.ts";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";

const WEATHERLY =
  "name: weatherly\nversion: 1.0.0\ndescription: Looks up the weather.\nauthor: Somebody\nprovides_tools: [weatherly]\nrequires_env:\n  - WEATHERLY_REGION\n  - name: WEATHERLY_API_KEY\n    description: API key for OpenWeather\n    url: https://weather.example/api\n    secret: true\n";
const WEATHERLY_CODE = `export const register = (ctx) => { ctx.tool({ name: "weatherly", toolset: "weatherly", description: "The weather.", effect: "none", input: { type: "object", properties: {} }, execute: async () => ({ region: ctx.env("WEATHERLY_REGION"), key: (ctx.env("WEATHERLY_API_KEY") ?? "").length }) }); };\n`;

function withWeatherly(): NewUser {
  const user = new NewUser();
  user.write("weatherly/plugin.yaml", WEATHERLY);
  user.write("weatherly/index.js", WEATHERLY_CODE);
  return user;
}

// req: plugins.requires-env-prompt, plugins.requires-env-secret
test(
  "an install in a terminal shows the requests, prompts for each missing variable, hides the secret and stores both in .env",
  { skip: NO_TMUX },
  async () => {
    using user = withWeatherly();
    await using terminal = await UserTerminal.open(user, ["plugins", "install", "./weatherly"]);
    const shown = await terminal.until(/Install it\? \[y\/N\]/);
    for (const line of [
      "weatherly 1.0.0 — Looks up the weather.",
      "registers the tool weatherly",
      "needs the variable WEATHERLY_REGION",
      "needs the variable WEATHERLY_API_KEY (secret)",
    ])
      assert.ok(shown.includes(line), line);
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.until(/WEATHERLY_REGION \(stored in \.env\):/);
    await terminal.type("north");
    await terminal.press("Enter");
    const asking = await terminal.until(/WEATHERLY_API_KEY \(stored in \.env, input hidden\):/);
    assert.match(asking, /API key for OpenWeather\nGet it at https:\/\/weather\.example\/api/);
    await terminal.type("hush-hush-1234");
    await terminal.press("Enter");
    await terminal.until(/Enable 'weatherly' now\? \[y\/N\]/);
    await terminal.type("y");
    await terminal.press("Enter");
    const end = await terminal.until(/\[ended 0\]/);
    assert.match(end, /✓ weatherly v1\.0\.0 \(1 tools, 0 hooks\) is enabled\./);
    assert.doesNotMatch(await terminal.screen({ scrollback: true }), /hush/);
    assert.equal(
      readFileSync(join(user.agentHome, ".env"), "utf8"),
      "WEATHERLY_REGION=north\nWEATHERLY_API_KEY=hush-hush-1234\n",
    );
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "weatherly", "{}"])).out), {
      region: "north",
      key: 14,
    });
  },
);

// req: plugins.requires-env-set-skipped
test(
  "variables that are set are not asked for, and a denial of the first question installs nothing",
  { skip: NO_TMUX },
  async () => {
    using user = withWeatherly();
    user.write("~/.hermes/.env", "WEATHERLY_API_KEY=set-before\n");
    {
      await using terminal = await UserTerminal.open(user, ["plugins", "install", "./weatherly"]);
      await terminal.until(/Install it\?/);
      await terminal.press("Enter");
      await terminal.until(/Not installed\.[^]*\[ended 4\]/);
    }
    assert.equal(existsSync(join(user.agentHome, "plugins/weatherly")), false);
    await using terminal = await UserTerminal.open(user, ["plugins", "install", "./weatherly", "--yes", "--no-enable"]);
    await terminal.until(/WEATHERLY_REGION \(stored in \.env\):/);
    await terminal.type("south");
    await terminal.press("Enter");
    const end = await terminal.until(/\[ended 0\]/);
    assert.doesNotMatch(end, /WEATHERLY_API_KEY \(kept/);
  },
);

test("without a terminal an install reports missing variables, and an update with new requests needs --yes", async () => {
  using user = withWeatherly();
  const installed = await user.run(["plugins", "install", "./weatherly"]);
  assert.equal(installed.status, 0, installed.err);
  assert.match(
    installed.err,
    /It needs WEATHERLY_API_KEY \(API key for OpenWeather; Get it at https:\/\/weather\.example\/api\): hermes config set WEATHERLY_API_KEY VALUE/,
  );
  assert.match(installed.err, /Enable it with: hermes plugins enable weatherly/);
  const twice = await user.run(["plugins", "install", "./weatherly"]);
  assert.match(
    `${twice.status} ${twice.err}`,
    /^1 Error: There is already a plugin in .*weatherly\.\nRun `hermes plugins update weatherly` to fetch it again/,
  );
  assert.match((await user.run(["plugins", "update"])).out, /weatherly is up to date/);

  user.write(
    "weatherly/plugin.yaml",
    `${WEATHERLY.replace("1.0.0", "1.1.0")}grants:\n  hosts: [api.weather.example]\n`,
  );
  const refused = await user.run(["plugins", "update", "weatherly"]);
  assert.equal(refused.status, 4);
  assert.match(
    refused.err,
    /\+ connects to api\.weather\.example[^]*was not updated: it requests more permissions than before\./,
  );
  const forced = await user.run(["plugins", "install", "./weatherly", "--force"]);
  assert.equal(forced.status, 4);
  assert.match(
    forced.err,
    /\+ connects to api\.weather\.example\n[^]*Not installed: it requests more permissions than the installed version\. To agree, repeat the command with --yes\./,
  );
  assert.match(readFileSync(join(user.agentHome, "plugins/weatherly/plugin.yaml"), "utf8"), /1\.0\.0/);
  user.write("~/.hermes/plugins/weatherly/index.js", "export const register = () => {};\n");
  user.write("weatherly/plugin.yaml", WEATHERLY);
  assert.match(
    (await user.run(["plugins", "update", "weatherly"])).out,
    /weatherly: downloaded again; still version 1\.0\.0/,
  );
  assert.equal(readFileSync(join(user.agentHome, "plugins/weatherly/index.js"), "utf8"), WEATHERLY_CODE);
  user.write(
    "weatherly/plugin.yaml",
    `${WEATHERLY.replace("1.0.0", "1.1.0")}grants:\n  hosts: [api.weather.example]\n`,
  );
  assert.match((await user.run(["plugins", "update", "weatherly", "--yes"])).out, /weatherly: 1\.0\.0 → 1\.1\.0/);
  assert.equal((await user.run(["plugins", "remove", "weatherly"])).status, 2);
  assert.match((await user.run(["plugins", "remove", "weatherly", "--yes"])).out, /Removed weatherly/);
  assert.equal(existsSync(join(user.agentHome, "plugins/weatherly")), false);
});

for (const [language, flags, entry] of [
  ["TypeScript", [], "index.ts"],
  ["Python", ["--python"], "__init__.py"],
] as const) {
  test(`a new ${language} plugin passes its check and its tests, is enabled and answers`, async () => {
    using user = new NewUser();
    assert.equal((await user.run(["plugins", "new", "word-count", ...flags])).status, 0);
    assert.ok(existsSync(join(user.agentHome, "plugins/word-count", entry)));
    assert.deepEqual(await outcome(user, ["plugins", "check", "word-count"]), [0, "✓ word-count\n"]);
    const tested = await user.run(["plugins", "test", "word-count"]);
    assert.equal(tested.status, 0, tested.out + tested.err);
    for (const line of [
      /about \d+ tokens in every request/,
      /✓ recorded call \{"text":"one two three"\}: \{"words": ?3\}/,
      /✓ recorded call \{"text":" {2}"\}: ends with \{"error":.*no words/,
      /✓ wrong arguments: /,
      /✓ faults: /,
      /✓ the user denies: the handler never ran/,
      /✓ cancel: /,
    ])
      assert.match(tested.out, line);
    assert.deepEqual(await outcome(user, ["plugins", "enable", "word-count"]), [
      0,
      "✓ word-count v0.1.0 (1 tools, 1 hooks) is enabled.\n",
    ]);
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "word_count_count", '{"text":"a b"}'])).out), {
      words: 2,
    });
    const again = await user.run(["plugins", "new", "word-count"]);
    assert.match(`${again.status} ${again.err}`, /^2 Error: There is already a file or folder at /);
    const odd = await user.run(["plugins", "new", "../up"]);
    assert.match(`${odd.status} ${odd.err}`, /^2 Error: "\.\.\/up" is not a valid name for a new plugin/);
  });
}

test("the unit tests of new plugins pass, and the types of a TypeScript one come from its schema", async () => {
  using user = new NewUser();
  for (const [name, flags] of [
    ["in-ts", []],
    ["in-python", ["--python"]],
  ] as const)
    await user.run(["plugins", "new", name, "--dir", ".", ...flags]);
  const python = spawnSync("python3", ["-m", "unittest", "discover", "tests"], {
    cwd: join(user.folder, "in-python"),
    encoding: "utf8",
  });
  assert.equal(python.status, 0, python.stderr);
  const dir = join(user.folder, "in-ts");
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { readonly devDependencies: object };
  assert.deepEqual(manifest.devDependencies, { "hermes-agent": "npm:hermes-agent-ts@*" });
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(ROOT, join(dir, "node_modules/hermes-agent"));
  const node = spawnSync(process.execPath, ["--conditions=hermes-source", "--test", "--test-reporter=tap"], {
    cwd: dir,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: user.home },
  });
  assert.match(node.stdout, /^# pass 1$/m);
  const door = (file: string) => [join(ROOT, "src", file)];
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        paths: {
          "hermes-agent/plugin": door("plugin.ts"),
          "hermes-agent/testing": door("testing/index.ts"),
          "hermes-agent/registry": door("registry.ts"),
        },
        typeRoots: [join(ROOT, "node_modules/@types")],
      },
      include: [join(dir, "**/*.ts")],
    }),
  );
  const tsc = (): string =>
    spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(dir, "tsconfig.json"), "--pretty", "false"], {
      cwd: dir,
      encoding: "utf8",
    })
      .stdout.split("\n")
      .filter((line) => /^(index|tools|schemas|tests)/.test(line))
      .join("\n");
  assert.equal(tsc(), "");
  writeFileSync(
    join(dir, "tools.ts"),
    readFileSync(join(dir, "tools.ts"), "utf8").replace("text.split(", "text.toFixed("),
  );
  assert.match(tsc(), /Property 'toFixed' does not exist on type 'string'/);
});

// req: R-59
test("plugins why shows what hides a tool from the model, and info shows the registrations", async () => {
  using user = withWeatherly();
  await user.run(["plugins", "install", "./weatherly"]);
  const because = async (tool: string): Promise<string> => (await user.run(["plugins", "why", tool])).out;
  assert.match(
    await because("weatherly"),
    /✗ weatherly is not offered on cli\.\n {2}The plugin "weatherly" provides it but does not run \(not enabled\): not enabled in config/,
  );
  await user.run(["plugins", "enable", "weatherly"]);
  assert.match(
    await because("weatherly"),
    /does not run \(disabled\): Plugin weatherly disabled \(missing: WEATHERLY_REGION, WEATHERLY_API_KEY\)/,
  );
  for (const name of ["WEATHERLY_REGION", "WEATHERLY_API_KEY"]) await user.run(["config", "set", name, "x"]);
  assert.match(await because("weatherly"), /✓ weatherly is offered on cli\./);
  await user.run(["tools", "disable", "weatherly"]);
  assert.match(await because("weatherly"), /✗ [^]*It is off for cli: hermes tools enable weatherly/);
  assert.match(await because("weathrly"), /No plugin registers a tool with this name\. Did you mean "weatherly"\?/);
  await user.run(["plugins", "disable", "weatherly"]);
  assert.match(
    (await user.run(["tools", "call", "weatherly", "{}"])).err,
    /The plugin "weatherly" provides it but is disabled \(hermes plugins enable weatherly\)\./,
  );
  await user.run(["plugins", "enable", "weatherly"]);
  assert.match(await because("tool-file"), /"tool-file" is a plugin, not a tool\. See: hermes plugins info tool-file/);
  assert.equal((await user.run(["plugins", "why", "terminal"])).status, 0);
  // They need no variable to run.
  for (const key of ["web/ddgs", "web/firecrawl"]) await user.run(["plugins", "disable", key]);
  assert.match(
    await because("web_search"),
    /It cannot run here: No plugin provides web\.\n[^]* {2}"web\/tavily" provides web but does not run: Plugin tavily disabled \(missing: TAVILY_API_KEY\)\.\n/,
  );
  assert.match((await user.run(["tools"])).err, /✗ enabled, but cannot run \(\S*hermes plugins why NAME\)/);

  const info = JSON.parse((await user.run(["plugins", "info", "weatherly", "--json"])).out) as {
    readonly [key: string]: unknown;
  };
  assert.deepEqual(
    [
      info["name"],
      info["status"],
      info["source"],
      info["from"],
      info["tools"],
      info["hooks"],
      info["commands"],
      info["cli"],
      info["skills"],
      info["providers"],
    ],
    ["weatherly", "enabled", "user", join(user.folder, "weatherly"), ["weatherly"], [], [], [], [], []],
  );
});

const DICE = `import json
from six_sides import SIDES

def register(ctx):
    ctx.register_tool(name="roll", toolset="dice", schema={"name": "roll", "description": "Rolls.", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **kw: json.dumps({"sides": SIDES}))
`;

// req: R-59
test(
  "enable lists the Python packages that a hand-copied plugin lacks and asks; without a terminal it prints the command",
  withPip,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "hermes-wheels-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { env } = await servePythonIndex(t, folder, [
      { name: "six-sides", files: { "six_sides.py": "SIDES = 6\n" } },
    ]);
    using user = new NewUser(env);
    user.write(
      "~/.hermes/plugins/dice/plugin.yaml",
      "name: dice\nversion: 1.0.0\ndescription: Rolls dice.\nprovides_tools: [roll]\n",
    );
    user.write("~/.hermes/plugins/dice/__init__.py", DICE);
    user.write("~/.hermes/plugins/dice/requirements.txt", "six-sides\n");
    const alone = await user.run(["plugins", "enable", "dice"]);
    assert.match(
      `${alone.status} ${alone.err}`,
      /^1 dice needs a Python package that is not installed: six-sides\nTo install it: hermes plugins enable dice --yes\n[^]*No module named 'six_sides'/,
    );
    assert.match(
      (await user.run(["plugins", "info", "dice"])).out,
      /✗ the Python package six-sides is missing \(hermes plugins enable dice installs it\)/,
    );
    assert.match(
      (await user.run(["plugins", "why", "roll"])).out,
      /It needs Python packages that are not installed: six-sides/,
    );
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [dice]\n");
    assert.match((await user.run(["doctor"])).out, /"dice" needs Python packages that are not installed: six-sides/);
    if (NO_TMUX === false) {
      await using terminal = await UserTerminal.open(user, ["plugins", "enable", "dice"]);
      await terminal.until(
        /six-sides\nInstall into a virtual environment for this plugin, from wheels only\? \[y\/N\]/,
      );
      await terminal.press("Enter");
      await terminal.until(/To install it: hermes plugins enable dice --yes[^]*\[ended 1\]/);
    }
    const agreed = await user.run(["plugins", "enable", "dice", "--yes"]);
    assert.match(`${agreed.status} ${agreed.err} ${agreed.out}`, /^0 Installed for dice: six-sides\n ✓ dice v1\.0\.0/);
    assert.equal((await user.run(["tools", "call", "roll", "{}"])).out, '{"sides": 6}\n');
    assert.match((await user.run(["plugins", "info", "dice"])).out, /✓ the Python package six-sides is installed/);
    assert.doesNotMatch((await user.run(["doctor"])).out, /six-sides/);
  },
);

test("plugins list shows the whole reason why a plugin does not run", async () => {
  using user = new NewUser({ COLUMNS: "80" });
  user.write("~/.hermes/plugins/odd/plugin.yaml", "name: odd\ngrants: everything there is\n");
  user.write("~/.hermes/plugins/fine/plugin.yaml", "name: fine\nversion: 1.0.0\ndescription: Waits.\n");
  for (const name of ["odd", "fine"])
    user.write(`~/.hermes/plugins/${name}/index.js`, "export const register = () => {};\n");
  const { out } = await user.run(["plugins", "list", "--user"]);
  assert.match(
    out,
    /^✗ odd +failed +user +\S+plugins\/odd\/plugin\.yaml:2:1: "grants" must be a map of read, write, hosts, tools\.\n/m,
  );
});

// req: R-62
test(
  "plugins dev loads each change in less than a second while the conversation continues",
  { skip: NO_TMUX },
  async () => {
    using user = new NewUser();
    await user.run(["plugins", "new", "word-count", "--dir", "."]);
    await using terminal = await UserTerminal.open(user, ["plugins", "dev", "word-count"], {
      env: { PATH: process.env["PATH"] ?? "" },
    });
    const first = await terminal.until(READY);
    assert.match(first, /✓ Loaded in \d+ ms: word-count \(1 tools, 1 hooks\)/);
    await terminal.type('call word_count_count with {"text":"a b"}');
    await terminal.press("Enter");
    await terminal.until(/"words": ?2|words.{1,4}2/);
    const file = join(user.folder, "word-count/tools.ts");
    const watch = new Stopwatch();
    writeFileSync(file, readFileSync(file, "utf8").replace("words: words.length,", "words: 1000 + words.length,"));
    await terminal.until((screen) => (screen.match(/✓ Loaded in/g) ?? []).length >= 2);
    watch.assertWithin(3_000, "loading a change and showing so");
    await terminal.type('call word_count_count with {"text":"a b c"}');
    await terminal.press("Enter");
    await terminal.until(/1003/);
    writeFileSync(file, "export const nothing = (\n");
    await terminal.until(/✗ word-count: /);
  },
);

test("plugins dev without a terminal prints a line for each change and ends on a signal", async () => {
  using user = new NewUser();
  await user.run(["plugins", "new", "word-count", "--dir", "."]);
  const child = user.start(["plugins", "dev", "word-count"]);
  let out = "";
  child.stdout?.on("data", (text: Buffer) => (out += text.toString()));
  const message = async (pattern: RegExp): Promise<void> => {
    for (let rounds = 0; rounds < 4_000 && !pattern.test(out); rounds++) await sleep(25);
    assert.match(out, pattern);
  };
  await message(/✓ Loaded in \d+ ms: word-count \(1 tools, 1 hooks\)\n/);
  writeFileSync(
    join(user.folder, "word-count/index.ts"),
    "export const register = (ctx) => { throw new Error('not today'); };\n",
  );
  await message(/✗ word-count: not today \(index\.ts:1:\d+\)\n/);
  child.kill("SIGTERM");
  assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
});

async function outcome(user: NewUser, args: readonly string[]): Promise<readonly [number | null, string]> {
  const { status, out } = await user.run(args);
  return [status, out];
}

// req: R-59
test(
  "a plugin cannot take a built-in command word, and commands of other plugins run",
  { skip: spawnSync("python3", ["--version"]).status !== 0 && "there is no python3" },
  async () => {
    using user = new NewUser();
    const plugin = (name: string, word: string) => {
      user.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: x\n`);
      user.write(
        `~/.hermes/plugins/${name}/__init__.py`,
        `def register(ctx):\n    ctx.register_cli_command("${word}", help="h", setup_fn=lambda parser: parser.set_defaults(func=lambda args: print("${name} ran")))\n`,
      );
    };
    plugin("greedy", "tools");
    plugin("dice", "dice");
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [greedy, dice]\n");
    for (const start of [1, 2]) assert.equal((await user.run(["dice"])).out, "dice ran\n", `start ${start}`);
    assert.match((await user.run(["--help"])).out, /^ +dice .*h$/m);
    assert.equal((await user.run(["tools", "call", "todo", "{}"])).status, 0);
  },
);
