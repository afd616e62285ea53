import assert from "node:assert/strict";
import { test } from "node:test";
import { endedSubagentLine, subagentLine } from "./subagent-line.ts";

test("a subagent's line shows its goal and time, and why it did not finish", () => {
  assert.equal(
    endedSubagentLine("count the lines", { reason: "done", durationMs: 3210 }, 80),
    "↳ count the lines  3.2s",
  );
  assert.equal(
    endedSubagentLine("count\nthe lines", { reason: "timeout", durationMs: 60_000 }, 80),
    "↳ count the lines  1m00s  ✗ out of time",
  );
});

test("on a narrow screen shortens the goal for the text behind it, which gets at most half of the line", () => {
  assert.equal(
    endedSubagentLine("count all of the lines there are", { reason: "cancelled", durationMs: 1000 }, 34),
    "↳ count all of t…  1.0s  ✗ stopped",
  );
  assert.equal(
    subagentLine("⠋", "count", "3s  terminal a very long command that goes on", 30),
    "⠋ count  3s  terminal…",
  );
});
