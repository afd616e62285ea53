import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import type { App } from "../../../src/contract/services/app.ts";
import { HOOK_KINDS } from "../../../src/contract/plugins/hook.ts";
import type { Platform, PlatformConfig } from "../../../src/contract/providers/platform.ts";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { Gateway } from "../../../src/surfaces/gateway/gateway.ts";
import type { PlatformPlan } from "../../../src/surfaces/shared/gateway/platform-plans.ts";
import { runSlashCommand } from "../../../src/surfaces/shared/commands/run-slash-command.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";
import { withTimeout } from "../../../src/testing/wait-for.ts";

interface Received {
  readonly hook: string;
  readonly payload: { readonly [key: string]: unknown };
}

const STUB = join(import.meta.dirname, "../../servers/mcp-stub.ts");
const PYTHON = spawnSync("python3", ["--version"]).status === 0;

/**
 * A plugin that subscribes to all hooks, calls tools in each way a plugin can, and refuses calls that name
 * `refused.txt`.
 */
const RECORDER = (file: string): string => `
import { appendFileSync } from "node:fs";
const tell = (hook, payload) => appendFileSync(${JSON.stringify(file)}, JSON.stringify({ hook, payload }) + "\\n");
export default (ctx) => {
  for (const hook of ${JSON.stringify(Object.keys(HOOK_KINDS))}) ctx.hook(hook, (payload) => { tell(hook, payload); });
  for (const kind of ["tool_request", "tool_execution"]) ctx.middleware(kind, (input, next) => { tell(kind, input); return next(); });
  ctx.hook("pre_tool_call", ({ tool_name, args }) => ["read_file", "mcp__hut__read"].includes(tool_name) && args.path === "refused.txt" ? { action: "block", message: "Nobody reads that." } : undefined);
  ctx.hook("pre_command", ({ command }) => command === "profile" ? { action: "block", message: "No profiles." } : undefined);
  const inner = { toolset: "x", effect: "read", input: { type: "object", properties: { path: { type: "string" } } } };
  ctx.tool({ ...inner, name: "by_call", description: "Calls as a tool does.", execute: ({ path }, call) => call.call("read_file", { path }).then(({ kind }) => ({ kind })) });
  ctx.tool({ ...inner, name: "by_context", description: "Calls as a plugin does.", execute: ({ path }) => ctx.call("read_file", { path }).then(({ kind }) => ({ kind })) });
  ctx.command({ name: "peek", description: "Calls as a command does.", run: (path) => ctx.call("read_file", { path }).then(({ kind }) => kind) });
  ctx.command({ name: "fetch", description: "Calls an MCP server.", run: (path) => ctx.call("mcp__hut__read", { path }).then(({ kind }) => kind) });
  ctx.command({ name: "deliver", description: "Delegates.", run: (goal) => ctx.dispatch_tool("delegate_task", { goal }) });
  ctx.command({ name: "dispatch", description: "Calls by the seeds' name.", run: (path) => ctx.dispatch_tool("read_file", { path }) });
};
`;

const CROSSING = `
import json

def through(args, **kwargs):
    return ctx.dispatch_tool("read_file", {"path": args["path"]})

def typed(raw):
    return ctx.dispatch_tool("read_file", {"path": raw})

def register(context):
    global ctx
    ctx = context
    ctx.register_tool(name="by_python", toolset="x", schema={"description": "Calls from Python.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}, handler=through)
    ctx.register_hook("pre_command", lambda command, **more: {"action": "rewrite", "command": "version"} if command == "status" else None)
    ctx.register_command("snake", handler=typed, description="Calls from Python.")
`;

interface Scene {
  readonly app: App;
  readonly session: Session;
  received(): readonly Received[];
}

async function scene(t: TestContext, server: { readonly url: string }): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const user = stack.use(new NewUser());
  const file = join(user.home, "heard.jsonl");
  user.write(
    "~/.hermes/plugins/recorder/plugin.yaml",
    "name: recorder\nversion: 1.0.0\ndescription: Hears everything\n",
  );
  user.write("~/.hermes/plugins/recorder/index.mjs", RECORDER(file));
  if (PYTHON) {
    user.write(
      "~/.hermes/plugins/crossing/plugin.yaml",
      "name: crossing\nversion: 1.0.0\ndescription: Calls from Python\n",
    );
    user.write("~/.hermes/plugins/crossing/__init__.py", CROSSING);
  }
  const hut = `mcp_discovery_timeout: 60\nmcp_servers:\n  hut:\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([STUB])}\n    cwd: ${JSON.stringify(user.folder)}\n    trusted: true\n`;
  user.connect("custom", server.url, `${hut}plugins:\n  enabled: [recorder${PYTHON ? ", crossing" : ""}]\n`);
  PATHS.forEach((_, index) => user.write(`${index}.txt`, "alpha"));
  user.write("refused.txt", "beta");
  const app = stack.use(
    await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    }),
  );
  const answers = ["once", undefined] as const;
  let asked = 0;
  const session = await app.openSession({
    surface: "cli",
    cwd: user.folder,
    prompter: {
      ask: async () =>
        answers[asked++] === "once" ? { kind: "approved", scope: "once" } : { kind: "none", reason: "timeout" },
    },
  });
  return {
    app,
    session,
    received: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as Received)
        : [],
  };
}

