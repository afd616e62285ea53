import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { Editor } from "../support/editor.ts";
import { NewUser } from "../support/test-user.ts";

type Message = { readonly role: string; readonly content: unknown };
const messagesOf = ({ body }: { readonly body: string }): readonly Message[] =>
  (JSON.parse(body) as { readonly messages: readonly Message[] }).messages;
const mcpServers: never[] = [];

// req: acp.persisted
test("a conversation survives a killed server: the next one lists, replays and continues it, and session_search finds it", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer(({ body }) => {
    const last = messagesOf({ body }).at(-1)!;
    if (last.role === "tool") return { text: "The harbour code is Zanzibar-77." };
    return String(last.content).includes("harbour")
      ? { thinking: "Look.", calls: [{ tool: "read_file", args: { path: "code.txt" } }] }
      : { text: "We spoke of a code." };
  });
  user.connect("custom", model.url);
  user.write("code.txt", "Zanzibar-77");
  await using first = new Editor(user);
  const sessionId = await first.begin(user.folder);
  await first.prompt(sessionId, "which harbour code?");
  await first.kill();

  await using second = new Editor(user);
  await second.initialize();
  const { sessions } = await second.agent.request("session/list", { cwd: user.folder });
  assert.deepEqual(
    sessions.map(({ title, cwd, ...one }) => [one.sessionId, title, cwd]),
    [[sessionId, "which harbour code?", user.folder]],
  );
  const loaded = await second.agent.request("session/load", { sessionId, cwd: user.folder, mcpServers });
  assert.equal(loaded.modes?.currentModeId, "default");
  assert.deepEqual(
    second.updates.map(({ sessionUpdate }) => sessionUpdate).slice(0, 5),
    ["user_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "agent_message_chunk"],
    "before the answer to session/load",
  );
  assert.deepEqual(
    [second.textOf("user_message_chunk"), second.textOf("agent_message_chunk")],
    ["which harbour code?", "The harbour code is Zanzibar-77."],
  );
  assert.deepEqual(
    second.of("tool_call").map(({ title, kind }) => [title, kind]),
    [["read_file: code.txt", "read"]],
  );
  assert.equal((await second.prompt(sessionId, "what did we speak of?")).stopReason, "end_turn");
  assert.deepEqual(messagesOf(model.requests.at(-1)!).filter(({ role }) => role === "user").length, 2);
  await second.leave();

  const { out } = await user.run(["tools", "call", "session_search", '{"query":"harbour"}']);
  assert.match(out, new RegExp(sessionId));
});

