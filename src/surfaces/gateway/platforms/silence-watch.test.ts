import assert from "node:assert/strict";
import { test } from "node:test";
import { SilenceWatch, type SilenceLimits } from "./silence-watch.ts";

/** A watch whose time is moved by hand. */
function watched(limits: SilenceLimits) {
  const message: string[] = [];
  let now = 0;
  let look: (() => void) | undefined;
  const watch = new SilenceWatch(
    () => limits,
    (kind, ms) => void message.push(`${kind} ${ms}`),
    { now: () => now, every: (work) => ((look = work), () => (look = undefined)) },
  );
  return { watch, told: message, looks: () => look !== undefined, pass: (ms: number) => ((now += ms), look?.()) };
}

// req: gateway.agent-timeout
test("warns once and then ends a silent turn; an active turn continues", () => {
  const { watch, told: message, looks, pass } = watched({ endMs: 100, warnMs: 50 });
  watch.start();
  for (let time = 0; time < 1000; time += 40) {
    watch.touch();
    pass(40);
  }
  assert.deepEqual(message, []);
  pass(15);
  pass(15);
  assert.deepEqual(message, ["quiet 55"]);
  watch.touch();
  pass(60);
  pass(60);
  assert.deepEqual(message, ["quiet 55", "quiet 60", "over 120"]);
  assert.equal(looks(), false);
});

test("warns before the end even if the timer fires after both limits", () => {
  const { watch, told: message, pass } = watched({ endMs: 100, warnMs: 50 });
  watch.start();
  pass(500);
  pass(1);
  assert.deepEqual(message, ["quiet 500", "over 501"]);
});

test("0 disables the limit, the warning, or both", () => {
  const without = watched({ endMs: 0, warnMs: 0 });
  without.watch.start();
  assert.equal(without.looks(), false);
  const warns = watched({ endMs: 0, warnMs: 10 });
  warns.watch.start();
  warns.pass(10_000);
  assert.deepEqual(warns.told, ["quiet 10000"]);
  const ends = watched({ endMs: 10, warnMs: 0 });
  ends.watch.start();
  ends.pass(10);
  assert.deepEqual(ends.told, ["over 10"]);
});
