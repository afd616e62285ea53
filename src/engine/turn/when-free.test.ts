import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "./when-free.ts";

test("what waits for a free loop comes after what a busy one has kept waiting, and not when it is stopped", async () => {
  const order: string[] = [];
  const done = Promise.withResolvers<void>();
  whenFree(1, () => (order.push("later"), done.resolve()));
  const stopped = whenFree(1, () => order.push("stopped"));
  setImmediate(() => order.push("kept waiting"));
  for (const end = Date.now() + 10; Date.now() < end;);
  stopped.stop();
  await done.promise;
  assert.deepEqual(order, ["kept waiting", "later"]);
});
