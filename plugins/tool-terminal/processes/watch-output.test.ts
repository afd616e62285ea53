import assert from "node:assert/strict";
import { test } from "node:test";
import { EventBreaker, watchOutput } from "./watch-output.ts";

function watched(patterns: readonly string[]) {
  const told: string[] = [];
  let now = 0;
  const see = watchOutput(patterns, {
    now: () => now,
    match: (pattern, lines, suppressed) => void told.push(`${pattern}|${lines}|${suppressed}`),
    disabled: () => void told.push("disabled"),
  });
  return { told, see, at: (ms: number) => void (now = ms) };
}

test("a line is matched whole, however it was cut on its way", () => {
  const { told, see } = watched(["ERROR"]);
  see("fine\nan ERR");
  see("OR here\n");
  assert.deepEqual(told, ["ERROR|an ERROR here|0"]);
});

test("events of one process come at most every 15 s and say how much was left out", () => {
  const { told, see, at } = watched(["x"]);
  see("x1\n");
  at(5_000);
  see("x2\nx3\n");
  at(16_000);
  see("x4\n");
  assert.deepEqual(told, ["x|x1|0", "x|x4|2"]);
});

test("a pattern that matches all the time is switched off", () => {
  const { told, see, at } = watched(["x"]);
  for (let second = 0; second <= 120; second += 1) {
    at(second * 1_000);
    see("x\n");
  }
  assert.equal(told.at(-1), "disabled");
  assert.equal(told.length, 4);
});

test("too many events of all processes are followed by silence, said once", () => {
  let now = 0;
  const breaker = new EventBreaker(() => now);
  const told = Array.from({ length: 20 }, (_, n) => breaker.pass(`event ${n}`));
  assert.equal(told.filter((text) => text !== undefined).length, 16);
  assert.match(told[15]!, /nothing of it is told for 30 s/);
  now = 31_000;
  assert.match(breaker.pass("later")!, /5 events .*left out.*\nlater/s);
});