/** Every way there is to a tool. Each leads to one call of `read_file`, or of the tool that it names. */
const PATHS: readonly {
  readonly path: string;
  readonly tool?: string;
  /** Of the guide's table. */ readonly row: number;
  readonly skip?: boolean;
  /** The call is in another session than the user's. */ readonly ownSession?: true;
  go(scene: Scene, file: string): Promise<unknown>;
}[] = [
  { path: "the model", row: 0, go: ({ session }, file) => session.send(`read_file ${file}`) },
  {
    path: "the model, to an MCP server",
    row: 0,
    tool: "mcp__hut__read",
    go: ({ session }, file) => session.send(`mcp__hut__read ${file}`),
  },
  {
    path: "a plugin's command, to an MCP server",
    row: 3,
    tool: "mcp__hut__read",
    go: (at, file) => slash(at, `/fetch ${file}`),
  },
  { path: "a person, by hand", row: 1, go: ({ session }, file) => session.call("read_file", { path: file }) },
  { path: "a tool, by call.call", row: 2, go: ({ session }, file) => session.call("by_call", { path: file }) },
  {
    path: "a plugin's tool, by ctx.call",
    row: 2,
    go: ({ session }, file) => session.call("by_context", { path: file }),
  },
  {
    path: "a script of execute_code",
    row: 2,
    skip: !PYTHON,
    go: ({ session }, file) =>
      session.call("execute_code", { code: `from hermes_tools import read_file; read_file("${file}")` }),
  },
  { path: "the model's call of a tool that calls", row: 0, go: ({ session }, file) => session.send(`by_call ${file}`) },
  {
    path: "a subagent's model",
    row: 4,
    ownSession: true,
    go: ({ session }, file) => session.send(`delegate_task read_file ${file}`),
  },
  {
    path: "a subagent's model, by a tool that calls",
    row: 4,
    ownSession: true,
    go: ({ session }, file) => session.send(`delegate_task by_context ${file}`),
  },
  {
    path: "a subagent of a slash command",
    row: 5,
    ownSession: true,
    go: (at, file) => slash(at, `/deliver read_file ${file}`),
  },
  { path: "the model of a scheduled run", row: 0, ownSession: true, go: scheduled },
  { path: "the model of a chat", row: 0, ownSession: true, go: chatted },
  { path: "a slash command, by ctx.call", row: 3, go: (at, file) => slash(at, `/peek ${file}`) },
  { path: "a slash command, by ctx.dispatch_tool", row: 3, go: (at, file) => slash(at, `/dispatch ${file}`) },
  {
    path: "a Python tool, by ctx.dispatch_tool",
    row: 2,
    skip: !PYTHON,
    go: ({ session }, file) => session.call("by_python", { path: file }),
  },
  {
    path: "a Python slash command, by ctx.dispatch_tool",
    row: 3,
    skip: !PYTHON,
    go: (at, file) => slash(at, `/snake ${file}`),
  },
];

/** A separate conversation without a user. */
async function scheduled({ app, session }: Scene, file: string): Promise<void> {
  await using run = await app.openSession({ surface: "cron", cwd: session.cwd });
  await run.send(`read_file ${file}`);
}

