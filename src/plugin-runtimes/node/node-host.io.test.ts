import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { answerOf, toolCall } from "../test/hosts-fixture.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";
import { lacksProgram } from "../../testing/lacks-program.ts";
import { waitFor, withTimeout } from "../../testing/wait-for.ts";

const ENABLED = (...names: readonly string[]): string => `plugins:\n  enabled: [${names.join(", ")}]\n`;
const plugin = (
  name: string,
  body: string,
  more = "",
  where = "home/plugins",
): { readonly [file: string]: string } => ({
  [`${where}/${name}/plugin.yaml`]: manifest(name, more),
  [`${where}/${name}/index.ts`]: `import { defineTool, ToolFailure, type Plugin } from "hermes-agent/plugin";\nconst register: Plugin = (ctx) => {\n  const tool = (name: string, execute: any, more: any = {}) => ctx.tool(defineTool({ name, toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute, ...more } as any));\n${body}\n};\nexport default register;\n`,
});

// row 45 of the fault matrix
// req: plugins.typescript-plugin, R-21
test("process.exit, an endless loop, too much memory and an uncaught error in a plugin end its call and never the agent", async (t) => {
  const body = `
    tool("ok", async () => process.pid);
    tool("quits", async () => process.exit(3));
    tool("loops", async () => { for (;;); });
    tool("hoards", async () => { const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1)); });
    tool("strays", async () => { setTimeout(() => { throw new Error("nobody caught this"); }, 1); await new Promise((done) => setTimeout(done, 50)); return "fine"; });
    tool("fails", async () => { throw new ToolFailure("not_found", "gone", { hint: "look elsewhere" }); });
    tool("rages", async () => { throw { code: 5, message: "quota used up" }; });
    tool("hides", async () => { throw { toString() { throw new Error("no"); } }; });
    console.log("printed at import");`;
  const { host, log } = await setUp(t, plugin("faults", body), ENABLED("faults")).start({}, { hosts: true });
  const before = await answerOf(host, "ok");
  assert.notEqual(before, String(process.pid));
  assert.equal(await answerOf(host, "strays"), '"fine"');
  assert.ok(log.lines.some(({ level, message }) => level === "error" && message.includes("nobody caught this")));
  assert.equal(await answerOf(host, "fails"), '{"error":"gone"}');
  await assert.rejects(answerOf(host, "rages"), { message: "quota used up" });
  await assert.rejects(answerOf(host, "hides"), { message: "a value that cannot be printed" });
  await assert.rejects(answerOf(host, "hoards"), /allocat|memory/i);
  const stop = new AbortController();
  const looping = answerOf(host, "loops", {}, { signal: stop.signal });
  await wait(200);
  stop.abort(new Error("enough"));
  assert.match(
    await looping,
    /The plugin \\"faults\\" did not answer: a call of the plugin \\"faults\\" ignored the cancel/,
  );
  assert.notEqual(await answerOf(host, "ok"), before);
  await wait(1_100);
  assert.match(await answerOf(host, "quits"), /did not answer: the process of your plugins ended with status 3/);
  assert.ok(log.lines.some(({ message }) => message === "printed at import"));
});

test("one request to the plugin's process returns a tool's assessment, and another its survey", async (t) => {
  const body = `
    let count = 0;
    tool("assessed", async () => count, {
      effect: undefined,
      assess: async (input: any, call: any) => {
        count++;
        return { effect: "write", risk: { answer: "ask", key: "k", reasons: ["r"], effects: [] }, untrusted: { source: call.config("mail.host") }, egress: [], touches: [call.cwd + "/a"], survey: async (signal: any) => [String(signal.aborted), String(count)] };
      },
    });
    tool("broken", async () => 1, { effect: undefined, assess: () => { throw new Error("no idea"); } });`;
  const place = setUp(t, plugin("assessing", body), ENABLED("assessing"));
  const { host } = await place.start({}, { hosts: true });
  const entry = host.tools.get("assessed")!;
  assert.deepEqual([entry.declaration.effect, entry.declaration.effectByCall], ["execute", true]);
  const tool = await entry.load();
  const context = { cwd: "/work", config: (path: string) => (path === "mail.host" ? "mx" : undefined) } as never;
  const { survey, ...assessment } = await tool.assess!({} as never, context);
  assert.deepEqual(assessment, {
    effect: "write",
    risk: { answer: "ask", key: "k", reasons: ["r"], effects: [] },
    untrusted: { source: "mx" },
    egress: [],
    touches: ["/work/a"],
  });
  assert.deepEqual(await survey!(new AbortController().signal), ["false", "1"]);
  const broken = await host.tools.get("broken")!.load();
  await assert.rejects(async () => broken.assess!({} as never, context), /no idea/);
});

