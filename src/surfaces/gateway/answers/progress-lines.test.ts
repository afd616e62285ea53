import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { ToolProgress } from "../../shared/display/display.ts";
import { ProgressLines } from "./progress-lines.ts";

function linesOf(
  mode: ToolProgress,
  calls: readonly (readonly [tool: string, args: JsonObject, out?: string])[],
): readonly string[] {
  const lines = new ProgressLines((name) => ({ emoji: name === "terminal" ? "💻" : "", interactive: name === "ask" }));
  const ways = { mode, previewLength: 10 };
  calls.forEach(([tool, args, out], at) => {
    const callId = `c${at}`;
    lines.onFact(
      { type: "tool.called", turnId: "t", callId, tool, args, by: "model", effect: "read", repeatable: true },
      ways,
    );
    lines.onFact({ type: "tool.started", callId }, ways);
    if (out !== undefined) lines.onFact({ type: "tool.settled", callId, outcome: outcomeOf(out), durationMs: 1 }, ways);
  });
  return lines.lines;
}

function outcomeOf(out: string): Extract<Fact, { readonly type: "tool.settled" }>["outcome"] {
  return out.startsWith("!")
    ? { kind: "failed", code: "failed", message: out.slice(1) }
    : ({ kind: "ok", shown: [{ type: "text", text: out }] } as never);
}

test("shows a call as one truncated line without markup, counts equal consecutive calls, and omits questions", () => {
  const calls = [
    ["terminal", { command: "npm `test`\n--all of it" }],
    ["read_file", { path: "a.md" }],
    ["read_file", { path: "a.md" }],
    ["ask", { question: "which?" }],
    ["todo", {}],
  ] as const;
  assert.deepEqual(linesOf("all", calls), ["💻 terminal: `npm 'test…`", "⚡ read_file: `a.md` (×2)", "⚡ todo"]);
  assert.deepEqual(linesOf("off", calls), []);
});

test("in mode 'new' shows a call only if its tool differs from the previous one", () => {
  assert.deepEqual(
    linesOf("new", [
      ["terminal", { command: "ls" }],
      ["terminal", { command: "pwd" }],
      ["todo", {}],
      ["terminal", { command: "ls" }],
    ]),
    ["💻 terminal: `ls`", "⚡ todo", "💻 terminal: `ls`"],
  );
});

test("shows errors below the call; verbose also shows truncated input and output", () => {
  assert.deepEqual(
    linesOf("all", [
      ["terminal", { command: "ls" }, "!no such place"],
      ["todo", {}, "fine"],
    ]),
    ["💻 terminal: `ls`\n  ✗ `no such place`", "⚡ todo"],
  );
  const [line] = linesOf("verbose", [["terminal", { command: "ls" }, "x".repeat(500)]]);
  assert.equal(line, `💻 terminal: \`ls\`\n  ← \`{"command":"ls"}\`\n  → \`${"x".repeat(199)}…\``);
});
