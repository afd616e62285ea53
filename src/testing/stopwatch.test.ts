import assert from "node:assert/strict";
import { test } from "node:test";
import { Stopwatch } from "./stopwatch.ts";

test("the stopwatch tolerates a busy machine, but detects waiting for a timeout", (t) => {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const watch = new Stopwatch();
  now += 9_000;
  watch.assertWithin(5);
  now += 50_000;
  assert.deepEqual([watch.tookMs, watch.isOver(3_000), watch.isOver(2_000)], [59_000, false, true]);
  assert.throws(
    () => watch.assertWithin(5, "the wait"),
    /^AssertionError.*: the wait took 59000 ms, and 5 ms are promised$/,
  );
});
