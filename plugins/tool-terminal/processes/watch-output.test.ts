import assert from "node:assert/strict";
import { test } from "node:test";
import { EventBreaker, watchOutput } from "./watch-output.ts";

function watched(patterns: readonly string[]) {
  const message: string[] = [];
  let now = 0;
  const see = watchOutput(patterns, {
    now: () => now,
    match: (pattern, lines, suppressed) => void message.push(`${pattern}|${lines}|${suppressed}`),
    disabled: () => void message.push("disabled"),
  });
  return { message, see, at: (ms: number) => void (now = ms) };
}

test("matches a whole line, however its chunks were cut", () => {
  const { message, see } = watched(["ERROR"]);
  see("fine\nan ERR");
  see("OR here\n");
  assert.deepEqual(message, ["ERROR|an ERROR here|0"]);
});

test("sends events of one process at most every 15 s, with the number omitted", () => {
  const { message, see, at } = watched(["x"]);
  see("x1\n");
  at(5_000);
  see("x2\nx3\n");
  at(16_000);
  see("x4\n");
  assert.deepEqual(message, ["x|x1|0", "x|x4|2"]);
});

test("disables a pattern that matches all the time", () => {
  const { message, see, at } = watched(["x"]);
  for (let second = 0; second <= 120; second += 1) {
    at(second * 1_000);
    see("x\n");
  }
  assert.equal(message.at(-1), "disabled");
  assert.equal(message.length, 4);
});

test("mutes events after too many from all processes, with one notice", () => {
  let now = 0;
  const breaker = new EventBreaker(() => now);
  const message = Array.from({ length: 20 }, (_, n) => breaker.pass(`event ${n}`));
  assert.equal(message.filter((text) => text !== undefined).length, 16);
  assert.match(message[15]!, /notifications pause for 30 s/);
  now = 31_000;
  assert.match(breaker.pass("later")!, /5 events .*omitted.*\nlater/s);
});