/** A message that comes in by a platform. */
async function chatted({ app, session }: Scene, file: string): Promise<void> {
  const service = await app.gateway();
  const answered = Promise.withResolvers<void>();
  let receive: PlatformConfig["message"] | undefined;
  const platform: Platform = {
    name: "line",
    label: "Line",
    adapter_factory: ({ message }) => (
      (receive = message),
      { connect: () => true, disconnect() {}, send: () => answered.resolve() }
    ),
  };
  const plan: PlatformPlan = {
    name: "line",
    label: "Line",
    plugin: "line",
    emoji: "",
    hint: "",
    state: "ready",
    lacks: [],
    missing: [],
    settings: { enabled: true, extra: {} },
    homeChannel: undefined,
    load: async () => platform,
  };
  const gateway = new Gateway({
    app,
    service: { ...service, variable: (name) => (name === "LINE_ALLOWED_USERS" ? "ada" : undefined) },
    lanes: await service.lanes(),
    cwd: session.cwd,
    plans: [plan],
    timing: { connectMs: 60_000, retryMs: 1000 },
    changed() {},
  });
  await gateway.start();
  await receive!({ text: `read_file ${file}`, chat_id: "c", user_id: "ada" });
  await withTimeout(answered.promise, { what: "the answer arrives" });
  await gateway.stop(60_000);
}

function slash({ app, session }: Scene, line: string): Promise<unknown> {
  return runSlashCommand(line, {
    app,
    session: () => session,
    surface: "cli",
    signal: new AbortController().signal,
    terminal: true,
  });
}

const ROAD = ["tool_request", "pre_tool_call", "tool_execution", "transform_tool_result", "post_tool_call"];

