import assert from "node:assert/strict";
import { test } from "node:test";
import { usageOf } from "./usage-of.ts";

const usage = { inputTokens: 120, outputTokens: 12, cacheReadTokens: 100, cacheWriteTokens: 0, reasoningTokens: 4 };

test("counts input tokens once, whether the agent includes cached ones or not", () => {
  assert.deepEqual(
    usageOf({ inputTokens: 120, outputTokens: 12, cachedReadTokens: 100, thoughtTokens: 4, totalTokens: 132 }),
    usage,
  );
  assert.deepEqual(
    usageOf({ inputTokens: 20, outputTokens: 12, cachedReadTokens: 100, thoughtTokens: 4, totalTokens: 132 }),
    usage,
  );
});

test("returns no usage if the agent reports no counts", () => {
  for (const value of [undefined, null, "many", {}, { inputTokens: -1, outputTokens: Number.NaN }])
    assert.equal(usageOf(value), undefined);
});
