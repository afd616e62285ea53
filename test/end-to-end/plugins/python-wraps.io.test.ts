import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";
const ENABLED = "plugins:\n  enabled: [guard]\n";
const GUARD = `"""Looks at commands, notes what is read, stamps what is written."""
import functools
import json

from tools.registry import registry


def _guard_terminal():
    entry = registry.get_entry("terminal")
    original = entry.handler

    @functools.wraps(original)
    def guarded(args, **kwargs):
        command = (args or {}).get("command", "")
        if "forbidden" in command:
            return json.dumps({"error": "guard: not that one"})
        if "raise" in command:
            raise PermissionError("guard lost its policy")
        result = json.loads(original({**args, "command": command.replace("hello", "hi")}, **kwargs))
        result["guard"] = "seen in %s" % ("a session" if kwargs.get("session_id") else "none")
        return json.dumps(result)

    entry.handler = guarded


def _note_reads():
    entry = registry._tools["read_file"]
    inner = entry.handler

    async def noted(args, **kwargs):
        result = await inner(args, **kwargs)
        return result

    entry.handler = noted


def _stamp_writes():
    old = registry.get_entry("write_file")
    before = old.handler

    def stamped(args, **kwargs):
        return before({**args, "content": args["content"] + "stamped\\n"}, **kwargs)

    registry.register(name="write_file", toolset=old.toolset, schema=old.schema, handler=stamped, check_fn=old.check_fn)


def register(ctx):
    _guard_terminal()
    _note_reads()
    _stamp_writes()
`;

function withGuard(code: string): NewUser {
  const user = new NewUser();
  user.write("~/.hermes/plugins/guard/plugin.yaml", "name: guard\nversion: 1.0.0\ndescription: Looks at commands.\n");
  user.write("~/.hermes/plugins/guard/__init__.py", code);
  return user;
}

// req: R-59
test(
  "a Python plugin wraps a built-in tool's handler through the original's registry, and the model reads its result",
  { skip: NO_PYTHON },
  async () => {
    using user = withGuard(GUARD);
    const calls = [
      ["terminal", { command: "echo hello" }],
      ["terminal", { command: "echo forbidden > f.txt" }],
      ["terminal", { command: "echo raise > f.txt" }],
      ["read_file", { path: "gone.txt" }],
      ["write_file", { path: "b.txt", content: "one\n" }],
    ] as const;
    await using server = await startOpenAiServer([
      ...calls.map(([tool, args]) => ({ calls: [{ tool, args }] })),
      { text: "Done." },
    ]);
    user.connect("custom", server.url, ENABLED);
    const { status, err } = await user.run(["chat", "-Q", "--yolo", "-q", "go"]);
    assert.equal(status, 0, err);
    const { messages, tools } = JSON.parse(server.requests.at(-1)!.body) as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
      readonly tools: unknown;
    };
    const results = messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => JSON.parse(content) as { readonly [key: string]: unknown });
    const { output, guard } = results[0]!;
    assert.deepEqual([output, guard], ["hi", "seen in a session"]);
    assert.deepEqual(results.slice(1, 3), [
      { error: "guard: not that one" },
      { error: "[TOOL_ERROR] Tool execution failed: PermissionError: guard lost its policy" },
    ]);
    assert.match(String(results[3]!["error"]), /gone\.txt/);
    assert.equal(readFileSync(join(user.folder, "b.txt"), "utf8"), "one\nstamped\n");
    assert.throws(() => readFileSync(join(user.folder, "f.txt")), /ENOENT/);
    assert.doesNotMatch(JSON.stringify(tools), /guard/);
    assert.match((await user.run(["plugins", "check", "guard"])).out, /guard/);
  },
);

test(
  "an unsupported change to another owner's tool is reported on load and fails the check; the rest of the plugin works",
  { skip: NO_PYTHON },
  async () => {
    using user = withGuard(`from tools.registry import registry

def register(ctx):
    entry = registry.get_entry("terminal")
    entry.schema = {"description": "mine"}
    entry.handler = None
    original = registry.get_entry("read_file").handler
    registry.register(name="read_file", toolset="file", schema={"description": "other"}, handler=lambda args, **_: original(args))
    ctx.register_tool(name="fine", toolset="t", schema={"description": "d"}, handler=lambda args, **_: '{"fine": true}')
`);
    user.write("~/.hermes/config.yaml", ENABLED);
    const checked = await user.run(["plugins", "check", "guard"]);
    assert.equal(checked.status, 1);
    for (const words of [
      /A plugin can only change the handler of the tool "terminal", to a callable, and not "schema"\./,
      /and not "handler"\./,
      /The tool "read_file" belongs to another owner: it is wrapped, and its schema does not change\./,
    ])
      assert.match(checked.out + checked.err, words);
    assert.deepEqual(JSON.parse((await user.run(["tools", "call", "fine", "{}"])).out), { fine: true });
  },
);

test(
  "a plugin that replaces a function which the agent never calls there is refused, with the alternative",
  { skip: NO_PYTHON },
  async () => {
    using user = withGuard(
      "from tools.registry import registry\n\ndef register(ctx):\n    registry.dispatch = lambda name, args, **_: '{}'\n",
    );
    user.write("~/.hermes/config.yaml", ENABLED);
    const { status, out, err } = await user.run(["plugins", "check", "guard"]);
    assert.equal(status, 1);
    assert.match(
      out + err,
      /The agent never calls 'dispatch' of the registry in a plugin's process\. Register the middleware tool_execution, which wraps every call\./,
    );
  },
);
