import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { branchFacts } from "./branch-facts.ts";

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const FACTS: readonly Fact[] = [
  { type: "session.started", surface: "cli", cwd: "/work" },
  { type: "input.queued", inputId: "i1", mode: "queue", origin: "person", parts: [] },
  { type: "turn.started", turnId: "t1" },
  { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: "go" }], inputId: "i1" },
  { type: "input.queued", inputId: "i2", mode: "queue", origin: "person", parts: [{ type: "text", text: "later" }] },
  {
    type: "model.answered",
    turnId: "t1",
    requestId: "r1",
    parts: [
      { type: "tool-call", callId: "c1", tool: "terminal", args: "{}" },
      { type: "tool-call", callId: "c2", tool: "terminal", args: "{}" },
    ],
    finish: "tool-calls",
    usage,
  },
  {
    type: "tool.called",
    turnId: "t1",
    callId: "c1",
    tool: "terminal",
    args: {},
    by: "model",
    effect: "execute",
    repeatable: false,
  },
  { type: "tool.settled", callId: "c1", outcome: { kind: "ok", shown: [] }, durationMs: 3 },
  { type: "tool.settled", callId: "c2", outcome: { kind: "ok", shown: [] }, durationMs: 3 },
  { type: "turn.ended", turnId: "t1", reason: "done" },
];
const records = (count: number): readonly Recorded[] =>
  FACTS.slice(0, count).map((fact, index) => ({ seq: index + 1, at: 100 + index, v: 1, fact }));

test("a branch copies the facts with a new start and drops pending input", () => {
  const branch = branchFacts(records(10), { sessionId: "parent", now: 999 });
  assert.deepEqual(branch[0], {
    at: 999,
    fact: { type: "session.started", surface: "cli", cwd: "/work", parent: { sessionId: "parent", seq: 10 } },
  });
  assert.deepEqual(branch[1], { at: 101, fact: FACTS[1] }, "input that was taken in stays");
  assert.deepEqual(branch[4], {
    at: 104,
    fact: { type: "state.set", key: "session.branch", value: { left: "input.queued" } },
  });
  assert.deepEqual(
    branch.slice(5),
    FACTS.slice(5).map((fact, index) => ({ at: 105 + index, fact })),
  );
});

test("a branch can continue in another folder", () => {
  const [start] = branchFacts(records(10), { sessionId: "parent", now: 999, cwd: "/elsewhere" });
  assert.deepEqual(start?.fact, {
    type: "session.started",
    surface: "cli",
    cwd: "/elsewhere",
    parent: { sessionId: "parent", seq: 10 },
  });
});

test("a branch in the middle of a turn ends its calls and the turn", () => {
  const branch = branchFacts(records(8), { sessionId: "parent", now: 999 });
  const reason = "the session was branched before this call ended";
  assert.deepEqual(branch.slice(8), [
    { at: 999, fact: { type: "tool.settled", callId: "c2", outcome: { kind: "cancelled", reason }, durationMs: 0 } },
    { at: 999, fact: { type: "turn.ended", turnId: "t1", reason: "cancelled", detail: reason } },
  ]);
});

test("a session without facts cannot be branched", () => {
  assert.throws(() => branchFacts([], { sessionId: "parent", now: 1 }), /"parent" has nothing to copy/);
});
