import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurns } from "./in-turns.ts";

test("runs all work in order within the concurrency limit, and starts none after a failure", async () => {
  let running = 0;
  let most = 0;
  const work = async (one: number): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (one === 5) throw new Error("five");
    return one * 2;
  };
  assert.deepEqual(await inTurns([1, 2, 3, 4], 2, work), [2, 4, 6, 8]);
  assert.deepEqual([most, await inTurns([], 3, work)], [2, []]);
  const begun: number[] = [];
  await assert.rejects(
    inTurns([5, 6, 7, 8, 9, 10], 2, async (one) => (begun.push(one), work(one))),
    /five/,
  );
  assert.ok(begun.length <= 4, begun.join(" "));
});
