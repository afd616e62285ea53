import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "./fake-clock.ts";

test("sleepers wake in order as the time advances, each at its own time", async () => {
  const clock = fakeClock();
  const woke: (readonly [string, number])[] = [];
  const sleeper = async (name: string, ms: number) => (await clock.sleep(ms), woke.push([name, clock.elapsed()]));
  void sleeper("b", 20);
  void sleeper("a", 10).then(() => sleeper("c", 5));
  await clock.advance(30);
  assert.deepEqual(woke, [
    ["a", 10],
    ["c", 15],
    ["b", 20],
  ]);
  assert.deepEqual([clock.elapsed(), clock.sleepers], [30, 0]);
});

test("an aborted sleep rejects and is removed, and a jump of the wall clock wakes no sleeper", async () => {
  const clock = fakeClock({ startAt: 1_000 });
  const stop = new AbortController();
  const sleep = clock.sleep(50, stop.signal);
  clock.setWall(9_000_000);
  assert.deepEqual([clock.now(), clock.sleepers], [9_000_000, 1]);
  stop.abort(new Error("enough"));
  await assert.rejects(sleep, /enough/);
  assert.equal(clock.sleepers, 0);
  await assert.rejects(clock.sleep(1, AbortSignal.abort(new Error("before"))), /before/);
});

test("a clock that advances automatically stops at the next end", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const limit = new AbortController();
  const guard = clock.sleep(300_000, limit.signal).catch(() => "not reached");
  await clock.sleep(2_000);
  limit.abort();
  assert.deepEqual([await guard, clock.elapsed()], ["not reached", 2_000]);
});

test("an alarm rings once at its time, in order with sleepers, and never after disposal", async () => {
  const clock = fakeClock();
  const rang: (readonly [string, number])[] = [];
  clock.alarm(20, () => rang.push(["late", clock.elapsed()]));
  clock.alarm(5, () => rang.push(["early", clock.elapsed()]));
  clock.alarm(10, () => rang.push(["never", clock.elapsed()]))[Symbol.dispose]();
  assert.equal(clock.sleepers, 2);
  await clock.advance(100);
  assert.deepEqual(
    [rang, clock.sleepers],
    [
      [
        ["early", 5],
        ["late", 20],
      ],
      0,
    ],
  );
});
