import assert from "node:assert/strict";
import { test } from "node:test";
import { moreAndMoreSeldom } from "./backoff.ts";

test("repeats work that requests itself with pauses that double from 250 ms to a minute", async () => {
  const pauses: number[] = [];
  const over = Promise.withResolvers<void>();
  const ask = moreAndMoreSeldom(
    async () => ask(),
    async (ms) => (pauses.push(ms), pauses.length < 12 ? undefined : (over.resolve(), new Promise(() => undefined))),
  );
  ask();
  await over.promise;
  assert.deepEqual(pauses, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
});

test("many requests during a run cause one more run; after a pause a request runs at once", async () => {
  let done = 0;
  let waiting = Promise.withResolvers<void>();
  const ask = moreAndMoreSeldom(
    async () => void (done += 1),
    () => waiting.promise,
  );
  const wake = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const before = waiting;
    waiting = Promise.withResolvers();
    before.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let at = 0; at < 100; at++) ask();
  assert.equal(done, 1);
  await wake();
  assert.equal(done, 2);
  await wake();
  assert.equal(done, 2);
  ask();
  assert.equal(done, 3);
});