/** The model's behaviour for the input `TOOL FILE`. */
function obeying({ body }: { readonly body: string }) {
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const last = messages.at(-1)!;
  const words = typeof last.content === "string" ? last.content : JSON.stringify(last.content);
  const [, goal] = /delegate_task (\w+ \S+?)["\\]?$/.exec(words) ?? [];
  if (last.role === "user" && goal !== undefined) return { calls: [{ tool: "delegate_task", args: { goal } }] };
  const [, tool, path] = /(read_file|by_call|by_context|mcp__hut__read) (\S+?)["\\]?$/.exec(words) ?? [];
  return last.role === "user" && tool !== undefined ? { calls: [{ tool, args: { path } }] } : { text: "done" };
}

/** The guide's table; its cells are the received hooks. */
function guideTable(page: string): readonly (readonly boolean[])[] {
  const lines = readFileSync(join(import.meta.dirname, "../../..", page), "utf8").split("\n");
  const from = lines.findIndex((line) => /^\|.*`pre_command`.*`post_tool_call`/.test(line)) + 2;
  return lines.slice(from, lines.indexOf("", from)).map((line) =>
    line
      .split("|")
      .slice(2, -1)
      .map((cell) => cell.trim() === "✓"),
  );
}

// req: R-60, hooks.pre-tool-call, hooks.post-tool-call
test("hook × path: on every path to a tool, each hook receives a call once, in order, with the same payload", async (t) => {
  await using server = await startOpenAiServer(obeying);
  const at = await scene(t, server);
  const guides = ["docs/plugins.md", "docs/zh-Hans/plugins.md"].map(guideTable);
  for (const [index, { path, tool = "read_file", row, skip, ownSession, go }] of PATHS.entries()) {
    if (skip === true) continue;
    const before = at.received().length;
    const file = `${index}.txt`;
    await go(at, file);
    const received = new Set(
      at
        .received()
        .slice(before)
        .map(({ hook }) => hook),
    );
    const groups = [
      ["pre_command"],
      ["subagent_start", "subagent_stop"],
      ["pre_llm_call", "pre_api_request", "post_api_request", "on_session_end"],
      ROAD.filter((hook) => hook in HOOK_KINDS),
    ];
    for (const guide of guides)
      assert.deepEqual(
        guide[row],
        groups.map((group) => group.every((hook) => received.has(hook))),
        path,
      );
    const of = at
      .received()
      .slice(before)
      .filter(({ payload }) => payload["tool_name"] === tool);
    assert.deepEqual(
      of.map(({ hook }) => hook),
      ROAD,
      path,
    );
    const own = ownSession === true ? of[0]!.payload["session_id"] : at.session.id;
    assert.equal(own === at.session.id, ownSession !== true, path);
    for (const { payload } of of) {
      assert.deepEqual(
        [payload["args"], payload["session_id"], payload["task_id"], payload["tool_call_id"]],
        [{ path: file }, own, own, of[0]!.payload["tool_call_id"]],
        path,
      );
    }
    assert.deepEqual(of.at(-1)!.payload["status"], "ok", path);
  }
});

// req: R-60, hooks.pre-tool-call-return
test("a guard's block applies on every path to a tool, and observers receive it", async (t) => {
  await using server = await startOpenAiServer(obeying);
  const at = await scene(t, server);
  for (const { path, tool = "read_file", skip, go } of PATHS) {
    if (skip === true) continue;
    const before = at.received().length;
    await go(at, "refused.txt");
    const of = at
      .received()
      .slice(before)
      .filter(({ payload }) => payload["tool_name"] === tool);
    assert.deepEqual(
      of.map(({ hook }) => hook),
      ["tool_request", "pre_tool_call", "post_tool_call"],
      path,
    );
    assert.deepEqual(
      [of.at(-1)!.payload["status"], /Nobody reads that\./.test(String(of.at(-1)!.payload["result"]))],
      ["blocked", true],
      path,
    );
  }
});

// req: R-60, hooks.subagent-stop
test("observers receive a subagent's turn, requests and end, with its session and its parent's", async (t) => {
  await using server = await startOpenAiServer(obeying);
  const at = await scene(t, server);
  await at.session.send("delegate_task read_file 0.txt");
  const child = at.received().find(({ hook }) => hook === "subagent_start")!.payload["child_session_id"];
  const output = at
    .received()
    .filter(
      ({ hook, payload }) => hook in HOOK_KINDS && [payload["session_id"], payload["child_session_id"]].includes(child),
    );
  assert.deepEqual(
    output.map(({ hook }) => hook),
    [
      "subagent_start",
      "on_session_start",
      "pre_llm_call",
      "pre_api_request",
      "post_api_request",
      "pre_tool_call",
      "transform_tool_result",
      "post_tool_call",
      "pre_api_request",
      "post_api_request",
      "transform_llm_output",
      "post_llm_call",
      "on_session_end",
      "subagent_stop",
      "on_session_finalize",
    ],
  );
  for (const { hook, payload } of output)
    if (!/_tool_|tool_result/.test(hook)) assert.equal(payload["parent_session_id"], at.session.id, hook);
  const { duration_ms, parent_turn_id, ...stop } = output.find(({ hook }) => hook === "subagent_stop")!.payload;
  assert.deepEqual(
    [stop, typeof duration_ms, typeof parent_turn_id],
    [
      {
        parent_session_id: at.session.id,
        child_session_id: child,
        child_role: "leaf",
        child_summary: "done",
        child_status: "completed",
      },
      "number",
      "string",
    ],
  );
});

const IDS = ["session_id", "model", "platform"];
const TURN = [...IDS, "task_id", "turn_id"];
const REQUEST = [...TURN, "api_request_id", "provider", "api_call_count"];
const TIMES = ["api_duration", "started_at", "ended_at"];
const CALL = ["tool_name", "args", "task_id", "session_id", "tool_call_id", "turn_id"];
const APPROVAL = [
  "command",
  "description",
  "pattern_key",
  "pattern_keys",
  "session_key",
  "surface",
  "tool_call_id",
  "risk",
];
/** The keys that the original documents, of every hook that this version emits. */
const PAYLOADS: { readonly [hook: string]: readonly string[] } = {
  on_session_start: IDS,
  pre_llm_call: [...TURN, "user_message", "conversation_history", "is_first_turn"],
  pre_api_request: [
    ...REQUEST,
    "user_message",
    "request",
    "message_count",
    "tool_count",
    "approx_input_tokens",
    "request_char_count",
    "started_at",
  ],
  post_api_request: [
    ...REQUEST,
    ...TIMES,
    "message_count",
    "finish_reason",
    "usage",
    "assistant_message",
    "assistant_content_chars",
    "assistant_tool_call_count",
  ],
  api_request_error: [...REQUEST, ...TIMES, "request", "failure", "retry_count", "max_retries", "retryable"],
  pre_tool_call: CALL,
  pre_approval_request: APPROVAL,
  post_approval_response: [...APPROVAL, "choice", "decision"],
  transform_terminal_output: ["value", "command", "task_id", "returncode", "env_type"],
  transform_tool_result: [...CALL, "value", "duration_ms"],
  post_tool_call: [...CALL, "result", "outcome", "duration_ms", "status"],
  pre_verify: [...TURN, "attempt", "final_response", "changed_paths"],
  transform_llm_output: [...TURN, "value"],
  post_llm_call: [...TURN, "user_message", "assistant_response", "conversation_history"],
  on_session_end: [...IDS, "completed", "interrupted", "task_id", "turn_id", "turn_exit_reason"],
  pre_command: ["session_id", "platform", "command", "raw_command", "args"],
  on_session_finalize: ["session_id", "platform", "reason"],
  on_session_reset: ["session_id", "platform", "reason"],
};

// req: hooks.on-session-reset, hooks.on-session-finalize, hooks.api-request-events, hooks.on-session-start, hooks.pre-llm-call
test("one conversation with failures, approvals, a command and a new session sends every hook its documented payload in order", async (t) => {
  await using server = await startOpenAiServer([
    { status: 503 },
    { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
    { calls: [{ tool: "terminal", args: { command: "rm -rf dist" } }] },
    { calls: [{ tool: "write_file", args: { path: "b.txt", content: "x" } }] },
    { text: "done" },
  ]);
  const at = await scene(t, server);
  assert.equal((await at.session.send("tidy")).reason, "done");
  let front = at.session;
  const host = {
    app: at.app,
    session: () => front,
    surface: "cli",
    signal: new AbortController().signal,
    terminal: true as const,
    async switchSession() {
      const next = await at.app.openSession({ surface: "cli", cwd: front.cwd });
      const before = front;
      front = next;
      await before[Symbol.asyncDispose]();
    },
  };
  assert.deepEqual(await runSlashCommand("/reset", host), { ok: true, text: "Started a new session." });
  const output = at.received().filter(({ hook }) => hook in HOOK_KINDS);
  const call = (tool: string) => [
    "pre_tool_call",
    ...(tool === "refused"
      ? ["pre_approval_request", "post_approval_response", "post_tool_call"]
      : tool === "asked"
        ? [
            "pre_approval_request",
            "post_approval_response",
            "transform_terminal_output",
            "transform_tool_result",
            "post_tool_call",
          ]
        : ["transform_tool_result", "post_tool_call"]),
  ];
  const step = (tool: string) => ["pre_api_request", "post_api_request", ...call(tool)];
  assert.deepEqual(
    output.map(({ hook }) => hook),
    [
      "on_session_start",
      "pre_llm_call",
      "pre_api_request",
      "api_request_error",
      ...step("asked"),
      ...step("refused"),
      ...step("plain"),
      "pre_api_request",
      "post_api_request",
      "pre_verify",
      "transform_llm_output",
      "post_llm_call",
      "on_session_end",
      "pre_command",
      "on_session_finalize",
      "on_session_reset",
    ],
  );
  for (const { hook, payload } of output)
    assert.deepEqual(Object.keys(payload).sort(), [...PAYLOADS[hook]!].sort(), hook);
  const untold = Object.keys(HOOK_KINDS).filter((hook) => !(hook in PAYLOADS));
  assert.deepEqual(
    untold,
    [
      "subagent_start",
      "subagent_stop",
      "pre_gateway_dispatch",
      "kanban_task_claimed",
      "kanban_task_completed",
      "kanban_task_blocked",
    ],
    "the test below covers these hooks, or this version never calls them",
  );
  const values = (hook: string, key: string) =>
    output.filter((one) => one.hook === hook).map(({ payload }) => payload[key]);
  assert.deepEqual(values("post_approval_response", "choice"), ["once", "timeout"]);
  assert.deepEqual(values("post_tool_call", "status"), ["ok", "blocked", "ok"]);
  assert.deepEqual(values("pre_verify", "changed_paths"), [["b.txt"]]);
  assert.deepEqual([values("pre_command", "command"), values("pre_command", "raw_command")], [["new"], ["reset"]]);
  assert.deepEqual(values("on_session_finalize", "session_id"), [at.session.id]);
  assert.deepEqual(values("on_session_reset", "session_id"), [front.id]);
  assert.notEqual(front.id, at.session.id);
});

test("a plugin in a Node or Python process may refuse or replace a slash command", async (t) => {
  await using server = await startOpenAiServer(obeying);
  const at = await scene(t, server);
  assert.deepEqual(await slash(at, "/profile"), { ok: false, text: "No profiles." });
  if (PYTHON) assert.deepEqual(await slash(at, "/status"), { ok: true, text: "0" });
  assert.deepEqual(await slash(at, "/version"), { ok: true, text: "0" });
});

// req: hooks.on-session-end, hooks.on-session-finalize
test("leaving during a turn reports its end as interrupted, then the session's end, each once", async (t) => {
  await using server = await startOpenAiServer([{ calls: [{ tool: "terminal", args: { command: "sleep 60" } }] }]);
  const at = await scene(t, server);
  const turn = at.session.send("sleep");
  while (!at.received().some(({ hook }) => hook === "tool_execution"))
    await new Promise((done) => setTimeout(done, 20));
  await at.session[Symbol.asyncDispose]();
  await turn;
  const ends = at.received().filter(({ hook }) => hook === "on_session_end" || hook === "on_session_finalize");
  assert.deepEqual(
    ends.map(({ hook, payload }) => [hook, payload["completed"], payload["interrupted"], payload["session_id"]]),
    [
      ["on_session_end", false, true, at.session.id],
      ["on_session_finalize", undefined, undefined, at.session.id],
    ],
  );
});
