import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrompts } from "./read-prompts.ts";

test("identifies prompts by text and number of earlier equal ones, not by position", () => {
  const read = (...lines: readonly object[]) =>
    readPrompts(lines.map((line) => JSON.stringify(line)).join("\r\n"), "f", "/work");
  const [a, again, b] = read({ prompt: "a" }, { prompt: "a" }, { prompt: "b", cwd: "sub", topic: "kept out" });
  assert.deepEqual([a!.index, again!.index, b!.index, a!.cwd, b!.cwd], [0, 1, 2, undefined, "/work/sub"]);
  assert.equal(new Set([a!.key, again!.key, b!.key]).size, 3);
  const [first, second] = read({ prompt: "b" }, { prompt: "a" });
  assert.deepEqual([first!.key, second!.key], [b!.key, a!.key]);
});

test("refuses a file with an invalid line and names the first five", () => {
  assert.throws(
    () => readPrompts('{"prompt":"x"}\n' + "[]\n".repeat(7), "f", "/"),
    /^UserError: Cannot run f:\nline 2: it is not a JSON object\n(?:.*\n){3}line 6: .*\nand 2 more$/,
  );
  assert.throws(() => readPrompts('{"prompt":"x","cwd":7}', "f", "/"), /line 1: "cwd" is not a path/);
  assert.throws(() => readPrompts("\n \n", "f", "/"), /f contains no prompt/);
});
