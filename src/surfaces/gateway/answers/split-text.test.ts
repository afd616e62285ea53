import assert from "node:assert/strict";
import { test } from "node:test";
import { splitText } from "./split-text.ts";

test("does not split a text that fits, or any text without a limit", () => {
  assert.deepEqual(splitText("short", 10), ["short"]);
  assert.deepEqual(splitText("x".repeat(5000), 0), ["x".repeat(5000)]);
});

test("splits at line ends, else spaces, else anywhere, and no piece exceeds the limit", () => {
  assert.deepEqual(splitText(`${"a".repeat(60)}\n${"b".repeat(60)}`, 100), [
    `${"a".repeat(60)} (1/2)`,
    `${"b".repeat(60)} (2/2)`,
  ]);
  assert.deepEqual(splitText(`${"a".repeat(60)} ${"b".repeat(60)}`, 100), [
    `${"a".repeat(60)} (1/2)`,
    `${"b".repeat(60)} (2/2)`,
  ]);
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
  for (const max of [50, 100, 333]) {
    const pieces = splitText(words, max);
    assert.ok(pieces.every((piece) => piece.length <= max));
    assert.equal(pieces.map((piece) => piece.replace(/ \(\d+\/\d+\)$/, "")).join(" "), words);
  }
  assert.equal(
    splitText("🦀".repeat(200), 50).every((piece) => piece.isWellFormed() && piece.length <= 50),
    true,
  );
});

test("closes a split code block and reopens it in the next piece", () => {
  const pieces = splitText(
    `Look:\n\`\`\`js\n${Array.from({ length: 20 }, (_, line) => `line ${line};`).join("\n")}\n\`\`\`\nDone.`,
    100,
  );
  assert.ok(pieces.length > 1);
  for (const piece of pieces) assert.equal((piece.match(/```/g) ?? []).length % 2, 0, piece);
  assert.ok(pieces.slice(1, -1).every((piece) => piece.startsWith("```js\n")));
  assert.ok(pieces.every((piece) => piece.length <= 100));
});
