import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { Transcript } from "../transcript/transcript.ts";
import { nextStep } from "./next-step.ts";

const LIMIT = { maxRequests: 3 };
const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

/** The open turn of one message after these facts. */
function turnAfter(...facts: readonly Fact[]) {
  const start: readonly Fact[] = [
    { type: "turn.started", turnId: "t" },
    { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: "go" }] },
  ];
  return new Transcript([...start, ...facts].map((fact, at) => ({ seq: at + 1, at, v: 1, fact }))).open!;
}

function asked(nth: number, attempt = 1): Fact {
  return { type: "model.asked", turnId: "t", requestId: `r${nth}`, model: "m", prefixHash: "p", attempt };
}

function answered(nth: number): Fact {
  return {
    type: "model.answered",
    turnId: "t",
    requestId: `r${nth}`,
    parts: [{ type: "text", text: "Done." }],
    finish: "stop",
    usage: USAGE,
  };
}

// field: S01
test("does not count a request that ended with its process against the turn's limit", () => {
  const turn = turnAfter(asked(1), asked(2), asked(3), answered(3));
  assert.deepEqual([turn.requests, turn.interrupted], [1, 2]);
  assert.deepEqual(nextStep(turn, LIMIT), { kind: "end", reason: "done" });
});

test("a retry after a stored failure counts neither as a new request nor as an interrupted one", () => {
  const failed: Fact = {
    type: "model.failed",
    turnId: "t",
    requestId: "r1",
    failure: { code: "server", message: "down", retryable: true },
  };
  const turn = turnAfter(asked(1), failed, asked(2, 2), answered(2));
  assert.deepEqual([turn.requests, turn.interrupted, turn.attempts], [1, 0, 2]);
});

test("gives up a message whose request ended the process three times, and says why", () => {
  const turn = turnAfter(asked(1), asked(2), asked(3));
  assert.equal(nextStep(turn, LIMIT).kind, "ask");
  const step = nextStep(turnAfter(asked(1), asked(2), asked(3), asked(4)), LIMIT);
  assert.ok(step.kind === "end" && step.reason === "failed");
  assert.match(step.detail ?? "", /^Hermes ended 3 times while it waited for the model\..*Send it again to retry\.$/);
});
