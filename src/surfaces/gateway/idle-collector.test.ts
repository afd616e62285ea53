import assert from "node:assert/strict";
import { test } from "node:test";
import { IdleCollector } from "./idle-collector.ts";

// field: S12
test("collects once the chats are idle after many answers, or under steady load after very many", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let busy = true;
  let collected = 0;
  using collector = new IdleCollector(
    () => busy,
    () => void collected++,
  );
  const answers = (count: number): void => {
    for (let at = 0; at < count; at++) collector.answered();
  };
  answers(99);
  busy = false;
  t.mock.timers.tick(10_000);
  assert.equal(collected, 0, "few answers");
  busy = true;
  answers(1);
  t.mock.timers.tick(10_000);
  assert.equal(collected, 0, "busy");
  busy = false;
  t.mock.timers.tick(500);
  assert.equal(collected, 1);
  t.mock.timers.tick(10_000);
  assert.equal(collected, 1, "once");
  busy = true;
  answers(2_000);
  t.mock.timers.tick(500);
  assert.equal(collected, 2);
});
