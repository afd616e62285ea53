import assert from "node:assert/strict";
import { cpus } from "node:os";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Stopwatch } from "./stopwatch.ts";

test("what is within its promise passes, and what is ten times over it fails however busy the machine was", async () => {
  const watch = new Stopwatch();
  watch.assertWithin(60_000);
  await wait(60);
  assert.ok(watch.tookMs >= 59);
  assert.throws(() => watch.assertWithin(5, "the wait"), /^AssertionError.*: the wait took \d+ ms, and 5 ms are promised$/);
});

test("on a machine with room the promise is the limit, on a busy one it is not", async () => {
  const idle = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const [before, startedAt] = [idle(), performance.now()];
  const watch = new Stopwatch();
  await wait(300);
  const over = watch.isOver(200);
  const share = (idle() - before) / ((performance.now() - startedAt) * cpus().length);
  // Near the border two looks at a moving number may differ.
  if (Math.abs(share - 0.4) > 0.1) assert.equal(over, share > 0.4);
});
