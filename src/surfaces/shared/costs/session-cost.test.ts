import assert from "node:assert/strict";
import { test } from "node:test";
import { costText, shortCost } from "./session-cost.ts";

test("shows an unknown cost as unknown, never as zero", () => {
  assert.deepEqual(
    [
      { costUsd: 0, unknown: 0 },
      { costUsd: 0.0042, unknown: 0 },
      { costUsd: 0.0042, unknown: 2 },
      { costUsd: 0, unknown: 1 },
    ].map((sum) => [costText(sum), shortCost(sum)]),
    [
      ["", ""],
      ["$0.0042", "$0.0042"],
      ["at least $0.0042 (2 requests of unknown cost)", "≥ $0.0042"],
      ["cost unknown (1 request of unknown cost)", "$?"],
    ],
  );
});
