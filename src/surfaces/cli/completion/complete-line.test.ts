import assert from "node:assert/strict";
import { test } from "node:test";
import { buildProgram } from "../program/command-tree.ts";
import { completionPoints } from "./complete-line.ts";

const points = completionPoints(buildProgram(() => async () => {}));

test("every subcommand is a completion point, named by its path", () => {
  const paths = points.map(({ path }) => path);
  for (const path of ["", "chat", "tools", "tools list", "sessions export", "completion"])
    assert.ok(paths.includes(path), path);
});

test("hermes completes its commands, its options and those of chat, the default command", () => {
  const words = points[0]?.words.map(({ word }) => word) ?? [];
  for (const word of ["sessions", "--profile", "--query", "-q", "--help"]) assert.ok(words.includes(word), word);
});

test("completes the values of an option with fixed choices", () => {
  assert.deepEqual(points.find(({ path }) => path === "sessions export")?.values, [
    { option: "--format", choices: ["md", "jsonl"] },
  ]);
});
