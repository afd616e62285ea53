import assert from "node:assert/strict";
import { test } from "node:test";
import { usageOf } from "./usage-of.ts";

const usage = { inputTokens: 120, outputTokens: 12, cacheReadTokens: 100, cacheWriteTokens: 0, reasoningTokens: 4 };

test("all input tokens are counted once, whether the agent counts the cached ones among them or apart", () => {
  assert.deepEqual(
    usageOf({ inputTokens: 120, outputTokens: 12, cachedReadTokens: 100, thoughtTokens: 4, totalTokens: 132 }),
    usage,
  );
  assert.deepEqual(
    usageOf({ inputTokens: 20, outputTokens: 12, cachedReadTokens: 100, thoughtTokens: 4, totalTokens: 132 }),
    usage,
  );
});

test("an agent that tells nothing that counts tells nothing", () => {
  for (const value of [undefined, null, "many", {}, { inputTokens: -1, outputTokens: Number.NaN }])
    assert.equal(usageOf(value), undefined);
});
