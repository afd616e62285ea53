import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { endedLines, seconds, toolLine } from "./tool-line.ts";
import { subjectOf } from "../../shared/display/call-subject.ts";

const declaration = { emoji: "💻" } as ToolDeclaration;

test("a tool without an emoji gets a default one, so that lines align", () => {
  assert.equal(
    toolLine({ name: "calculate", declaration: { emoji: "" } as ToolDeclaration, args: {} }, 80, 0),
    "⚡ calculate",
  );
});

// req: registry.emoji
test("a progress line begins with the tool's emoji, then names it, its subject and its time", () => {
  assert.deepEqual(
    endedLines({ name: "terminal", declaration, args: { command: "npm test" } }, 80, 0, {
      ending: { kind: "ok", text: "" },
      durationMs: 1234,
    }),
    ["💻 terminal  npm test  1.2s"],
  );
});

test("a failed call shows the reason: on its line if it fits, else below it in at most four lines", () => {
  const call = { name: "terminal", declaration, args: { command: "npm run something --very-long and more of it" } };
  const failed = (text: string) => ({ ending: { kind: "failed", text }, durationMs: 5 }) as const;
  assert.deepEqual(endedLines(call, 60, 0, failed("No such program.")), [
    "💻 terminal  npm run something -…  0.01s  ✗ No such program.",
  ]);
  assert.deepEqual(endedLines(call, 40, 0, failed("The program npm was not found in this place.")), [
    "💻 terminal  npm run something -…  0.01s",
    "   ✗ The program npm was not found in",
    "   this place.",
  ]);
  const long = endedLines(call, 40, 0, failed("The program is gone. ".repeat(20)));
  assert.equal(long.length, 5);
  assert.match(long[4]!, / …$/);
});

test("a short reason stays on the line even if it is narrow", () => {
  const call = { name: "terminal", declaration, args: { command: "rm -rf build && ls /nowhere" } };
  assert.deepEqual(endedLines(call, 38, 0, { ending: { kind: "ok", text: "exit 2" }, durationMs: 100 }), [
    "💻 terminal  rm -rf bu…  0.10s  exit 2",
  ]);
});

test("a denied call shows no time, because it did not run", () => {
  assert.deepEqual(
    endedLines({ name: "terminal", declaration, args: { command: "rm -rf x" } }, 80, 0, {
      ending: { kind: "refused", text: "denied by you" },
      durationMs: 5,
    }),
    ["💻 terminal  rm -rf x  ✗ denied by you"],
  );
});

test("shows a command's control characters as symbols", () => {
  assert.equal(
    toolLine({ name: "terminal", declaration, args: { command: "echo \x1b[2J" } }, 80, 0),
    "💻 terminal  echo ␛[2J",
  );
});

test("the subject is the argument that identifies the call", () => {
  assert.equal(subjectOf({ command: "ls\n  -l" }), "ls -l");
  assert.equal(subjectOf({ path: ".", pattern: "to do" }), "to do");
  assert.equal(subjectOf({ tasks: [{ goal: "read\nit" }, { goal: "mend it" }] }), "read it · mend it");
  assert.equal(
    subjectOf({ todos: [{ id: "1", content: "buy milk", status: "pending" }, { content: "bake" }], merge: true }),
    "buy milk · bake",
  );
  assert.equal(subjectOf({ b: 1 }), '{"b":1}');
  assert.equal(subjectOf({}), "");
  assert.equal(subjectOf(undefined), "");
});

test("cuts an argument to the configured length", () => {
  const call = { name: "terminal", declaration, args: { command: "npm run something" } };
  assert.equal(toolLine(call, 80, 8), "💻 terminal  npm run…");
  assert.deepEqual(endedLines(call, 80, 8, { ending: { kind: "ok", text: "" }, durationMs: 5 }), [
    "💻 terminal  npm run…  0.01s",
  ]);
});

test("times read naturally", () => {
  assert.deepEqual([12, 1500, 61_000].map(seconds), ["0.01s", "1.5s", "1m01s"]);
});