// req: plugins.dispatch-tool, hooks.samples
test("the whole plugin context works in the process: config, variables, storage, calls, hooks, middleware, commands, state, questions", async (t) => {
  const body = `
    tool("reach", async (_: any, call: any) => {
      const cell = call.state({ key: "seen", initial: 0 });
      await cell.set(cell.get() + 1);
      call.progress("half way");
      await ctx.storage.set("kept", [1]);
      const answer = await call.ask({ kind: "text", text: "who?" });
      return { config: ctx.config, env: ctx.env("REACH_VAR"), other: ctx.env("OTHER"), backend: call.config("terminal.backend"), kept: await ctx.storage.get("kept"), state: cell.get(), answer: answer.text, called: JSON.parse(await ctx.dispatch_tool("echo", { a: 1 })), scratch: await call.scratch(), offered: [...(await call.offered())], spawned: call.depth === 0 && (await call.spawn({ goal: "g", message: "m", identity: "i", role: "leaf" })).text };
    }, { effect: (input: any) => "write", risk: () => ({ answer: "ask", key: "k", reasons: ["r"], effects: [] }), provenance: () => ({ source: "mail" }), reach: (input: any, call: any) => [{ kind: "send", what: call.config("terminal.backend") ?? "x" }], touches: () => ["a.txt"], survey: async (_: any, __: any, signal: any) => [String(signal.aborted)], available: (probe: any) => probe.env("REACH_VAR") ? { ok: true } : { ok: false, reason: "no" }, toModel: (output: any) => "said " + output.answer + ", " + output.spawned });
    ctx.hook("pre_tool_call", ({ tool_name }) => (tool_name === "terminal" ? { action: "block", message: "not today" } : undefined));
    ctx.middleware("tool_request", async (input, next) => next({ args: { ...input.args, added: 1 } }));
    ctx.middleware("tool_execution", async (_, next) => void (await next()));
    ctx.middleware("tool_execution", (async () => undefined) as never);
    ctx.command({ name: "wave", description: "w", run: (args, call) => "waving " + args + " in " + call.surface, complete: (args) => [args + "!"] });
    ctx.cli({ name: "greet", description: "g", input: { type: "object", properties: { loud: { type: "boolean" } } }, run: (input: any, io) => { io.out(input.loud ? "HI" : "hi"); return 5; } });`;
  const place = setUp(
    t,
    plugin(
      "whole",
      body,
      "optional_env: [REACH_VAR]\nconfig:\n  schema: { type: object, properties: { depth: { type: integer, default: 2 } } }\n",
    ),
    ENABLED("whole"),
  );
  const { host, calls } = await place.start({ REACH_VAR: "seen", OTHER: "hidden" }, { hosts: true });
  const state = new Map<string, unknown>();
  const progress: string[] = [];
  const call = {
    state: ({ key, initial }: { key: string; initial: unknown }) => ({
      get: () => state.get(key) ?? initial,
      set: async (value: unknown) => void state.set(key, value),
    }),
    progress: (text: string) => void progress.push(text),
    ask: async () => ({ kind: "text", text: "Olga" }),
    scratch: async () => "/scratch",
    depth: 0,
    offered: async () => new Set(["echo"]),
    spawn: async ({ goal }: { readonly goal: string }) => ({ text: `did ${goal}` }),
    config: (path: string) => (path === "terminal.backend" ? "local" : undefined),
  } as never;
  assert.equal(await answerOf(host, "reach", {}, call), "said Olga, did g");
  assert.deepEqual([state.get("seen"), progress, calls], [1, ["half way"], [["whole", "echo", { a: 1 }]]]);
  const tool = await host.tools.get("reach")!.load();
  assert.deepEqual(await tool.risk?.({} as never, { config: () => undefined } as never), {
    answer: "ask",
    key: "k",
    reasons: ["r"],
    effects: [],
  });
  const risky = { config: () => undefined } as never;
  assert.deepEqual(
    withoutUndefined([
      await tool.provenance?.({} as never, risky),
      await tool.reach?.({} as never, risky),
      await tool.touches?.({} as never, risky),
      await tool.survey?.({} as never, risky, new AbortController().signal),
    ]),
    [{ source: "mail" }, [{ kind: "send", what: "x" }], ["a.txt"], ["false"]],
  );
  assert.equal(
    typeof tool.effect === "function" ? await tool.effect({} as never, { config: () => undefined } as never) : "",
    "write",
  );
  assert.deepEqual(
    await tool.available?.({
      env: () => undefined,
      config: () => undefined,
      prompter: true,
      surface: "cli",
      which: async () => undefined,
    }),
    { ok: false, reason: "no" },
  );
  assert.deepEqual(await host.hooks.first("pre_tool_call", toolCall("terminal")), {
    kind: "verdict",
    verdict: { action: "block", message: "not today" },
    owner: "whole",
  });
  assert.deepEqual(
    await host.middlewares.run(
      "tool_request",
      { ...toolCall("x", { a: 1 }), original_args: {} },
      async ({ args }) => args,
    ),
    { a: 1, added: 1 },
  );
  assert.equal(
    await host.middlewares.run(
      "tool_execution",
      { ...toolCall("x", {}), effect: "none", cwd: "/", touches: [] },
      async () => "the result",
    ),
    "the result",
  );
  assert.equal(
    await host.commands.get("wave")?.run("x", { sessionId: "s", surface: "cli", signal: new AbortController().signal }),
    "waving x in cli",
  );
  assert.deepEqual(await host.commands.get("wave")?.complete?.("a"), ["a!"]);
  const printed: string[] = [];
  assert.equal(
    await host.cli.get("greet")?.run({ loud: true } as never, {
      out: (text) => void printed.push(text),
      error: () => {},
      interactive: false,
      signal: new AbortController().signal,
    }),
    5,
  );
  assert.deepEqual(printed, ["HI"]);
});

