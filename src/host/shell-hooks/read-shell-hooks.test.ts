import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { readShellHooks, type ShellHook } from "./read-shell-hooks.ts";

/** Everything of a hook but its function. */
const plain = (value: Json) => JSON.parse(JSON.stringify(readShellHooks(value).hooks)) as readonly ShellHook[];

// req: hooks.shell-declaration
test("the list form names event, command and tools", () => {
  const { hooks, problems } = readShellHooks([
    {
      event: "post_tool_call",
      command: "notify-send 'Tool ran: {tool_name}'",
      when: { tools: ["terminal", "patch", "write_file"] },
    },
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(JSON.parse(JSON.stringify(hooks)), [
    {
      event: "post_tool_call",
      command: "notify-send 'Tool ran: {tool_name}'",
      form: "shell",
      tools: "terminal, patch, write_file",
      timeoutMs: 60_000,
      failClosed: true,
    },
  ]);
  assert.deepEqual(
    ["terminal", "patch", "write_file", "read_file", "terminal2"].map((tool) => hooks[0]!.wants(tool)),
    [true, true, true, false, false],
  );
});

// req: hooks.shell-declaration
test("the mapping form accepts a pattern for the whole tool name and a timeout, and skips reserved keys", () => {
  const { hooks, problems } = readShellHooks({
    pre_tool_call: [
      { matcher: " terminal|patch ", command: "~/guard.py", timeout: 5, fail_closed: false },
      { matcher: "(", command: "a" },
    ],
    on_session_end: null,
    output_spill: { max_chars: 1 },
    outbound: [],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    hooks.map(({ command, form, timeoutMs, failClosed, tools }) => [command, form, timeoutMs, failClosed, tools]),
    [
      ["~/guard.py", "words", 5000, false, "/terminal|patch/"],
      ["a", "words", 60_000, true, "("],
    ],
  );
  assert.deepEqual(
    ["terminal", "patch", "my_terminal", "terminal_x"].map((tool) => hooks[0]!.wants(tool)),
    [true, true, false, false],
  );
  assert.deepEqual([hooks[1]!.wants("("), hooks[1]!.wants("a")], [true, false]);
});

test("accepts the mapping form inside a list and reports a mistake with its position", () => {
  const { hooks, problems } = readShellHooks([
    { pre_tool_call: [{ matcher: "terminal", command: "~/guard.py" }], on_session_end: [{ command: "x" }] },
    { event: "on_session_start", command: "y" },
    { pre_tool_cal: [{ command: "x" }] },
  ]);
  assert.deepEqual(
    hooks.map(({ event, command, form }) => [event, command, form]),
    [
      ["pre_tool_call", "~/guard.py", "words"],
      ["on_session_end", "x", "words"],
      ["on_session_start", "y", "shell"],
    ],
  );
  assert.deepEqual(problems, [
    'hooks[2].pre_tool_cal[0] names the event "pre_tool_cal", which does not exist, and is ignored. Did you mean "pre_tool_call"?',
  ]);
});

test("a timeout outside 1 to 300 seconds becomes 60 or 300, and a duplicate hook counts once", () => {
  const times = [0, -1, 1.5, "9", 301, 300, 1].map(
    (timeout) => plain({ on_session_end: [{ command: "x", timeout }] })[0]!.timeoutMs / 1000,
  );
  assert.deepEqual(times, [60, 60, 60, 60, 300, 300, 1]);
  assert.equal(plain({ on_session_end: [{ command: "x" }, { command: "x" }] }).length, 1);
});

test("ignores and reports invalid hooks with suggestions, and keeps the others", () => {
  const { hooks, problems } = readShellHooks([
    { event: "pre_tool_cal", command: "x" },
    { command: "x" },
    "x",
    { event: "on_session_end" },
    { event: "on_session_end", command: "x", when: { tools: ["terminal"] } },
  ]);
  assert.deepEqual(
    hooks.map(({ event, tools }) => [event, tools]),
    [["on_session_end", undefined]],
  );
  assert.deepEqual(
    problems.map((problem) => problem.replace(/Available:.*/, "Available: …")),
    [
      'hooks[0] names the event "pre_tool_cal", which does not exist, and is ignored. Did you mean "pre_tool_call"?',
      "hooks[1] names no event and is ignored. Available: …",
      "hooks[2] is not a map with a command and is ignored.",
      "hooks[3] has no command and is ignored.",
      "hooks[4] has a matcher for tools, but on_session_end has no tool; the hook always runs.",
    ],
  );
  assert.deepEqual(readShellHooks({ pre_tool_call: "x", post_tool_call: [{ command: "say 'x" }] }).problems, [
    "hooks.pre_tool_call must be a list of hooks; it is ignored.",
    "hooks.post_tool_call[0] has a command that cannot be read (a ' is not closed) and is ignored.",
  ]);
});
