import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelFailure } from "../../contract/providers/model.ts";
import { backoffMs, remedy } from "./retry.ts";

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

// row 24 of the fault matrix
test("what the provider asks for is honoured up to ten minutes", () => {
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_000 }), 1, 3, false, () => 0),
    { kind: "wait", ms: 600_000 },
  );
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_001 }), 1, 3, true, () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({ retryAfterMs: 600_001 }), 1, 3, false, () => 0),
    { kind: "stop" },
  );
});

test("what will not pass goes to the next model, what was cancelled goes nowhere", () => {
  assert.deepEqual(
    remedy(failure({ retryable: false }), 1, 3, true, () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({}), 4, 3, true, () => 0),
    { kind: "next" },
  );
  assert.deepEqual(
    remedy(failure({}), 4, 3, false, () => 0),
    { kind: "stop" },
  );
  assert.deepEqual(
    remedy(failure({ code: "cancelled" }), 1, 3, true, () => 0),
    { kind: "stop" },
  );
});
