import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

interface Received {
  readonly hook: string;
  readonly payload: { readonly [key: string]: unknown };
}

const HOOKS = [
  "pre_tool_call",
  "post_tool_call",
  "transform_tool_result",
  "transform_terminal_output",
  "pre_llm_call",
  "post_llm_call",
  "pre_api_request",
  "post_api_request",
  "on_session_start",
  "on_session_end",
  "on_session_finalize",
  "on_session_reset",
  "subagent_stop",
  "pre_gateway_dispatch",
];

/** A plugin that records every hook it receives, and adds `body`. */
function recorder(user: NewUser, body = ""): () => readonly Received[] {
  const file = join(user.home, "heard.jsonl");
  user.write(
    "~/.hermes/plugins/recorder/plugin.yaml",
    "name: recorder\nversion: 1.0.0\ndescription: Writes down what it hears\n",
  );
  user.write(
    "~/.hermes/plugins/recorder/index.mjs",
    `
import { appendFileSync } from "node:fs";
export default (ctx) => {
  const file = ${JSON.stringify(file)};
  for (const hook of ${JSON.stringify(HOOKS)}) ctx.hook(hook, (payload) => { appendFileSync(file, JSON.stringify({ hook, payload }) + "\\n"); });
  ${body}
};
`,
  );
  return () =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Received)
      : [];
}

const ENABLED = "plugins:\n  enabled: [recorder]\n";

// req: hooks.pre-tool-call, hooks.post-tool-call, hooks.api-request-events, hooks.on-session-start, hooks.on-session-end
test("a plugin receives every step of a turn: session, requests, each tool before and after it ran, the end", async () => {
  using user = new NewUser();
  const slow =
    'ctx.tool({ name: "slow", toolset: "x", description: "Waits.", effect: "none", input: { type: "object", properties: {} }, execute: () => new Promise((done) => setTimeout(() => done("waited"), 60)) });';
  const received = recorder(user, slow);
  await using server = await startOpenAiServer([
    { calls: [{ tool: "read_file", args: { path: "a.txt" } }] },
    { calls: [{ tool: "todo", args: { todos: [{ id: "1", content: "look", status: "pending" }] } }] },
    { calls: [{ tool: "slow", args: {} }] },
    { calls: [{ tool: "read_file", args: { path: "missing.txt" } }] },
    { text: "done" },
  ]);
  user.connect("custom", server.url, ENABLED);
  user.write("a.txt", "alpha");
  const { status, err } = await user.run(["chat", "-q", "look"]);
  assert.equal(status, 0, err);
  const all = received();
  assert.deepEqual(
    all.map(({ hook }) => hook),
    [
      "on_session_start",
      "pre_llm_call",
      ...[1, 2, 3, 4].flatMap((step) => [
        "pre_api_request",
        "post_api_request",
        "pre_tool_call",
        ...(step < 4 ? ["transform_tool_result"] : []),
        "post_tool_call",
      ]),
      "pre_api_request",
      "post_api_request",
      "post_llm_call",
      "on_session_end",
      "on_session_finalize",
    ],
  );
  const before = all.filter(({ hook }) => hook === "pre_tool_call").map(({ payload }) => payload);
  const after = all.filter(({ hook }) => hook === "post_tool_call").map(({ payload }) => payload);
  const sessionId = all[0]!.payload["session_id"];
  assert.deepEqual(
    before.map(({ tool_name, args }) => [tool_name, args]),
    [
      ["read_file", { path: "a.txt" }],
      ["todo", { todos: [{ id: "1", content: "look", status: "pending" }] }],
      ["slow", {}],
      ["read_file", { path: "missing.txt" }],
    ],
  );
  assert.ok(before.every(({ task_id, session_id }) => task_id === sessionId && session_id === sessionId));
  assert.deepEqual(
    after.map(({ tool_name, status: how }) => [tool_name, how]),
    [
      ["read_file", "ok"],
      ["todo", "ok"],
      ["slow", "ok"],
      ["read_file", "error"],
    ],
  );
  assert.ok(Number(after[2]!["duration_ms"]) >= 50, String(after[2]!["duration_ms"]));
  assert.equal(typeof (JSON.parse(String(after[3]!["result"])) as { readonly error: unknown }).error, "string");
  assert.equal((all.at(-1)!.payload as { readonly platform: unknown }).platform, "cli");
});

