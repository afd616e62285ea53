import assert from "node:assert/strict";
import { test } from "node:test";
import { withPatience } from "./with-timeout.ts";

test("work that takes longer is late and goes on; work that ends in time, well or not, is waited for", async () => {
  const slow = Promise.withResolvers<void>();
  assert.equal(await withPatience(slow.promise, 5), "late");
  slow.resolve();
  assert.equal(await withPatience(slow.promise, 60_000), "done");
  await assert.rejects(withPatience(Promise.reject(new Error("broken")), 60_000), { message: "broken" });
});
