import assert from "node:assert/strict";
import { test } from "node:test";
import { beginningOf } from "./truncate-line.ts";

test("shows a short text whole, and of a long paste the beginning and how much follows", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
  assert.deepEqual(beginningOf("one\ntwo"), { lines: ["one", "two"], more: undefined });
  assert.equal(beginningOf(lines(21)).more, undefined);
  const pasted = beginningOf(lines(5_000));
  assert.deepEqual([pasted.lines.length, pasted.lines.at(-1), pasted.more], [20, "line 20", "… 4,980 more lines"]);
});

test("cuts a long line between characters", () => {
  const { lines, more } = beginningOf("x".repeat(3_999) + "😀".repeat(10));
  assert.deepEqual(
    [lines.join("").length, lines.join("").isWellFormed(), more],
    [3_999, true, "… of 4,019 characters"],
  );
});
