import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { viewOf } from "./view.ts";

const failed = (message: string): Fact => ({
  type: "model.failed",
  turnId: "t1",
  requestId: "r",
  failure: { code: "network", message, retryable: true },
});

test("shows a repeated model failure once, and a different failure separately", () => {
  const facts: readonly Fact[] = [
    { type: "turn.started", turnId: "t1" },
    { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: "hello" }] },
    ...["Nothing answers.", "Nothing answers.", "It is too busy.", "Nothing answers."].map(failed),
    { type: "turn.ended", turnId: "t1", reason: "failed", detail: "Nothing answers. (asked 4 times)" },
  ];
  const { entries } = viewOf(facts.map((fact, index) => ({ seq: index + 1, at: 0, v: 1, fact })));
  assert.deepEqual(
    entries.map(({ kind, ...entry }) => [kind, "text" in entry ? entry.text : ""]),
    [
      ["user", "hello"],
      ["note", "Nothing answers."],
      ["note", "It is too busy."],
      ["note", "Nothing answers."],
      ["note", "✗ Nothing answers. (asked 4 times)"],
    ],
  );
});

test("a call's entry includes its images, its subagents and its failure", () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const called = (callId: string): Fact => ({
    type: "tool.called",
    turnId: "t1",
    callId,
    tool: "delegate_task",
    by: "model",
    effect: "none",
    repeatable: false,
  });
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const denied = { kind: "denied", by: "person", reason: "No." } as const;
  const facts: readonly Fact[] = [
    { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: "look" }, image] },
    called("a"),
    { type: "subagent.started", callId: "a", sessionId: "s1", goal: "count", role: "leaf" },
    { type: "subagent.started", callId: "a", sessionId: "s2", goal: "sum", role: "leaf" },
    { type: "subagent.ended", callId: "a", sessionId: "s1", reason: "done", usage, durationMs: 5 },
    { type: "tool.settled", callId: "a", outcome: { kind: "ok", shown: [image] }, durationMs: 9 },
    called("b"),
    { type: "tool.settled", callId: "b", outcome: denied, durationMs: 1 },
  ];
  const { entries } = viewOf(facts.map((fact, index) => ({ seq: index + 1, at: 0, v: 1, fact })));
  const [message, first, second] = entries;
  assert.deepEqual(message?.kind === "user" && message.images, [image]);
  assert.ok(first?.kind === "tool" && second?.kind === "tool");
  assert.deepEqual(first.images, [image]);
  assert.deepEqual(first.subagents, [{ goal: "count", ended: { reason: "done", durationMs: 5 } }, { goal: "sum" }]);
  assert.deepEqual([first.failure, second.failure], [undefined, denied]);
});
