import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "../../testing/fake-clock.ts";
import { Deadline } from "./deadline.ts";

test("a deadline runs only after its start and while not paused; pausing it also pauses the outer ones", async () => {
  const clock = fakeClock();
  const expired: string[] = [];
  const outer = new Deadline(clock, 100, () => expired.push("outer"));
  const inner = new Deadline(clock, 100, () => expired.push("inner"), outer);
  await clock.advance(1_000);
  outer.begin();
  inner.begin();
  await clock.advance(60);
  const first = inner.pause();
  const second = inner.pause();
  await clock.advance(1_000);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await clock.advance(1_000);
  assert.deepEqual(expired, []);
  second[Symbol.dispose]();
  await clock.advance(39);
  assert.deepEqual(expired, []);
  await clock.advance(1);
  assert.deepEqual(expired.sort(), ["inner", "outer"]);
});

test("a disposed deadline never expires and leaves no timer behind", async () => {
  const clock = fakeClock();
  let expired = 0;
  const deadline = new Deadline(clock, 100, () => expired++);
  deadline.begin();
  const pause = deadline.pause();
  deadline[Symbol.dispose]();
  pause[Symbol.dispose]();
  await clock.advance(1_000);
  assert.deepEqual([expired, clock.sleepers], [0, 0]);
});
