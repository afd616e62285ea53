import assert from "node:assert/strict";
import { test } from "node:test";
import { FairSlots, type Slot } from "./fair-slots.ts";

// row 43 of the fault matrix
test("users take turns, however many messages one of them sends", async () => {
  const slots = new FairSlots(1);
  const stop = new AbortController();
  const order: string[] = [];
  const held: Slot[] = [];
  const first = await slots.take("flood", stop.signal);
  const all = ["flood", "flood", "flood", "ada", "bob", "ada"].map(async (user) => {
    const slot = await slots.take(user, stop.signal);
    order.push(user);
    held.push(slot!);
    slot![Symbol.dispose]();
  });
  first![Symbol.dispose]();
  first![Symbol.dispose]();
  await Promise.all(all);
  assert.deepEqual(order, ["flood", "ada", "bob", "flood", "ada", "flood"]);
});

test("a limit of two runs two; a user who waits when the gateway stops gets none", async () => {
  const slots = new FairSlots(2);
  const stop = new AbortController();
  const running = [await slots.take("a", stop.signal), await slots.take("a", stop.signal)];
  const waiting = slots.take("b", stop.signal);
  stop.abort();
  assert.equal(await waiting, undefined);
  for (const slot of running) slot![Symbol.dispose]();
  assert.equal(await slots.take("c", stop.signal), undefined);
  assert.notEqual(await slots.take("c", new AbortController().signal), undefined);
});
