import assert from "node:assert/strict";
import { test } from "node:test";
import { slowProgress } from "./slow-progress.ts";

test("shows no progress for short work; shows long work once, and again when it changes", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const message: string[] = [];
  {
    using quick = slowProgress((words) => void message.push(words), "starting");
    quick.say("sending");
    context.mock.timers.tick(999);
  }
  context.mock.timers.tick(5_000);
  assert.equal(message.length, 0);
  using slow = slowProgress((words) => void message.push(words), "starting");
  slow.say("sending 1 of 2");
  context.mock.timers.tick(1_000);
  slow.say("sending 2 of 2");
  assert.deepEqual(message, ["sending 1 of 2", "sending 2 of 2"]);
});
