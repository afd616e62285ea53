import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFailure } from "../../contract/providers/model.ts";
import { backoffMs, remedy, type RetryLimits } from "./retry.ts";

const failure = (more: Partial<ModelFailure>): ModelFailure => ({
  code: "server",
  message: "x",
  retryable: true,
  ...more,
});

test("waits double from two seconds to a minute, with up to half as much on top", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((n) => backoffMs(n, () => 0)),
    [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
  );
  assert.equal(
    backoffMs(2, () => 0.5),
    5_000,
  );
});

const limits = (more: boolean, other: Partial<RetryLimits> = {}): RetryLimits => ({
  maxRetries: 3,
  maxWaitMs: 20_000,
  more,
  ...other,
});

// row 24 of the fault matrix
test("waits for the provider's retry-after, up to ten minutes", () => {
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_000 }), 1, limits(false), () => 0),
    { kind: "wait", ms: 600_000 },
  );
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_001 }), 1, limits(true), () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_001 }), 1, limits(false), () => 0),
    { kind: "stop" },
  );
});

test("a permanent failure goes to the next model; a cancelled request stops", () => {
  assert.deepEqual(
    remedy(failure({ retryable: false }), 1, limits(true), () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({}), 4, limits(true), () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({}), 4, limits(false), () => 0),
    { kind: "stop" },
  );
  assert.deepEqual(
    remedy(failure({ code: "cancelled" }), 1, limits(true), () => 0),
    { kind: "stop" },
  );
});

// field: M04
test("with a fallback available, retries once briefly, and not after a timeout or in a probe", () => {
  assert.deepEqual(
    remedy(failure({ code: "network" }), 1, limits(true), () => 1),
    { kind: "wait", ms: 750 },
  );
  assert.deepEqual(
    remedy(failure({ code: "network" }), 2, limits(true), () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({ code: "timeout" }), 1, limits(true), () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({ code: "overloaded" }), 1, limits(true, { probe: true }), () => 0),
    { kind: "next" },
  );
});

// field: M05
test("with a fallback available, waits for a retry-after only up to the limit", () => {
  assert.deepEqual(
    remedy(failure({ code: "rate_limit", retryAfterMs: 20_000 }), 1, limits(true), () => 0),
    { kind: "wait", ms: 20_000 },
  );
  for (const retryAfterMs of [20_001, 120_000])
    assert.deepEqual(
      remedy(failure({ code: "rate_limit", retryAfterMs }), 1, limits(true), () => 0),
      { kind: "next" },
    );
  assert.deepEqual(
    remedy(failure({ code: "rate_limit", retryAfterMs: 120_000 }), 1, limits(false), () => 0),
    { kind: "wait", ms: 120_000 },
  );
  assert.deepEqual(
    remedy(failure({ code: "rate_limit", retryAfterMs: 30_000 }), 1, limits(true, { maxWaitMs: 60_000 }), () => 0),
    { kind: "wait", ms: 30_000 },
  );
});
