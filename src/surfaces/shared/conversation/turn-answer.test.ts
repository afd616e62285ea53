import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { answerOf, endByFacts, inputByFacts, mayBecomeSilent, NOTHING_TO_SAY } from "./turn-answer.ts";

const recorded = (...facts: readonly Fact[]): readonly Recorded[] =>
  facts.map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact }));
const answered = (turnId: string, text: string): Fact => ({
  type: "model.answered",
  turnId,
  requestId: "r",
  parts: [
    { type: "reasoning", text: "hm" },
    { type: "text", text },
  ],
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
});

test("sends the answer's text, nothing for a silent answer, and a note for an empty one", () => {
  assert.equal(answerOf({ reason: "done", text: "Hello." }), "Hello.");
  assert.equal(answerOf({ reason: "done", text: " \n" }), NOTHING_TO_SAY);
  for (const silence of ["[SILENT]", "NO_REPLY", " *no reply.* ", "`silent`"])
    assert.equal(answerOf({ reason: "done", text: silence }), undefined, silence);
  assert.equal(answerOf({ reason: "done", text: "Silent night is a song." }), "Silent night is a song.");
});

test("appends the reason to the answer of a failed or limited turn, and sends nothing for a stopped one", () => {
  assert.equal(answerOf({ reason: "failed", text: "", detail: "The key was refused." }), "⚠ The key was refused.");
  assert.equal(answerOf({ reason: "limit", text: "Half of it." }), "Half of it.\n\n⚠ The turn reached its limit.");
  assert.equal(answerOf({ reason: "failed", text: "" }), "⚠ The turn failed.");
  assert.equal(answerOf({ reason: "cancelled", text: "Half of it." }), undefined);
});

test("reads from the facts whether a turn ended, with its last text and without its reasoning", () => {
  const facts = recorded(
    { type: "turn.started", turnId: "t1" },
    answered("t1", "First."),
    answered("t2", "Another's."),
    answered("t1", "Last."),
  );
  assert.equal(endByFacts(facts, "t1"), undefined);
  assert.deepEqual(
    endByFacts(
      [...facts, ...recorded({ type: "turn.ended", turnId: "t1", reason: "limit", detail: "Too many." })],
      "t1",
    ),
    { reason: "limit", text: "Last.", detail: "Too many." },
  );
});

test("an input is unknown, queued, or read by a turn", () => {
  const queued: Fact = { type: "input.queued", inputId: "inbox_1", mode: "queue", origin: "person", parts: [] };
  assert.equal(inputByFacts(recorded({ ...queued, inputId: "inbox_11" }), "inbox_1"), "unknown");
  assert.equal(inputByFacts(recorded(queued), "inbox_1"), "waits");
  assert.deepEqual(
    inputByFacts(
      recorded(queued, { type: "message.added", turnId: "t1", origin: "person", parts: [], inputId: "inbox_1" }),
      "inbox_1",
    ),
    { turnId: "t1" },
  );
});

test("withholds a partial answer only while it may still become a silent one", () => {
  for (const written of ["", "[sil", "NO", "no_reply", "**silent**"])
    assert.equal(mayBecomeSilent(written), true, written);
  for (const written of ["Hello", "No, that", "x".repeat(65)]) assert.equal(mayBecomeSilent(written), false, written);
});
