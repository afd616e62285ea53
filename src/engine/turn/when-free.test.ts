import assert from "node:assert/strict";
import { test } from "node:test";
import { whenFree } from "./when-free.ts";

test("deferred work runs after what a busy loop has queued, and not at all when stopped", async () => {
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