// req: hooks.pre-tool-call-return
test("ignores a guard's return value unless it is a valid block; then the model reads its message and nothing runs", async () => {
  using user = new NewUser();
  recorder(
    user,
    `
  const answers = ["no", 7, { block: true }, { action: "block" }, { action: "block", message: "Not on Sundays." }];
  ctx.hook("pre_tool_call", () => answers.shift());`,
  );
  const calls = ["a", "b", "c", "d", "e"].map((name) => ({
    calls: [{ tool: "write_file", args: { path: `${name}.txt`, content: "x" } }],
  }));
  await using server = await startOpenAiServer([...calls, { text: "done" }]);
  user.connect("custom", server.url, ENABLED);
  const { status, err } = await user.run(["chat", "-q", "write"]);
  assert.equal(status, 0, err);
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].map((name) => existsSync(join(user.folder, `${name}.txt`))),
    [true, true, true, true, false],
  );
  assert.match(server.requests.at(-1)!.body, /Not on Sundays\./);
});

test("cleans and masks terminal output after plugins rewrote it", async () => {
  using user = new NewUser();
  const received = recorder(
    user,
    'ctx.hook("transform_terminal_output", ({ value }) => value.replace("plain", "\\u001b[31mrewritten\\u001b[0m sk-ant-REDACTED"));',
  );
  user.write("~/.hermes/config.yaml", ENABLED);
  const { out, err } = await user.run(["tools", "call", "terminal", '{"command":"echo plain; exit 3"}']);
  const result = JSON.parse(out) as { readonly output: string; readonly exit_code: number };
  assert.equal(result.exit_code, 3, err);
  assert.match(result.output, /^rewritten (?!sk-ant-api03-abc)/);
  const { payload } = received().find(({ hook }) => hook === "transform_terminal_output")!;
  assert.deepEqual(
    { ...payload, task_id: typeof payload["task_id"] },
    { value: "plain\n", command: "echo plain; exit 3", task_id: "string", returncode: 3, env_type: "local" },
  );
});

test("calls by a user, a slash command and another tool pass the same hooks once each; the session's end is reported once", async () => {
  using user = new NewUser();
  const received = recorder(
    user,
    `
  ctx.tool({ name: "outer", toolset: "x", description: "Calls.", effect: "read", input: { type: "object", properties: {} }, execute: async (_, call) => (await call.call("read_file", { path: "a.txt" })).kind });
  ctx.command({ name: "peek", description: "Reads", run: async () => (await ctx.call("read_file", { path: "a.txt" })).kind });`,
  );
  user.write("~/.hermes/config.yaml", ENABLED);
  user.write("a.txt", "alpha");
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const names = () =>
    received()
      .filter(({ hook }) => hook === "pre_tool_call" || hook === "post_tool_call")
      .map(({ hook, payload }) => `${hook === "pre_tool_call" ? "+" : "-"}${String(payload["tool_name"])}`);
  try {
    const session = await app.openSession({ surface: "cli", cwd: user.folder });
    assert.equal(
      await app.commands
        .get("peek")!
        .run("", { sessionId: session.id, surface: "cli", signal: new AbortController().signal }),
      "ok",
    );
    assert.deepEqual(names(), ["+read_file", "-read_file"]);
    assert.equal((await session.call("outer", {})).kind, "ok");
    assert.deepEqual(names().slice(2), ["+outer", "+read_file", "-read_file", "-outer"]);
    const second = await app.openSession({ surface: "cli", cwd: user.folder });
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    assert.deepEqual(
      received().flatMap(({ hook, payload }) => (hook === "on_session_finalize" ? [payload] : [])),
      [{ session_id: session.id, platform: "cli", reason: "shutdown" }],
    );
    await second.call("read_file", { path: "a.txt" });
    await second.close("session_boundary");
    assert.equal(
      received().findLast(({ hook }) => hook === "on_session_finalize")?.payload["reason"],
      "session_boundary",
    );
  } finally {
    await app[Symbol.asyncDispose]();
  }
  assert.equal(received().filter(({ hook }) => hook === "on_session_finalize").length, 2);
});

test("hooks.output_spill sets where a long context is saved and how much of its ends is sent", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Fine." }]);
  user.connect(
    "custom",
    server.url,
    "hooks:\n  output_spill: { max_chars: 100, preview_head: 5, preview_tail: 4, directory: kept }\nplugins:\n  enabled: [long]\n",
  );
  user.write("~/.hermes/plugins/long/plugin.yaml", "name: long\nversion: 1.0.0\ndescription: Says much.\n");
  user.write(
    "~/.hermes/plugins/long/index.js",
    `export default (ctx) => void ctx.hook("pre_llm_call", () => ({ context: "START" + "x".repeat(200) + "END!" }));\n`,
  );
  assert.equal((await user.run(["chat", "-q", "hello"])).status, 0);
  const sent = /A context of 209 characters; all of it is in ([^\]]+)\]([^"]*)/.exec(server.requests[0]!.body);
  assert.equal(sent?.[2], "\\n--- head ---\\nSTART\\n--- tail ---\\nEND!");
  assert.match(sent[1]!, /\.hermes\/kept\/[^/]+\/[^/]+\.txt$/);
  assert.equal(readFileSync(sent[1]!, "utf8"), `START${"x".repeat(200)}END!`);
});
