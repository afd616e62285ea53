import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startAnthropicServer } from "../../servers/anthropic.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { ended, NewUser } from "../support/test-user.ts";

// req: cli.chat-q, config.home
test("on a new machine the rule-based model lists files, says what it is, and how to connect a real one", async () => {
  using user = new NewUser();
  user.write("notes.txt", "hello");
  user.write("src/main.c", "int main(void) { return 0; }");
  const { status, out, err } = await user.run(["chat", "-q", "list the files here"]);
  assert.equal(status, 0, err);
  assert.match(out, /notes\.txt/);
  assert.match(err, /rule-based/);
  assert.match(err, /No model is configured.*hermes setup.*hermes model/);
  assert.equal(statSync(user.agentHome).mode & 0o777, 0o700);
  assert.equal(statSync(join(user.agentHome, "state.db")).mode & 0o777, 0o600);
});

const FIX = [
  { calls: [{ tool: "read_file", args: { path: "add.js" } }] },
  { calls: [{ tool: "patch", args: { mode: "replace", path: "add.js", old_string: "a - b", new_string: "a + b" } }] },
  { calls: [{ tool: "terminal", args: { command: "node test.js" } }] },
  { text: "Fixed: add() now adds, and the test passes." },
];

for (const [provider, start] of [
  ["custom", startOpenAiServer],
  ["anthropic", startAnthropicServer],
] as const) {
  // req: cli.chat-q, dispatch.agent-loop, tool-file.read-file, tool-file.patch, terminal.tool
  test(`a ${provider === "custom" ? "chat-completions" : "Messages"} model reads, patches, runs the tests and answers`, async () => {
    using user = new NewUser();
    await using server = await start(FIX);
    user.connect(provider, server.url);
    user.write("add.js", "exports.add = (a, b) => a - b;\n");
    user.write("test.js", 'require("assert").equal(require("./add.js").add(2, 3), 5); console.log("all passed");\n');
    const { status, out, err } = await user.run(["chat", "-q", "make the test pass"]);
    assert.equal(status, 0, err);
    assert.match(out, /Fixed: add\(\) now adds, and the test passes\.\n$/);
    assert.equal(readFileSync(join(user.folder, "add.js"), "utf8"), "exports.add = (a, b) => a + b;\n");
    assert.equal(server.requests.length, 4);
    assert.equal(server.connections, 1, "one connection is kept for all requests");
    const last = server.requests.at(-1)?.body ?? "";
    assert.match(last, /all passed/, "the model saw what the test printed");
    assert.doesNotMatch(err, /key-of-the-test/);
  });
}

// req: approval.recursive-delete, approval.deny
test("without a user to ask, refuses a dangerous command called by hand, with the reason", async () => {
  using user = new NewUser();
  user.write("build/out.txt", "keep me");
  const { status, out } = await user.run(["tools", "call", "terminal", '{"command":"rm -rf build"}']);
  assert.equal(status, 4);
  const result = JSON.parse(out) as { error: string; status: string; exit_code: number };
  assert.match(result.error, /no user is connected/);
  assert.equal(result.status, "blocked");
  assert.equal(result.exit_code, -1);
  assert.ok(existsSync(join(user.folder, "build/out.txt")));
});

// req: approval.yolo
test("--yolo runs commands that need approval, but no command that the hard block forbids", async () => {
  using user = new NewUser();
  user.write("build/out.txt", "away with me");
  const asked = await user.run(["tools", "call", "terminal", '{"command":"rm -rf build"}', "--yolo"]);
  assert.equal(asked.status, 0, asked.out);
  assert.ok(!existsSync(join(user.folder, "build")));
  const floor = await user.run(["tools", "call", "terminal", '{"command":"rm -rf /"}', "--yolo"]);
  assert.equal(floor.status, 4);
});

test("--json prints every fact in order and ends with the result", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "echo hi" } }] },
    { text: "Done." },
  ]);
  user.connect("custom", server.url);
  const { status, out } = await user.run(["chat", "-q", "say hi", "--json"]);
  assert.equal(status, 0);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; seq?: number; text?: string });
  const facts = lines.filter(({ seq }) => seq !== undefined);
  assert.deepEqual(
    facts.map(({ seq }) => seq),
    facts.map((_, index) => index + 1),
  );
  assert.deepEqual(
    facts.map(({ type }) => type),
    [
      "session.started",
      "turn.started",
      "message.added",
      "prefix.fixed",
      "model.asked",
      "model.answered",
      "tool.called",
      "tool.started",
      "tool.settled",
      "model.asked",
      "model.answered",
      "turn.ended",
    ],
  );
  assert.deepEqual([lines.at(-1)?.type, lines.at(-1)?.text], ["result", "Done."]);
});

