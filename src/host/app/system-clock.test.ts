import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { realClock } from "../../testing/real-clock.ts";
import { systemClock } from "./system-clock.ts";

// row 39 of the fault matrix
for (const [name, clock] of [
  ["the machine's clock", systemClock],
  ["the clock of tests", realClock()],
] as const) {
  test(`handles a message that arrived while the loop was busy before an expired limit: ${name}`, async () => {
    const { port1, port2 } = new MessageChannel();
    const order: string[] = [];
    const arrived = new Promise<void>((resolve) => port1.on("message", () => (order.push("arrived"), resolve())));
    const limit = clock.sleep(5).then(() => order.push("the limit"));
    port2.postMessage("words");
    for (const end = Date.now() + 20; Date.now() < end;);
    await Promise.all([arrived, limit]);
    port1.close();
    assert.deepEqual(order, ["arrived", "the limit"]);
  });

  test(`a sleep aborted before or during it rejects with the reason and leaves no listener: ${name}`, async () => {
    await assert.rejects(clock.sleep(1, AbortSignal.abort(new Error("before"))), /before/);
    const stop = new AbortController();
    const sleep = clock.sleep(600_000, stop.signal);
    stop.abort(new Error("enough"));
    await assert.rejects(sleep, /enough/);
    await clock.sleep(1, stop.signal).catch(() => {});
    assert.equal(getEventListeners(stop.signal, "abort").length, 0);
  });
}
