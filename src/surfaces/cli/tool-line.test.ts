import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { seconds, subjectOf, toolLine } from "./tool-line.ts";

const declaration = { emoji: "💻" } as ToolDeclaration;

test("a tool without an emoji has one all the same, so that lines begin alike", () => {
  assert.equal(toolLine({ name: "calculate", declaration: { emoji: "" } as ToolDeclaration, args: {} }, 80, { previewLength: 0 }), "⚡ calculate");
});

// req: registry.emoji
test("a progress line begins with the tool's emoji, then names it, its subject and its time", () => {
  assert.equal(toolLine({ name: "terminal", declaration, args: { command: "npm test" } }, 80, { previewLength: 0, ended: { ending: { kind: "ok", text: "" }, durationMs: 1234 } }), "💻 terminal  npm test  1.2s");
});

test("a failed call shows why, and so much of its subject as fits", () => {
  const line = toolLine({ name: "terminal", declaration, args: { command: "npm run something --very-long and more of it" } }, 60, { previewLength: 0, ended: { ending: { kind: "failed", text: "The program is gone. ".repeat(8) }, durationMs: 5 } });
  assert.match(line, /^💻 terminal {2}npm run some.*… {2}0\.01s {2}✗ The program.*…$/);
  assert.ok(line.length <= 60, line);
});

test("a refused call has no time: it did not run", () => {
  assert.equal(toolLine({ name: "terminal", declaration, args: { command: "rm -rf x" } }, 80, { previewLength: 0, ended: { ending: { kind: "refused", text: "refused by you" }, durationMs: 5 } }), "💻 terminal  rm -rf x  ✗ refused by you");
});

test("a command's control characters are shown, not obeyed", () => {
  assert.equal(toolLine({ name: "terminal", declaration, args: { command: "echo \x1b[2J" } }, 80, { previewLength: 0 }), "💻 terminal  echo ␛[2J");
});

test("the subject is the argument a person knows the call by", () => {
  assert.equal(subjectOf({ command: "ls\n  -l" }), "ls -l");
  assert.equal(subjectOf({ path: ".", pattern: "to do" }), "to do");
  assert.equal(subjectOf({ b: 1 }), '{"b":1}');
  assert.equal(subjectOf({}), "");
  assert.equal(subjectOf(undefined), "");
});

test("an argument is cut to the length that is set", () => {
  const call = { name: "terminal", declaration, args: { command: "npm run something" } };
  assert.equal(toolLine(call, 80, { previewLength: 8 }), "💻 terminal  npm run…");
  assert.equal(toolLine(call, 80, { previewLength: 8, ended: { ending: { kind: "ok", text: "" }, durationMs: 5 } }), "💻 terminal  npm run…  0.01s");
});

test("times read naturally", () => {
  assert.deepEqual([12, 1500, 61_000].map(seconds), ["0.01s", "1.5s", "1m01s"]);
});