// req: plugins.register-crash
test("unloading waits for a plugin's cleanups", async (t) => {
  const body = `
    tool("ok", async () => "fine");
    ctx.onUnload(async () => {
      await new Promise((done) => setTimeout(done, 200));
      await ctx.storage.set("goodbye", true);
      (await import("node:fs")).writeFileSync(ctx.dir + "/goodbye", "said");
    });`;
  const place = setUp(t, plugin("polite", body), ENABLED("polite"));
  const { host } = await place.start({}, { hosts: true });
  assert.equal(await answerOf(host, "ok"), '"fine"');
  await host[Symbol.asyncDispose]();
  assert.equal(readFileSync(join(place.path, "home/plugins/polite/goodbye"), "utf8"), "said");
});

// row 44 of the fault matrix
test("a plugin whose register() throws halfway leaves no registrations, and the report names the line", async (t) => {
  const { host, log } = await setUp(
    t,
    {
      ...plugin("half", `    tool("first", async () => 1);\n    throw new Error("no such luck");`),
      ...plugin("good", `    tool("fine", async () => 1);`),
    },
    ENABLED("half", "good"),
  ).start({}, { hosts: true });
  assert.deepEqual(
    host.tools.list().map(({ name }) => name),
    ["fine"],
  );
  assert.equal((await host.service.list()).find(({ key }) => key === "half")?.reason, "no such luck (index.ts:5:11)");
  const line = log.lines.find(({ message }) => message.includes("no such luck"));
  assert.match(String((line?.detail as { cause?: Error } | undefined)?.cause?.stack), /half\/index\.ts:5/);
});

