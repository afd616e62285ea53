import assert from "node:assert/strict";
import { test } from "node:test";
import { buildProgram } from "./command-tree.ts";
import { leadingOptionsBehind } from "./leading-options.ts";

const program = buildProgram(() => async () => {});
const behind = (...line: string[]): readonly string[] => leadingOptionsBehind(program, line);

test("conversation options may precede the command, as in the original", () => {
  assert.deepEqual(behind("--yolo", "chat", "-q", "hi"), ["chat", "--yolo", "-q", "hi"]);
  assert.deepEqual(behind("-m", "a/b", "--toolsets=file", "chat", "-q", "hi"), [
    "chat",
    "-m",
    "a/b",
    "--toolsets=file",
    "-q",
    "hi",
  ]);
  assert.deepEqual(behind("-p", "work", "--yolo", "tools", "call", "terminal", "{}"), [
    "-p",
    "work",
    "tools",
    "call",
    "--yolo",
    "terminal",
    "{}",
  ]);
  assert.deepEqual(
    behind("--continue", "chat", "-q", "hi"),
    ["chat", "--continue", "-q", "hi"],
    "a command is not taken for a title",
  );
});

test("does not change a line without a command or with an unknown option", () => {
  for (const line of [
    ["--yolo"],
    ["-q", "chat"],
    ["--continue", "notes"],
    ["--wat", "chat"],
    ["chat", "--yolo"],
    ["-p", "work", "tools"],
    [],
  ])
    assert.deepEqual(behind(...line), line);
});
