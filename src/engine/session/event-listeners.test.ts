import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../contract/conversation/fact.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { EventListeners } from "./event-listeners.ts";

const EVENT = { kind: "live", sessionId: "s", live: { type: "text.delta", text: "a" } } as AgentEvent;

test("a listener that throws receives no more events, and the others still do", () => {
  const log = quietLog();
  const listeners = new EventListeners(log);
  const received: string[] = [];
  listeners.add(() => {
    received.push("broken");
    throw new Error("broken");
  });
  listeners.add(() => void received.push("well"));
  listeners.report(EVENT);
  listeners.report(EVENT);
  assert.deepEqual([received, log.lines.length], [["broken", "well", "well"], 1]);
});

test("one function may subscribe twice, and each subscription ends separately", () => {
  const listeners = new EventListeners(quietLog());
  let received = 0;
  const listener = () => void received++;
  const first = listeners.add(listener);
  listeners.add(listener);
  listeners.report(EVENT);
  first[Symbol.dispose]();
  listeners.report(EVENT);
  assert.deepEqual([received, listeners.any], [3, true]);
  listeners.clear();
  listeners.report(EVENT);
  assert.deepEqual([received, listeners.any], [3, false]);
});