// req: acp.server, acp.persisted
test("reports a turn that a killed server interrupted, resumes it with /continue, and runs no command twice", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer(({ body }) =>
    messagesOf({ body }).at(-1)?.role === "tool"
      ? { text: "I looked at what it left." }
      : { calls: [{ tool: "terminal", args: { command: "echo once >> runs.txt; sleep 600" } }] },
  );
  user.connect("custom", model.url);
  await using first = new Editor(user);
  const sessionId = await first.begin(user.folder);
  first.prompt(sessionId, "run it").catch(() => {});
  await first.until((update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
  await first.kill();
  const calls = model.requests.length;

  await using second = new Editor(user);
  await second.initialize();
  await second.agent.request("session/load", { sessionId, cwd: user.folder, mcpServers });
  await second.until(
    (update) =>
      update.sessionUpdate === "agent_message_chunk" &&
      update.content.type === "text" &&
      update.content.text.includes("/continue"),
  );
  assert.equal(model.requests.length, calls, "no request is sent before the user continues");
  assert.equal((await second.prompt(sessionId, "/continue")).stopReason, "end_turn");
  assert.match(second.textOf("agent_message_chunk"), /I looked at what it left\.$/);
  assert.match(JSON.stringify(messagesOf(model.requests.at(-1)!).at(-1)), /outcome unknown/);
  assert.equal(model.requests.length, calls + 1);
  await second.prompt(sessionId, "/continue");
  assert.match(second.textOf("agent_message_chunk"), /There is no interrupted turn\.$/);
});

// req: acp.unstable-protocol
test("initialize announces the supported unstable methods: fork, status and title", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Noted." }]);
  user.connect("custom", model.url);
  const elsewhere = mkdtempSync(join(tmpdir(), "hermes-elsewhere-"));
  try {
    await using editor = new Editor(user);
    const { agentCapabilities } = await editor.initialize();
    assert.deepEqual(agentCapabilities?.sessionCapabilities, {
      list: {},
      resume: {},
      close: {},
      delete: {},
      fork: {},
      status: {},
      title: {},
    });
    const { agent } = editor;
    const { sessionId } = await agent.request("session/new", { cwd: user.folder, mcpServers });
    assert.equal(
      (await agent.request("session/fork", { sessionId, cwd: elsewhere })).sessionId === sessionId,
      false,
      "an empty one has a copy, too",
    );
    await editor.prompt(sessionId, "remember the milk");
    const fork = await agent.request("session/fork", { sessionId, cwd: elsewhere });
    await editor.prompt(fork.sessionId, "and now?");
    assert.deepEqual(
      messagesOf(model.requests.at(-1)!)
        .filter(({ role }) => role === "user")
        .map(({ content }) => /remember the milk|and now\?/.exec(String(content))?.[0]),
      ["remember the milk", "and now?"],
    );
    assert.deepEqual(
      (await agent.request("session/list", { cwd: elsewhere })).sessions.map((one) => one.sessionId),
      [fork.sessionId],
    );
    assert.deepEqual(await agent.request("session/set_title", { sessionId, title: "  Milk \n and  more" }), {
      title: "Milk and more",
    });
    await assert.rejects(agent.request("session/set_title", { sessionId, title: " " }), {
      code: -32602,
      message: /cannot be empty/,
    });
    assert.deepEqual(await agent.request("session/status", { sessionId }), { status: "open" });
    await agent.request("session/close", { sessionId });
    assert.deepEqual(await agent.request("session/status", { sessionId }), { status: "saved" });
    await assert.rejects(agent.request("session/status", { sessionId: "nobody" }), { code: -32002 });
    await assert.rejects(editor.prompt(sessionId, "closed"), { code: -32002 });
    await agent.request("session/resume", { sessionId, cwd: user.folder });
    assert.equal(editor.textOf("user_message_chunk"), "", "resume does not repeat the history");
    assert.equal((await editor.prompt(sessionId, "and on")).stopReason, "end_turn");
    await agent.request("session/delete", { sessionId });
    await assert.rejects(agent.request("session/load", { sessionId, cwd: user.folder, mcpServers }), {
      code: -32002,
    });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

// req: acp.server
test("lists fifty sessions a page, newest first, and none of other surfaces", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Noted." }]);
  user.connect("custom", model.url);
  assert.equal((await user.run(["chat", "-q", "not an editor's"])).status, 0);
  await using editor = new Editor(user);
  const first = await editor.begin(user.folder);
  await editor.prompt(first, "the first");
  for (let count = 0; count < 50; count++)
    await editor.agent.request("session/fork", { sessionId: first, cwd: user.folder });
  const page = await editor.agent.request("session/list", {});
  assert.equal(page.sessions.length, 50);
  assert.equal(page.nextCursor, page.sessions.at(-1)?.sessionId);
  const rest = await editor.agent.request("session/list", { cursor: page.nextCursor! });
  assert.equal(new Set([...page.sessions, ...rest.sessions].map(({ sessionId }) => sessionId)).size, 51);
  assert.deepEqual([rest.sessions.length, rest.nextCursor], [1, undefined]);
  assert.deepEqual((await editor.agent.request("session/list", { cursor: "unknown" })).sessions, []);
});

// req: acp.server
test("continues a terminal conversation in the editor, in its own folder, and says so", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Noted." }]);
  user.connect("custom", model.url);
  assert.equal((await user.run(["chat", "-q", "from the terminal"])).status, 0);
  const [{ id }] = JSON.parse((await user.run(["sessions", "list", "--json"])).out) as readonly [
    { readonly id: string },
  ];
  await using editor = new Editor(user);
  await editor.initialize();
  await editor.agent.request("session/load", { sessionId: id, cwd: tmpdir(), mcpServers });
  await editor.until(
    (update) =>
      update.sessionUpdate === "agent_message_chunk" &&
      update.content.type === "text" &&
      update.content.text.includes(`continues in ${user.folder}, where it started.`),
  );
  assert.equal(editor.textOf("user_message_chunk"), "from the terminal");
  assert.equal((await editor.prompt(id, "from the editor")).stopReason, "end_turn");
  assert.equal(messagesOf(model.requests.at(-1)!).filter(({ role }) => role === "user").length, 2);
});

// req: acp.server
test("refuses a session that another process uses, and says which process", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Noted." }]);
  user.connect("custom", model.url);
  await using first = new Editor(user);
  const sessionId = await first.begin(user.folder);
  await first.prompt(sessionId, "mine");
  await using second = new Editor(user);
  await second.initialize();
  await assert.rejects(second.agent.request("session/load", { sessionId, cwd: user.folder, mcpServers }), {
    code: -32602,
    message: /in use by acp/,
  });
});

// field: C12
test("/undo, /retry, /background and /goal work in an editor, and a replay omits undone messages", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer(({ body }) => {
    if (body.includes("never ends")) return { text: "never whole", stallAfterBytes: 1 };
    if (body.includes("You judge whether")) return { text: '{"done": true, "reason": "it is done"}' };
    return { text: `Answer to ${String(messagesOf({ body }).at(-1)!.content).split(" ").at(-1)}.` };
  });
  user.connect("custom", model.url);
  await using first = new Editor(user);
  const sessionId = await first.begin(user.folder);
  const until = (text: string | RegExp): Promise<unknown> =>
    waitFor(() => first.textOf("agent_message_chunk").match(text) !== null);
  await first.prompt(sessionId, "remember one");
  await first.prompt(sessionId, "remember two");
  await first.prompt(sessionId, "/undo");
  await until("Took back 1 exchange, from “remember two” on.");
  await first.prompt(sessionId, "/retry");
  await until(/Sending again: “remember one”[^]*Answer to one\./);
  await first.prompt(sessionId, "/background work aside");
  await until(/✓ bg_\w+ is done: “work aside”\s+Answer to aside\./);
  await first.prompt(sessionId, "/goal reach it");
  await until("✓ Goal reached: it is done");
  await first.prompt(sessionId, "/background never ends");
  await until(/Started bg_\w+ in the background: “never ends”/);
  await first.kill();

  await using second = new Editor(user);
  await second.initialize();
  await second.agent.request("session/load", { sessionId, cwd: user.folder, mcpServers });
  assert.deepEqual(
    [second.textOf("user_message_chunk"), second.textOf("agent_message_chunk")],
    ["remember onereach it", "Answer to one.Answer to it."],
  );
  await waitFor(() => /bg_\w+ ended with its process: “never ends”/.test(second.textOf("agent_message_chunk")));
  await second.leave();
});