test("a plugin that provides a model runs inside the agent", async (t) => {
  const body = `    ctx.provide("model", { id: "echo", keyEnv: [], connect: () => ({ pid: process.pid }) as any });`;
  const place = setUp(t, plugin("models", body), ENABLED("models"));
  for (const start of ["first", "from the copy"]) {
    const { host } = await place.start({}, { hosts: true });
    const provider = await host.slots.use("model", "echo");
    assert.equal((provider.connect({ model: "m" }) as unknown as { pid: number }).pid, process.pid, start);
  }
});

// req: plugins.project-source
test("an installed plugin can access only its own folder and its grants", async (t) => {
  const server = createServer((socket) => socket.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const attempt = (name: string, code: string): string =>
    `    tool("${name}", async (_: any, call: any) => { try { ${code} } catch (error: any) { return "refused: " + (error.code ?? error.message); } });`;
  const body = [
    attempt(
      "own",
      'return (await import("node:fs")).readFileSync(import.meta.dirname + "/plugin.yaml", "utf8").slice(0, 4);',
    ),
    attempt("other", 'return (await import("node:fs")).readFileSync("/etc/hostname", "utf8");'),
    attempt("write", 'return (await import("node:fs")).writeFileSync(import.meta.dirname + "/x", "x");'),
    attempt("program", 'return (await import("node:child_process")).execSync("id").toString();'),
    attempt("thread", 'return new (await import("node:worker_threads")).Worker("", { eval: true }).threadId;'),
    attempt(
      "granted",
      `const net = await import("node:net"); return await new Promise((done, fail) => net.connect(${port}, "127.0.0.1").setEncoding("utf8").on("data", done).on("error", fail));`,
    ),
    attempt(
      "elsewhere",
      'const net = await import("node:net"); return await new Promise((done, fail) => net.connect(9, "127.0.0.2").on("connect", () => done("connected")).on("error", fail));',
    ),
    attempt("names", 'return await (await import("node:dns")).promises.resolve4("example.org");'),
    attempt("shell", 'return (await call.use("terminal")).id;'),
    attempt("tool", 'return JSON.parse(await ctx.dispatch_tool("terminal", { command: "id" })).status;'),
    attempt("spawn", 'return await call.spawn({ goal: "x", message: "x", identity: "x", role: "leaf" });'),
    attempt("settings", 'return call.config("model.provider") ?? "nothing";'),
  ].join("\n");
  const place = setUp(
    t,
    plugin("guest", body, `grants:\n  hosts: ["127.0.0.1:${port}"]\n`, "project/.hermes/plugins"),
    "",
  );
  const { host } = await place.start({}, { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") });
  await host.service.enable("guest");
  const { host: again } = await place.start(
    {},
    { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") },
  );
  const config = { config: () => "secret" } as never;
  const found: { [name: string]: string } = {};
  for (const name of [
    "own",
    "other",
    "write",
    "program",
    "thread",
    "granted",
    "elsewhere",
    "names",
    "shell",
    "tool",
    "spawn",
    "settings",
  ])
    found[name] = JSON.parse(await answerOf(again, name, {}, config)) as string;
  assert.deepEqual(found, {
    own: "name",
    other: "refused: ERR_ACCESS_DENIED",
    write: "refused: ERR_ACCESS_DENIED",
    program: "refused: ERR_ACCESS_DENIED",
    thread: "refused: ERR_ACCESS_DENIED",
    granted: "hello",
    elsewhere: "refused: ERR_ACCESS_DENIED",
    names: "refused: ERR_ACCESS_DENIED",
    shell: "refused: blocked",
    tool: "blocked",
    spawn: "refused: blocked",
    settings: "nothing",
  });
});

// req: plugins.project-source
test("a granted folder of ~/.hermes is resolved in the agent's home, and a refused one is reported by name", async (t) => {
  const body = `    tool("keep", async (input: any) => { const fs = await import("node:fs"); fs.mkdirSync(input.folder, { recursive: true }); fs.writeFileSync(input.folder + "/a", "kept"); return "kept"; }, { input: { type: "object", properties: { folder: { type: "string" } } } });`;
  const place = setUp(t, plugin("guest", body, "grants:\n  write: [~/.hermes/notes]\n", "project/.hermes/plugins"), "");
  const { host } = await place.start({}, { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") });
  await host.service.enable("guest");
  const { host: again } = await place.start(
    {},
    { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") },
  );
  assert.equal(await answerOf(again, "keep", { folder: join(place.path, "home/notes") }), '"kept"');
  assert.equal(readFileSync(join(place.path, "home/notes/a"), "utf8"), "kept");
  await assert.rejects(answerOf(again, "keep", { folder: join(place.path, "home/other") }), {
    message: `This plugin is not your own and may not write ${join(place.path, "home/other")}: its manifest does not list that folder in grants.write.`,
  });
});

const AGENT = `
const { setUp } = await import(${JSON.stringify(new URL("../../host/plugins/plugins-fixture.ts", import.meta.url).href)});
const { answerOf } = await import(${JSON.stringify(new URL("../test/hosts-fixture.ts", import.meta.url).href)});
const files = JSON.parse(process.argv[1]);
const { host } = await setUp({ after() {} }, files, "plugins:\\n  enabled: [loops, snake]\\n").start({ [process.argv[2]]: "1" }, { hosts: true });
for (const name of process.argv.slice(3)) void answerOf(host, name).catch(() => {});
process.stdout.write("ready\\n");
`;

// req: plugins.register-command, plugins.command-async, plugins.dispatch-tool, plugins.register-cli-command, hooks.samples
test("the guide's commands and hooks in TypeScript: /mystatus, /check, /scan, /deliver, `hermes my-plugin status`, a policy and a recall", async (t) => {
  const body = `
    ctx.command({ name: "mystatus", description: "Show plugin status", run: (args) => (args.trim() === "help" ? "Usage: /mystatus [help|check]" : "Plugin status: all systems nominal") });
    ctx.command({ name: "check", description: "Run async check", run: async (args) => "Check result: " + args });
    ctx.command({ name: "scan", description: "Find files matching a glob", run: (args) => ctx.dispatch_tool("terminal", { command: "find . -name '" + args + "'" }) });
    ctx.command({ name: "deliver", description: "Delegate a goal to a subagent", run: (args) => ctx.dispatch_tool("delegate_task", { goal: args, toolsets: ["terminal", "file", "web"] }) });
    ctx.cli({ name: "my-plugin", description: "Manage my plugin", input: { type: "object", properties: { action: { type: "string", enum: ["status", "config"] } } }, run: ({ action }: any, io) => io.out(action === "status" ? "All good!\\n" : "Current config: ...\\n") });
    ctx.hook("pre_llm_call", () => ({ context: "Be kind." }));
    ctx.hook("pre_llm_call", ({ session_id, user_message, is_first_turn }) => (is_first_turn ? undefined : "Recalled for " + session_id + ": " + user_message));`;
  const { host, calls } = await setUp(t, plugin("my-plugin", body), ENABLED("my-plugin")).start({}, { hosts: true });
  const call = { sessionId: "s", surface: "cli", signal: new AbortController().signal };
  const run = async (name: string, args: string) => host.commands.get(name)?.run(args, call);
  assert.equal(await run("mystatus", ""), "Plugin status: all systems nominal");
  assert.equal(await run("mystatus", " help "), "Usage: /mystatus [help|check]");
  assert.equal(await run("check", "x  y"), "Check result: x  y");
  assert.deepEqual([await run("scan", "*.ts"), await run("deliver", "write it")], ['{"got":1}', '{"got":1}']);
  assert.deepEqual(calls, [
    ["my-plugin", "terminal", { command: "find . -name '*.ts'" }],
    ["my-plugin", "delegate_task", { goal: "write it", toolsets: ["terminal", "file", "web"] }],
  ]);
  let printed = "";
  await host.cli.get("my-plugin")?.run({ action: "status" } as never, {
    out: (text) => void (printed += text),
    error: () => undefined,
    interactive: false,
    signal: call.signal,
  });
  assert.equal(printed, "All good!\n");
  const turn = {
    session_id: "s",
    model: "m",
    platform: "cli",
    task_id: "t",
    turn_id: "u",
    user_message: "hello",
    conversation_history: [],
  };
  const pieces = async (first: boolean) =>
    (await host.hooks.collect("pre_llm_call", { ...turn, is_first_turn: first })).map(({ piece }) => piece);
  assert.deepEqual(
    [await pieces(true), await pieces(false)],
    [[{ context: "Be kind." }], [{ context: "Be kind." }, "Recalled for s: hello"]],
  );
});

test("model middleware in another Node process rewrites a request, and wraps or refuses it", async (t) => {
  const body = `
    ctx.middleware("llm_request", async (input, next) => next({ request: { ...input.request, temperature: 0.5 } }));
    ctx.middleware("llm_execution", async (input, next) => {
      if (JSON.stringify(input.request.messages.at(-1)).includes("refuse")) return { type: "end", kind: "answer", parts: [{ type: "text", text: "Not today." }], finish: "stop", usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 } };
      const end = await next({ request: { ...input.request, maxOutputTokens: 7 } });
      return end.kind === "answer" ? { ...end, parts: end.parts.map((part) => (part.type === "text" ? { ...part, text: part.text.toUpperCase() } : part)) } : end;
    });`;
  const { host } = await setUp(t, plugin("models", body), ENABLED("models")).start({}, { hosts: true });
  const model = scriptedModel([{ text: "hello" }]);
  await using agent = await testSession({ model, ports: { hooks: host.hooks, middlewares: host.middlewares } });
  assert.equal((await agent.session.send("hi")).text, "HELLO");
  assert.equal((await agent.session.send("refuse")).text, "Not today.");
  assert.deepEqual(
    model.requests.map(({ temperature, maxOutputTokens }) => [temperature, maxOutputTokens]),
    [[0.5, 7]],
  );
});

const SPINNING = `import re

def loops(args, **k):
    while True:
        pass

def stubborn(args, **k):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

def in_c(args, **k):
    # The regular expression's engine holds the interpreter until it is done, in some thousand years.
    re.match(r"(a|a)*$", "a" * 60 + "b")

def register(ctx):
    for run in (loops, stubborn, in_c):
        ctx.register_tool(name="py_" + run.__name__, toolset="t", schema={}, handler=run)
`;

for (const [what, name] of [
  ["an endless loop in Node", "loops"],
  ["an endless loop in Python", "py_loops"],
  ["a loop that takes every exception", "py_stubborn"],
  ["C code that holds the interpreter", "py_in_c"],
] as const) {
  // req: R-21
  test(
    `kill -9 of the agent ends a plugin's process within two seconds: ${what}`,
    { skip: process.platform === "linux" ? lacksProgram("python3") : "looks into /proc" },
    async (t) => {
      const mark = `HERMES_TEST_${Math.floor(Math.random() * 1e9)}`;
      // A killed process cleans up nothing.
      const folder = mkdtempSync(join(tmpdir(), "killed-agent-"));
      const files = {
        ...plugin("loops", `    tool("loops", async () => { for (;;); });`),
        "home/plugins/snake/plugin.yaml": manifest("snake"),
        "home/plugins/snake/__init__.py": SPINNING,
      };
      const agent = spawn(
        process.execPath,
        ["--conditions=hermes-source", "--input-type=module", "-e", AGENT, JSON.stringify(files), mark, name],
        { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TMPDIR: folder } },
      );
      t.after(() => {
        agent.kill("SIGKILL");
        for (const left of children(mark, -1)) process.kill(left, "SIGKILL");
        rmSync(folder, { recursive: true, force: true });
      });
      await withTimeout(once(agent.stdout, "data"), { what: "the process prints a line" });
      // It is in the loop once it has used more processor time than a start takes.
      await waitFor(() => children(mark, agent.pid!).some((pid) => processorTicks(pid) > 60));
      agent.kill("SIGKILL");
      await withTimeout(once(agent, "exit"), { what: "the process exits" });
      const watch = new Stopwatch();
      while (children(mark, agent.pid!).length > 0) {
        watch.assertWithin(2_000, "the end of the plugins' processes");
        await wait(50);
      }
    },
  );
}

/** Hundredths of a second. */
function processorTicks(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[11]);
  } catch {
    return 0; // It ended meanwhile.
  }
}

function children(mark: string, except: number): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      if (!(pid > 0) || pid === except) return false;
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark) &&
          readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z"
        );
      } catch {
        return false; // It ended meanwhile.
      }
    });
}
