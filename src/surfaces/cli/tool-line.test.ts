import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { seconds, subjectOf, toolLine } from "./tool-line.ts";

const declaration = { emoji: "💻" } as ToolDeclaration;

// req: registry.emoji
test("a progress line begins with the tool's emoji, then names it, its subject and its time", () => {
  assert.equal(toolLine({ name: "terminal", declaration, args: { command: "npm test" }, result: { ok: true, text: "", durationMs: 1234 } }, 80), "💻 terminal  npm test  1.2s");
});

test("a failed call shows why, cut to the screen", () => {
  const line = toolLine({ name: "terminal", declaration, args: { command: "x" }, result: { ok: false, text: "The person refused this call. ".repeat(8), durationMs: 5 } }, 60);
  assert.match(line, /^💻 terminal {2}x.* {2}0\.01s {2}✗ The person refused/);
  assert.ok(line.length <= 60, line);
});

test("the subject is the argument a person knows the call by", () => {
  assert.equal(subjectOf({ command: "ls\n  -l" }), "ls -l");
  assert.equal(subjectOf({ b: 1 }), '{"b":1}');
  assert.equal(subjectOf({}), "");
  assert.equal(subjectOf(undefined), "");
});

test("times read naturally", () => {
  assert.deepEqual([12, 1500, 61_000].map(seconds), ["0.01s", "1.5s", "1m01s"]);
});
