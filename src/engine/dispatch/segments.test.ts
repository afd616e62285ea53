import assert from "node:assert/strict";
import { test } from "node:test";
import { segments, sideBySide } from "./segments.ts";

test("groups consecutive items that may run together, and leaves every other item alone", () => {
  const lower = (letter: string) => letter === letter.toLowerCase();
  assert.deepEqual(
    segments([..."abCdEFgh"], lower).map((run) => run.join("")),
    ["ab", "C", "d", "E", "F", "gh"],
  );
  assert.deepEqual(segments([], lower), []);
});

test("runs no more than the limit at once, and starts all in order", async () => {
  let now = 0;
  let most = 0;
  const order: number[] = [];
  await sideBySide([1, 2, 3, 4, 5], 2, async (n) => {
    order.push(n);
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  });
  assert.deepEqual([most, order], [2, [1, 2, 3, 4, 5]]);
});

test("a rejection starts nothing further, and is reported after the running items end", async () => {
  const ended: number[] = [];
  const work = sideBySide([1, 2, 3, 4], 2, async (n) => {
    await new Promise((resolve) => setTimeout(resolve, n * 5));
    if (n === 1) throw new Error("one");
    ended.push(n);
  });
  await assert.rejects(work, /one/);
  assert.deepEqual(ended, [2]);
});
