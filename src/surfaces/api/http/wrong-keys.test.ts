import assert from "node:assert/strict";
import { test } from "node:test";
import { WrongKeys } from "./wrong-keys.ts";

// field: S13
test("slows refusals of one address more and more, also at once, and forgets after a minute", () => {
  let now = 1_000;
  const wrong = new WrongKeys(() => now);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => wrong.delayMs("a")),
    [0, 0, 0, 250, 750, 1_500],
  );
  assert.equal(wrong.delayMs("b"), 0);
  for (let many = 0; many < 500; many++) assert.ok(wrong.delayMs("a") <= 30_000);
  assert.equal(wrong.delayMs("a"), 30_000);
  now += 91_000;
  assert.equal(wrong.delayMs("a"), 0);
});
