import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, answerOf, toolCall } from "../test/hosts-fixture.ts";
import { pluginProgram, withProgram, withTool } from "../test/program-fixture.ts";
import { lacksProgram } from "../../testing/lacks-program.ts";
import { withTimeout } from "../../testing/wait-for.ts";

const alive = (pid: number): boolean =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
    .stdout.trim()
    .replace(/^Z.*/, "") !== "";

async function ends(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (alive(pid) && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
  return !alive(pid);
}

test("a program that a manifest names registers tools, hooks, commands and skills, and they are called", async (t) => {
  const registrations = `register("tool", "does", { schema }); register("hook", "pre_tool_call"); register("command", "said", { description: "What was said." }); register("skill", "how", { path: params.dir + "/skills/how/SKILL.md", description: "How." })`;
  const handlers = `does: async (params, id) => JSON.stringify({ said: params.args.text ?? "nothing", greeting: (await ask("ctx.config", {}, id)).result.greeting }), pre_tool_call: ({ payload }) => (payload.args.bad ? { action: "block", message: "not that" } : null), said: ({ args }) => "said " + args`;
  const place = withProgram(
    t,
    "spoken",
    pluginProgram(registrations, handlers),
    "provides_tools: [does]\nprovides_hooks: [pre_tool_call]\n",
    `${enabled("spoken")}  entries: { spoken: { greeting: hello } }\n`,
  );
  place.write({ "home/plugins/spoken/skills/how/SKILL.md": "---\nname: how\ndescription: How.\n---\nSo.\n" });
  const { host } = await place.start({}, { hosts: true });
  const { state, registered, runsIn } = await host.service.info("spoken");
  assert.deepEqual(
    [state, registered.tools, registered.hooks, registered.commands, registered.skills, runsIn],
    ["enabled", ["does"], ["pre_tool_call"], ["said"], ["how"], "a separate process: ./plugin"],
  );
  assert.equal(await answerOf(host, "does", { text: "x" }), '{"said":"x","greeting":"hello"}');
  const answers = [false, true].map((bad) => host.hooks.first("pre_tool_call", toolCall("any", { bad }) as never));
  assert.deepEqual(
    (await Promise.all(answers))
      .map((answer) => (answer as { readonly answer?: unknown } | undefined)?.answer ?? answer)
      .map((answer) => JSON.stringify(answer)?.includes("not that") ?? false),
    [false, true],
  );
  assert.equal(
    await host.commands
      .get("said")
      ?.run("so", { sessionId: "s", surface: "cli", signal: new AbortController().signal } as never),
    "said so",
  );
});

test("a program that ended is restarted for the next call, and is paused after repeated ends", async (t) => {
  const place = withProgram(
    t,
    "falls",
    pluginProgram(
      `register("tool", "does", { schema })`,
      `does: async (params) => { if (params.args.n === 1) process.exit(3); return String(process.pid); }`,
    ),
  );
  const { host } = await place.start({}, { hosts: true });
  const first = await answerOf(host, "does");
  assert.match(
    await answerOf(host, "does", { n: 1 }),
    /The plugin \\"falls\\" did not answer: the program of the plugin \\"falls\\" \(\.\/plugin\) ended with status 3/,
  );
  assert.notEqual(await answerOf(host, "does"), first);
  await answerOf(host, "does", { n: 1 });
  assert.match(await answerOf(host, "does"), /The plugin \\"falls\\" is paused for 1 s: /);
});

test("child processes of a program end with it", { skip: lacksProgram("ps") }, async (t) => {
  const place = withProgram(
    t,
    "parent",
    withTool(
      `const child = require("node:child_process").spawn("sleep", ["300"], { stdio: "inherit" }); return String(child.pid);`,
    ),
  );
  const { host } = await place.start({}, { hosts: true });
  const pid = Number(await answerOf(host, "does"));
  assert.equal(alive(pid), true);
  await host.unload("parent");
  assert.equal(await ends(pid, 2_000), true);
});

// The agent is ended by kill -9 while the program is in an endless loop.
test(
  "a program and its child processes end within two seconds of the agent, whatever they are doing",
  { skip: lacksProgram("ps") },
  async (t) => {
    const place = withProgram(
      t,
      "endless",
      withTool(
        `const { spawn } = require("node:child_process"); const { writeFileSync } = require("node:fs"); const child = spawn("sleep", ["300"]); const left = spawn("sleep", ["301"], { detached: true, stdio: "ignore" }); writeFileSync(globalThis.loaded.dir + "/pids.out", [process.pid, child.pid, left.pid].join(" ")); for (;;);`,
      ),
    );
    const agent = `
    import { openHosts } from ${JSON.stringify(new URL("../plugin-hosts.ts", import.meta.url).href)};
    import { HostProcess } from ${JSON.stringify(new URL("../process/host-process.ts", import.meta.url).href)};
    import { programHost } from ${JSON.stringify(new URL("program-host.ts", import.meta.url).href)};
    import { quietLog } from ${JSON.stringify(new URL("../../testing/quiet-log.ts", import.meta.url).href)};
    const dir = ${JSON.stringify(join(place.path, "home/plugins/endless"))};
    const environment = { get: () => undefined, names: () => [], childEnvironment: () => ({ PATH: process.env.PATH }) };
    const kind = programHost({ key: "endless", dir, source: "user", files: [], foreign: true, manifest: { program: ["./plugin"], requires_env: [], optional_env: [] } }, { home: { path: dir, profile: "default" }, log: quietLog(), cwd: dir, version: "1", variables: process.env, environment, config: { get: () => undefined } });
    const host = new HostProcess(kind.spec(), quietLog());
    host.attach("endless", { serve: () => null, take: () => undefined, gone: () => undefined, fault: () => undefined });
    await host.call("plugin.load", { plugin: "endless", dir }, { plugin: "endless" });
    await host.call("tool.call", { handle: "endless/tool:does#0", args: {} }, { plugin: "endless" });
  `;
    const child = spawn(process.execPath, ["--conditions=hermes-source", "--input-type=module", "-e", agent], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const file = join(place.path, "home/plugins/endless/pids.out");
    while (!existsSync(file) || readFileSync(file, "utf8") === "") await new Promise((done) => setTimeout(done, 50));
    const [program, started, left] = readFileSync(file, "utf8").split(" ").map(Number);
    assert.deepEqual([alive(program!), alive(started!), alive(left!)], [true, true, true]);
    child.kill("SIGKILL");
    await withTimeout(once(child, "exit"), { what: "the process exits" });
    assert.deepEqual([await ends(program!, 4_000), await ends(started!, 1_000)], [true, true]);
    // Without /proc, a process that leaves the group is not found.
    assert.equal(process.platform !== "linux" || (await ends(left!, 1_000)), true);
  },
);

test(
  "processes that leave a program's group end with it: when it is unloaded or crashes",
  { skip: process.platform === "linux" ? lacksProgram("ps", "setsid") : "needs /proc" },
  async (t) => {
    const leave = `const { spawn } = require("node:child_process");
const detached = spawn("sleep", ["302"], { detached: true, stdio: "ignore" }).pid;
const unmarked = spawn("sleep", ["304"], { detached: true, stdio: "ignore", env: {} }).pid;
const inner = await new Promise((done) => {
  const child = spawn("sh", ["-c", "setsid sh -c 'sleep 303 & echo $!; wait' & wait"], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.once("data", (text) => done(Number(text)));
});`;
    for (const [name, then] of [
      ["unloaded", ""],
      ["crashed", `setTimeout(() => process.exit(3), 300);`],
    ] as const) {
      // The parent of an unmarked process must be alive when the agent looks for it.
      const pids = then === "" ? "[detached, inner, unmarked]" : "[detached, inner]";
      const place = withProgram(t, name, withTool(`${leave} ${then} return ${pids};`));
      const { host } = await place.start({}, { hosts: true });
      const left = JSON.parse(await answerOf(host, "does")) as readonly number[];
      assert.deepEqual(new Set(left.map(alive)), new Set([true]));
      if (then === "") await host[Symbol.asyncDispose]();
      for (const pid of left) assert.equal(await ends(pid, 3_000), true, `${name}: ${pid}`);
    }
  },
);

test("a program gets the variables that its manifest declares and no other secret", async (t) => {
  const place = withProgram(
    t,
    "keys",
    withTool(
      `return JSON.stringify([process.env.MINE_KEY, process.env.OTHER_KEY, process.env.PLAIN_WORD, (await ask("ctx.env", { name: "OTHER_KEY" }, id)).result].map((value) => value ?? null));`,
    ),
    "optional_env: [MINE_KEY]\n",
  );
  const { host } = await place.start({ MINE_KEY: "mine", OTHER_KEY: "theirs", PLAIN_WORD: "plain" }, { hosts: true });
  assert.equal(await answerOf(host, "does"), '["mine",null,"plain",null]');
});

test("an installed program gets only its manifest's grants: no plain variable, tool or host beyond those", async (t) => {
  const place = setUp(t, {
    "work/far/plugin.yaml": manifest(
      "far",
      "program: ./plugin\nprovides_tools: [does]\noptional_env: [MINE_KEY]\ngrants: { tools: [one] }\n",
    ),
    "work/far/plugin": withTool(
      `const asked = [["ctx.call_tool", { tool: "one", args: {} }], ["ctx.call_tool", { tool: "two", args: {} }], ["ctx.fetch", { url: "https://example.org" }], ["ctx.sessions", { what: "list" }]]; const told = []; for (const [method, params] of asked) { const { error, result } = await ask(method, params, id); told.push(error?.message ?? result?.outcome?.reason ?? "yes"); } return JSON.stringify([process.env.MINE_KEY, process.env.PLAIN_WORD ?? null, ...told]);`,
    ),
  });
  chmodSync(join(place.path, "work/far/plugin"), 0o755);
  const variables = { PATH: process.env["PATH"]!, MINE_KEY: "mine", OTHER_KEY: "theirs", PLAIN_WORD: "plain" };
  const { host, pins } = await place.start(variables, { hosts: true, path: process.env["PATH"] });
  {
    await using install = await host.service.install("./far", {
      cwd: join(place.path, "work"),
      signal: new AbortController().signal,
    });
    assert.deepEqual(install.grants.slice(0, 2), [
      "runs the program ./plugin with your permissions",
      "registers the tool does",
    ]);
    await install.commit();
  }
  await host.service.enable("far");
  const again = await place.start(variables, { hosts: true, path: process.env["PATH"] });
  assert.deepEqual(JSON.parse(await answerOf(again.host, "does")), [
    "mine",
    null,
    "yes",
    'The plugin "far" may not call the tool "two": the user has not allowed it. To allow it, the user runs: hermes plugins grant far two (and /reload where Hermes is running)',
    'The plugin "far" has no grant for https://example.org.',
    'The plugin "far" is not your own and may not read other sessions.',
  ]);
  // The agreed content is the program itself.
  assert.match(pins.get(join(place.path, "home/plugins/far"))?.hash ?? "", /^sha256-/);
  place.write({ "home/plugins/far/plugin": withTool(`return "else";`) });
  const edited = await place.start(variables, { hosts: true, path: process.env["PATH"] });
  assert.equal(edited.host.tools.get("does"), undefined);
  assert.match((await edited.host.service.info("far")).reason ?? "", /its files differ from the installed ones/);
});

test("startup errors distinguish a program that sends nothing, one that ends and one with another protocol, each with a fix", async (t) => {
  const help =
    /A plugin's program answers `initialize`, a line of JSON on its standard input, with a line on its standard output, and prints nothing else there: docs\/plugin-protocol\.md shows the lines/;
  const cases: { readonly [name: string]: readonly [code: string, error: RegExp] } = {
    chatty: [
      "#!/bin/sh\necho Hello, world\nexit 4\n",
      /^Cannot use the plugin "chatty": the program of the plugin "chatty" \(\.\/plugin\) ended with status 4; it sent an invalid message: Hello, world\. A plugin's program answers/,
    ],
    dies: [
      "#!/bin/sh\necho cannot find my library >&2\nexit 1\n",
      /ended with status 1; its last output: cannot find my library\. A plugin's program/,
    ],
    shebang: ["#!/no/such/interpreter\n", /cannot run: the interpreter in its first line \(#!\) is not installed/],
    mute: [
      "#!/bin/sh\necho Listening on port 80\nexec sleep 60\n",
      /did not answer within 15 s; it sent an invalid message: Listening on port 80\. A plugin's program/,
    ],
    newer: [
      `#!/bin/sh\nread -r line\necho '{"id":"a1","result":{"protocol":2}}'\nexec sleep 60\n`,
      /refused: it answers "initialize" with \{"protocol":2\}, but this version needs protocol 1\. A plugin's program/,
    ],
    refuses: [
      `#!/bin/sh\nread -r line\necho '{"id":"a1","error":{"code":-32600,"message":"not on a Tuesday"}}'\nexec sleep 60\n`,
      /refused: not on a Tuesday\. A plugin's program/,
    ],
  };
  const place = setUp(
    t,
    Object.fromEntries(
      Object.entries(cases).flatMap(([name, [code]]) => [
        [`home/plugins/${name}/plugin.yaml`, manifest(name, "program: ./plugin\n")],
        [`home/plugins/${name}/plugin`, code],
      ]),
    ),
  );
  for (const name of Object.keys(cases)) chmodSync(join(place.path, `home/plugins/${name}/plugin`), 0o755);
  const { host } = await place.start({}, { hosts: true, path: process.env["PATH"] });
  await Promise.all(
    Object.entries(cases).map(async ([name, [, error]]) => {
      const failed = await host.service.enable(name).then(
        () => "enabled",
        (cause: Error) => cause.message,
      );
      assert.match(failed, error);
      assert.match(failed, help);
    }),
  );
});

test("a registration that lacks a required field fails the plugin, with the message that was sent", async (t) => {
  const cases: { readonly [name: string]: readonly [registration: string, error: RegExp] } = {
    nameless: [
      `register("tool", "", { schema })`,
      /Its program sent a "register" of a tool without the string "name": \{"plugin":"nameless"/,
    ],
    shapeless: [`register("tool", "does")`, /of a tool whose "schema" is not a map of "description" and "parameters"/],
    kindless: [`register("widget", "does")`, /of the unknown kind "widget" \(known: tool, toolset, hook, /],
    handless: [
      `say({ method: "register", params: { plugin, kind: "hook", name: "pre_tool_call" } })`,
      /of a hook without the string "handle"/,
    ],
    streams: [`register("provider", "x", { slot: "model", id: "x" })`, /provides a model from another process/],
  };
  const place = setUp(
    t,
    Object.fromEntries(
      Object.entries(cases).flatMap(([name, [registration]]) => [
        [`home/plugins/${name}/plugin.yaml`, manifest(name, "program: ./plugin\n")],
        [`home/plugins/${name}/plugin`, pluginProgram(registration, "")],
      ]),
    ),
  );
  for (const name of Object.keys(cases)) chmodSync(join(place.path, `home/plugins/${name}/plugin`), 0o755);
  const { host } = await place.start({}, { hosts: true, path: process.env["PATH"] });
  for (const [name, [, error]] of Object.entries(cases)) await assert.rejects(host.service.enable(name), error, name);
});

test("a changed program registers again at a reload, in a new process", async (t) => {
  const place = withProgram(t, "edited", withTool(`return "before";`));
  const { host } = await place.start({}, { hosts: true });
  assert.equal(await answerOf(host, "does"), "before");
  place.write({ "home/plugins/edited/plugin": withTool(`return "after it was changed";`) });
  assert.deepEqual(
    (await host.service.reload()).started.map(({ key }) => key),
    ["edited"],
  );
  assert.equal(await answerOf(host, "does"), "after it was changed");
});
