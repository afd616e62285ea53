import assert from "node:assert/strict";
import { test } from "node:test";
import { costsText, groupNamed, sinceOf, type NamedCost } from "./costs-text.ts";

const cost = (name: string, costUsd: number, more: Partial<NamedCost> = {}): NamedCost => ({
  name,
  costUsd,
  requests: 2,
  unknown: 0,
  open: 0,
  inputTokens: 1_000,
  cachedTokens: 500,
  outputTokens: 20,
  ...more,
});

test("shows each cost with a bar, and the sum; an unknown cost is never zero", () => {
  assert.equal(
    costsText("tool", [
      cost("", 0.2),
      cost("vision_analyze", 0.1, { unknown: 1 }),
      cost("web_search", 0, { unknown: 2, open: 1 }),
      cost("text_to_speech", 0),
    ]),
    [
      "TOOL            COST     REQUESTS  IN     OUT",
      "(no tool)       $0.20    2         1,000  20   ████████████████████████",
      "vision_analyze  ≥ $0.10  2         1,000  20   ████████████",
      "web_search      $?       2         1,000  20",
      "text_to_speech  —        2         1,000  20",
      "",
      "Total: at least $0.30 (3 requests of unknown cost) · 8 requests · 4,000 tokens in (50 % from cache), 80 out · 1 running",
      "",
    ].join("\n"),
  );
  assert.equal(costsText("day", []), "No requests to models or paid services in this time.\n");
});

test("accepts a number of days, a date or a keyword as the start of a period, and refuses anything else", () => {
  const now = new Date(2026, 10, 29, 13, 45);
  const at = (...of: readonly [number, number, number]): number => new Date(...of).getTime();
  assert.deepEqual(
    ["today", "1d", "7d", "month", "2026-03-05"].map((text) => sinceOf(text, now)),
    [at(2026, 10, 29), at(2026, 10, 29), at(2026, 10, 23), at(2026, 10, 1), at(2026, 2, 5)],
  );
  for (const wrong of ["0d", "soon", "2026-13-01"]) assert.throws(() => sinceOf(wrong, now), /is no day to count from/);
  assert.equal(groupNamed("Model"), "model");
  assert.throws(() => groupNamed("person"), /cannot be grouped by "person"/);
});
