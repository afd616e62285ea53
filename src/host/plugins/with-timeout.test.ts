import assert from "node:assert/strict";
import { test } from "node:test";
import { withPatience } from "./with-timeout.ts";

test("slow work is reported late and continues; work that ends in time is awaited, whether it succeeds or fails", async () => {
  const slow = Promise.withResolvers<void>();
  assert.equal(await withPatience(slow.promise, 5), "late");
  slow.resolve();
  assert.equal(await withPatience(slow.promise, 60_000), "done");
  await assert.rejects(withPatience(Promise.reject(new Error("broken")), 60_000), { message: "broken" });
});
