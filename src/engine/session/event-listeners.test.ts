import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../contract/conversation/fact.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { EventListeners } from "./event-listeners.ts";

const EVENT = { kind: "live", sessionId: "s", live: { type: "text.delta", text: "a" } } as AgentEvent;

test("one that throws is told nothing more and keeps nobody else from hearing", () => {
  const log = quietLog();
  const listeners = new EventListeners(log);
  const heard: string[] = [];
  listeners.add(() => {
    heard.push("broken");
    throw new Error("broken");
  });
  listeners.add(() => void heard.push("well"));
  listeners.tell(EVENT);
  listeners.tell(EVENT);
  assert.deepEqual([heard, log.lines.length], [["broken", "well", "well"], 1]);
});

test("one function may listen twice, and each listening ends by itself", () => {
  const listeners = new EventListeners(quietLog());
  let heard = 0;
  const listener = () => void heard++;
  const first = listeners.add(listener);
  listeners.add(listener);
  listeners.tell(EVENT);
  first[Symbol.dispose]();
  listeners.tell(EVENT);
  assert.deepEqual([heard, listeners.any], [3, true]);
  listeners.clear();
  listeners.tell(EVENT);
  assert.deepEqual([heard, listeners.any], [3, false]);
});
