import assert from "node:assert/strict";
import { test } from "node:test";
import { gaugesOf } from "./gauges-of.ts";

test("counts a session in the day and the week of its last use", () => {
  const now = 10 * 86_400_000;
  const used = (daysAgo: number) => ({
    lastAt: now - daysAgo * 86_400_000,
    turns: 2,
    toolCalls: 3,
    inputTokens: 100,
    outputTokens: 10,
  });
  assert.deepEqual(gaugesOf([used(0.5), used(3), used(8)], now), [
    { name: "sessions", day: 1, week: 2 },
    { name: "turns", day: 2, week: 4 },
    { name: "calls", day: 3, week: 6 },
    { name: "tokens", day: 110, week: 220 },
  ]);
});
