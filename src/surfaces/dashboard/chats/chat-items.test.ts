import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { ChatItems } from "./chat-items.ts";
import type { ChatItem } from "./chat-state.ts";

const text = (words: string) => [{ type: "text", text: words }] as const;
const added = (turnId: string, words: string, inputId?: string): Fact => ({
  type: "message.added",
  turnId,
  origin: "person",
  parts: text(words),
  inputId,
});
const answered = (turnId: string, words: string): Fact =>
  ({
    type: "model.answered",
    turnId,
    requestId: `r-${turnId}`,
    parts: text(words),
    finish: "stop",
    usage: {},
  }) as never;
const called = (turnId: string, callId: string): Fact => ({
  type: "tool.called",
  turnId,
  callId,
  tool: "terminal",
  args: { command: "ls" },
  by: "model",
  effect: "execute",
  repeatable: false,
});

/** Rows after these facts, and what each fact changed. */
function fold(facts: readonly Fact[]) {
  const items = new ChatItems({ get: () => undefined });
  const changes = facts.map((fact, at) => items.apply({ seq: at + 1, at: at + 1, v: 1, fact }));
  return { items, rows: items.all.map(shown), changes };
}

function shown(item: ChatItem): string {
  if (item.kind === "message") return `${item.queued === true ? "queued " : ""}message ${item.text}`;
  if (item.kind === "call") return `call ${item.call.state}`;
  return item.kind === "answer" || item.kind === "note" ? `${item.kind} ${item.text}` : item.kind;
}

test("a queued message comes last, and moves into the conversation when a turn reads it", () => {
  const queued: Fact = { type: "input.queued", inputId: "i1", mode: "queue", origin: "person", parts: text("two") };
  const facts = [added("t1", "one"), queued, answered("t1", "first")];
  assert.deepEqual(fold(facts).rows, ["message one", "answer first", "queued message two"]);
  assert.deepEqual(fold([...facts, added("t2", "two", "i1")]).rows, ["message one", "answer first", "message two"]);
  const withdrawn = fold([...facts, { type: "input.withdrawn", inputId: "i1" }]);
  assert.deepEqual([withdrawn.rows, withdrawn.changes.at(-1)?.removed], [["message one", "answer first"], ["i1"]]);
});

test("a call waits, asks, runs and ends once; what is open at the end of its turn is stopped", () => {
  const ok: Fact = {
    type: "tool.settled",
    callId: "c1",
    outcome: { kind: "ok", shown: text("files"), value: "files" },
    durationMs: 5,
  } as never;
  const started: Fact = { type: "tool.started", callId: "c1" };
  const asked: Fact = {
    type: "approval.asked",
    callId: "c1",
    digest: "d",
    risk: { answer: "ask", key: "k", reasons: ["Because."], effects: [] },
  };
  const given: Fact = {
    type: "approval.given",
    callId: "c1",
    decision: { kind: "allow", scope: "once", by: "person" },
  };
  const facts = [added("t1", "one"), called("t1", "c1"), asked, given, started, ok];
  const states = facts.slice(1).map((_, at) => fold(facts.slice(0, at + 2)).rows.at(-1));
  assert.deepEqual(states, ["call waiting", "call approval", "call waiting", "call running", "call done"]);
  assert.deepEqual(fold([...facts, called("t1", "c1"), started]).items.all.length, 2, "a repeated call stays one item");
  const ended: Fact = { type: "turn.ended", turnId: "t1", reason: "cancelled", detail: "stopped by you" };
  assert.deepEqual(fold([...facts.slice(0, 5), ended]).rows, ["message one", "call stopped", "note stopped by you"]);
  assert.equal(fold(facts).items.details("c1")?.args?.["command"], "ls");
  assert.equal(fold(facts).items.details("c2"), undefined);
});

test("turns that were taken back leave, with their calls", () => {
  const { rows, changes } = fold([
    added("t1", "one", "input-1"),
    answered("t1", "first"),
    added("t2", "two", "input-2"),
    called("t2", "c1"),
    answered("t2", "second"),
    { type: "turns.undone", from: 3, turns: 1 },
  ]);
  assert.deepEqual(rows, ["message one", "answer first"]);
  assert.deepEqual(changes.at(-1)?.removed, ["input-2", "c1", "a5"]);
});

test("a failure that repeats is shown once, and the part of an answer before it stays", () => {
  const failed = (words?: string): Fact => ({
    type: "model.failed",
    turnId: "t1",
    requestId: "r1",
    failure: { message: "The service is busy." } as never,
    text: words,
  });
  assert.deepEqual(fold([failed("Half an ans"), failed(), failed()]).rows, [
    "answer Half an ans",
    "note The service is busy.",
  ]);
});
