import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { Editor } from "../support/editor.ts";
import { NewUser } from "../support/test-user.ts";

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// req: acp.server
test("a disconnecting editor ends the server and its children; the conversation so far is stored", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "echo $$ > pid.txt; sleep 600" } }] },
    { text: "never" },
  ]);
  user.connect("custom", model.url);
  await using editor = new Editor(user);
  const sessionId = await editor.begin(user.folder);
  editor.prompt(sessionId, "run it").catch(() => {});
  await editor.until((update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
  const pidOf = (): number => {
    try {
      return Number(readFileSync(join(user.folder, "pid.txt"), "utf8"));
    } catch {
      return 0; // Not written yet.
    }
  };
  while (pidOf() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await editor.leave(), 0, editor.notes);
  assert.equal(alive(pidOf()), false);
  const { out } = await user.run(["sessions", "show", sessionId]);
  assert.match(out, /run it/);
  assert.match(out, /sleep 600/);
});

// req: acp.server
test("SIGTERM shuts down in order too", async () => {
  using user = new NewUser();
  await using editor = new Editor(user);
  await editor.begin(user.folder);
  const ended = new Promise((resolve) => editor.process.once("exit", resolve));
  editor.process.kill("SIGTERM");
  assert.equal(await ended, 0, editor.notes);
});

// req: acp.server
test("only the protocol goes to stdout; other output of the process goes to stderr", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Heard all of it.", betweenMs: 100 }]);
  user.connect("custom", model.url);
  const loud = user.write("loud.mjs", 'setInterval(() => console.log("LOUD WORDS"), 20);\n');
  await using editor = new Editor(user, { NODE_OPTIONS: `--import=${loud}` });
  const sessionId = await editor.begin(user.folder);
  assert.equal((await editor.prompt(sessionId, "listen")).stopReason, "end_turn");
  assert.equal(editor.textOf("agent_message_chunk"), "Heard all of it.");
  assert.match(editor.notes, /LOUD WORDS/);
});

// req: acp.server
test("reports that the editor's MCP servers are not used, and how to add them", async () => {
  using user = new NewUser();
  await using editor = new Editor(user);
  const { agentCapabilities } = await editor.initialize();
  assert.equal(agentCapabilities?.mcpCapabilities?.http ?? false, false);
  await editor.agent.request("session/new", {
    cwd: user.folder,
    mcpServers: [{ name: "files", command: "/bin/false", args: [], env: [] }],
  });
  await editor.until(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  assert.match(
    editor.textOf("agent_message_chunk"),
    /Hermes does not use the editor's MCP server "files"\..*hermes mcp add/,
  );
});

// req: acp.server
test("an editor signs in with the configured provider, or with setup in a terminal if it can open one", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Hi." }]);
  await using bare = new Editor(user);
  assert.deepEqual(
    (await bare.initialize({ auth: { terminal: true } })).authMethods?.map(({ id, ...way }) => [
      id,
      "type" in way ? way.type : "agent",
      "args" in way ? way.args : [],
    ]),
    [["hermes-setup", "terminal", ["--setup"]]],
  );
  await assert.rejects(bare.agent.request("authenticate", { methodId: "hermes-setup" }), {
    code: -32000,
    message: /No model is configured/,
  });
  await bare.leave();
  user.connect("custom", model.url);
  await using editor = new Editor(user);
  assert.deepEqual(
    (await editor.initialize()).authMethods?.map(({ id }) => id),
    ["custom"],
  );
  await editor.agent.request("authenticate", { methodId: "custom" });
  await assert.rejects(editor.agent.request("authenticate", { methodId: "magic" }), {
    code: -32602,
    message: /"magic"/,
  });
  await editor.leave();
  user.write("~/.hermes/config.yaml", "model:\n  provider: nowhere\n  default: x\n");
  await using astray = new Editor(user);
  assert.deepEqual(
    (await astray.initialize({ auth: { terminal: true } })).authMethods?.map(({ id }) => id),
    ["hermes-setup"],
    "setup can fix it",
  );
  await assert.rejects(astray.agent.request("session/new", { cwd: user.folder, mcpServers: [] }), {
    code: -32602,
    message: /nowhere/,
  });
});

// req: acp.server
test("hermes acp --check reports whether an editor can start it; a one-shot does not load the protocol", async () => {
  using user = new NewUser();
  await using model = await startOpenAiServer([{ text: "Hi." }]);
  const bare = await user.run(["acp", "--check"]);
  assert.deepEqual(
    [bare.status, bare.out],
    [0, "An editor can start Hermes. No model is set up yet; run `hermes acp --setup`.\n"],
  );
  user.connect("custom", model.url);
  assert.equal((await user.run(["acp", "--check"])).out, "An editor can start Hermes. Model: loopback by custom.\n");
  assert.match((await user.run(["acp", "--version"])).out, /^hermes-agent \d/);
  const hook = user.write(
    "hear.mjs",
    'import { registerHooks } from "node:module";\nregisterHooks({ load: (url, context, next) => { if (/agentclientprotocol|surfaces\\/acp/.test(url)) console.error("LOADED " + url); return next(url, context); } });\n',
  );
  const { out, err } = await user.run(["chat", "-q", "hello"], undefined, { NODE_OPTIONS: `--import=${hook}` });
  assert.deepEqual([out, err.includes("LOADED")], ["Hi.\n", false]);
  assert.match(
    (await user.run(["acp", "--check"], undefined, { NODE_OPTIONS: `--import=${hook}` })).err,
    /LOADED .*agentclientprotocol/,
  );
});
