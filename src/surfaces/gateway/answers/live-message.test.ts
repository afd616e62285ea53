import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendResult } from "../../../contract/providers/platform.ts";
import { LiveMessage } from "./live-message.ts";

/** A platform that answers with these, then with success; each request waits until it is let go. */
function played(...answers: readonly (SendResult | "throws")[]) {
  const message: string[] = [];
  const gates: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const left = [...answers];
  const answer = async (words: string, ok: SendResult): Promise<SendResult> => {
    message.push(words);
    const gate = Promise.withResolvers<void>();
    gates.push(gate.resolve);
    waiting.shift()?.();
    await gate.promise;
    const next = left.shift() ?? ok;
    if (next === "throws") throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
    return next;
  };
  return {
    said: message,
    ports: {
      everyMs: 0,
      send: (text: string) => answer(`send ${text}`, { success: true, message_id: "m1" }),
      edit: (id: string, text: string) => answer(`edit ${id} ${text}`, { success: true, message_id: id }),
    },
    asked: (): Promise<void> =>
      gates.length > 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
    go: () => gates.shift()!(),
  };
}

test("sends once, then edits; shows only the newest of several updates", async () => {
  const at = played();
  const live = new LiveMessage(at.ports);
  live.show("one");
  await at.asked();
  live.show("two");
  live.show("three");
  at.go();
  await at.asked();
  at.go();
  assert.equal(await live.close(), true);
  assert.deepEqual(at.said, ["send one", "edit m1 three"]);
  live.show("four");
  assert.deepEqual(at.said.length, 2, "nothing is written once it is closed");
});

test("closing waits for the pending request, so that it cannot overwrite a later edit", async () => {
  const at = played();
  const live = new LiveMessage(at.ports, "m7");
  live.show("half");
  await at.asked();
  const closed = live.close("whole");
  at.go();
  await at.asked();
  at.go();
  await closed;
  assert.deepEqual(at.said, ["edit m7 half", "edit m7 whole"]);
});

test("respects a rate limit also for the last edit, and stops after refusals", async () => {
  const patient = played(
    { success: true, message_id: "m1" },
    { success: false, error: "429", retryable: true, retry_after: 3_600 },
  );
  const live = new LiveMessage(patient.ports);
  live.show("one");
  await patient.asked();
  patient.go();
  live.show("two");
  await patient.asked();
  patient.go();
  await new Promise((resolve) => setImmediate(resolve));
  await live.close("three");
  assert.deepEqual(patient.said, ["send one", "edit m1 two"]);

  const refusing = played(...Array.from({ length: 3 }, (): SendResult => ({ success: false, error: "no" })));
  const refused = new LiveMessage(refusing.ports);
  refused.show("one");
  for (let n = 0; n < 3; n++) {
    await refusing.asked();
    refusing.go();
  }
  await refused.close("two");
  assert.deepEqual(refusing.said, ["send one", "send one", "send one"]);
});

test("does not resend a message whose sending is uncertain, and does not edit a message without an id", async () => {
  for (const first of ["throws", { success: true }] as const) {
    const at = played(first);
    const live = new LiveMessage(at.ports);
    live.show("one");
    await at.asked();
    at.go();
    await new Promise((resolve) => setImmediate(resolve));
    live.show("two");
    await live.close("three");
    assert.deepEqual(at.said, ["send one"]);
  }
});
