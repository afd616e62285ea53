import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFailure } from "../../contract/providers/model.ts";
import { ModelHealths } from "./model-health.ts";

const failure = (code: ModelFailure["code"], more: Partial<ModelFailure> = {}): ModelFailure => ({
  code,
  message: `${code}.`,
  retryable: true,
  ...more,
});

// field: M04
test("a failed route rests for a minute, then one request probes it, and another failure doubles the rest", () => {
  let now = 0;
  const healths = new ModelHealths(() => now);
  const health = healths.of("a");
  assert.equal(health.state, "well");
  health.failed(failure("network"));
  assert.deepEqual(
    [health.state, health.reason, healths.of("a").state, healths.of("b").state],
    ["rests", "network.", "rests", "well"],
  );
  now = 59_999;
  assert.equal(health.state, "rests");
  now = 60_000;
  assert.equal(health.state, "probe");
  health.failed(failure("network"));
  now = 179_999;
  assert.equal(health.state, "rests");
  now = 180_000;
  assert.equal(health.state, "probe");
  health.answered();
  assert.equal(health.state, "well");
});

// field: M05
test("a route rests as long as its service asks, and longer for failures that only the user can fix", () => {
  let now = 0;
  const healths = new ModelHealths(() => now);
  healths.of("limited").failed(failure("rate_limit", { retryAfterMs: 120_000 }));
  healths.of("unpaid").failed(failure("billing"));
  now = 119_999;
  assert.equal(healths.of("limited").state, "rests");
  now = 120_000;
  assert.equal(healths.of("limited").state, "probe");
  now = 299_999;
  assert.equal(healths.of("unpaid").state, "rests");
});