test("--quiet prints only the answer; piped text is added to the question as data", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Looks good." }]);
  user.connect("custom", server.url);
  const { status, out, err } = await user.run(["chat", "-q", "review this", "-Q"], "diff --git a b\n");
  assert.deepEqual({ status, out, err }, { status: 0, out: "Looks good.\n", err: "" });
  assert.match(
    server.requests[0]?.body ?? "",
    /review this\\n\\n.*<untrusted-text [0-9a-f]{16} from=.{1,3}piped input.*diff --git a b/,
  );
});

test("answers a question even if stdin is a pipe that never closes", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Hello." }]);
  user.connect("custom", server.url);
  const child = user.start(["chat", "-q", "hello"], "open");
  const { status, out, err } = await ended(child);
  assert.equal(status, 0, err);
  assert.equal(out, "Hello.\n");
  assert.match(err, /No input arrived on stdin/);
});

test("waits for the output of a slow program in the pipe", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Looks good." }]);
  user.connect("custom", server.url);
  const program = join(import.meta.dirname, "../../../src/main.ts");
  const line = `(sleep 2; echo "diff --git a b") | "${process.execPath}" --conditions=hermes-source "${program}" chat -q "review this"`;
  const { status, out, err } = await ended(
    spawn("sh", ["-c", line], {
      cwd: user.folder,
      env: { PATH: process.env["PATH"], HOME: user.home, TERM: "dumb" },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  assert.deepEqual([status, out], [0, "Looks good.\n"], err);
  assert.match(server.requests[0]?.body ?? "", /review this.*diff --git a b/);
});

test("exit statuses report success and each kind of failure", async () => {
  using user = new NewUser();
  await using failing = await startOpenAiServer([{ status: 401, message: "bad key" }]);
  user.connect("custom", failing.url);
  const failed = await user.run(["chat", "-q", "hello"]);
  assert.equal(failed.status, 1);
  assert.match(failed.err, /key/);
  await using endless = await startOpenAiServer((_, number) =>
    number <= 2
      ? { calls: [{ tool: "todo", args: { todos: [{ id: String(number), content: "x", status: "pending" }] } }] }
      : { text: "That is as far as I got." },
  );
  user.connect("custom", endless.url);
  assert.equal((await user.run(["chat", "-q", "go on", "--max-turns", "2"])).status, 3);
  assert.equal((await user.run(["chat", "--no-such-flag"])).status, 2);
  assert.equal((await user.run(["nonsense"])).status, 2);
  user.write("~/.hermes/config.yaml", "modle:\n  default: x\n");
  const config = await user.run(["chat", "-q", "hello"]);
  assert.match(config.err, /config\.yaml:1.*modle.*model/s);
});

test("an empty question, a tool called by hand and --continue without a session save nothing to resume", async () => {
  using user = new NewUser();
  user.write("a.txt", "hello");
  const empty = await user.run(["chat", "-q", " "]);
  assert.deepEqual([empty.status, empty.out], [2, ""]);
  assert.match(empty.err, /The question is empty\./);
  assert.equal((await user.run(["tools", "call", "read_file", '{"path":"a.txt"}'])).status, 0);
  assert.match((await user.run(["sessions", "list"])).out, /\(manual tool call\)/);
  const nothing = await user.run(["--continue", "-q", "read a.txt"]);
  assert.deepEqual([nothing.status, nothing.out], [1, ""]);
  assert.match(nothing.err, /There is no session to resume yet/);
  assert.equal((await user.run(["chat", "-q", "read a.txt"])).status, 0);
  const done = await user.run(["--continue"]);
  assert.deepEqual([done.status, done.out], [0, ""]);
  assert.match(done.err, /\d{8}_\S+ has no interrupted turn\. Ask it something with: hermes --resume/);
  const help = await user.run(["chat", "-q", "/help"]);
  assert.equal(help.err, "", "a command needs no model, so no notice mentions one");
});

// req: toolsets.enabled-and-disabled
test("--toolsets limits the tools that the model gets", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "ok" }]);
  user.connect("custom", server.url);
  await user.run(["chat", "-q", "hello", "-t", "file,todo", "--disable-toolsets", "todo"]);
  const { tools } = JSON.parse(server.requests[0]?.body ?? "{}") as {
    tools: readonly { function: { name: string } }[];
  };
  assert.deepEqual(
    tools.map((tool) => tool.function.name),
    ["patch", "read_file", "search_files", "write_file"],
  );
  const wrong = await user.run(["chat", "-q", "hello", "-t", "flie"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /There is no toolset or tool "flie"/);
});
