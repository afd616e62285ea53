import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent, Fact } from "../../../contract/conversation/fact.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import { AnswerStream } from "./answer-stream.ts";

/** A chat that records its messages and the noted message ids. */
function chat(how: { readonly stuck?: boolean } = {}) {
  const message: string[] = [];
  const notes: (string | undefined)[] = [];
  let number = 0;
  const stream = new AnswerStream({
    log: quietLog(),
    ways: () => ({ everyMs: 0, cursor: "_" }),
    editing: (replyTo) => ({
      send: async (text) => (
        message.push(`send${replyTo === undefined ? "" : ` to ${replyTo}`}: ${text}`),
        { success: true, message_id: `m${++number}` }
      ),
      edit: async (id, text) => (
        message.push(`edit ${id}: ${text}`),
        how.stuck === true ? { success: false, retryable: true } : { success: true, message_id: id }
      ),
    }),
    mask: (text) => text.replaceAll("hunter2", "***"),
    room: () => 0,
    note: async (_, messageId) => void notes.push(messageId),
  });
  const fact = (one: Fact): AgentEvent => ({
    kind: "fact",
    sessionId: "s",
    recorded: { seq: 1, at: 0, v: 1, fact: one },
  });
  return {
    said: message,
    notes,
    stream,
    begin: (turnId: string, inputId?: string) => {
      stream.receive(fact({ type: "turn.started", turnId }));
      stream.receive(
        fact({
          type: "message.added",
          turnId,
          origin: "person",
          parts: [],
          inputId,
        }),
      );
    },
    async writes(text: string): Promise<void> {
      stream.receive({ kind: "live", sessionId: "s", live: { type: "text.delta", text } });
      for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    },
    answered: (turnId: string, text: string, calls = false) =>
      stream.receive(
        fact({
          type: "model.answered",
          turnId,
          requestId: "r",
          parts: [
            { type: "text", text },
            ...(calls ? [{ type: "tool-call", callId: "c", tool: "t", args: "{}" } as const] : []),
          ],
          finish: "stop",
          usage: {} as never,
        }),
      ),
    failed: (turnId: string) =>
      stream.receive(fact({ type: "model.failed", turnId, requestId: "r", failure: {} as never })),
  };
}

test("streams an answer into one reply, notes its id for the outbox, and reuses it when the request is retried", async () => {
  const { stream, said: message, notes, begin, writes, answered, failed } = chat();
  stream.asked("inbox_1", "42");
  begin("t", "inbox_1");
  await writes("Half a th");
  failed("t");
  await writes("A whole ");
  await writes("thought of hunter2.");
  answered("t", "A whole thought of hunter2.");
  await stream.settle("t", "A whole thought of hunter2.\n\nmodel · 3 %");
  assert.deepEqual(message, ["send to 42: Half a th_", "edit m1: A whole_", "edit m1: A whole thought of ***._"]);
  assert.deepEqual(notes, ["m1"]);
  await writes("nothing runs any more");
  assert.equal(message.length, 3);
});

test("keeps text before a tool call in a separate message without the cursor, and shows the answer below", async () => {
  const { stream, said: message, notes, begin, writes, answered } = chat();
  begin("t");
  await writes("Let me look.");
  answered("t", "Let me look.", true);
  await writes("It is there.");
  answered("t", "It is there.");
  await stream.settle("t", "It is there.");
  assert.deepEqual(message, ["send: Let me look._", "edit m1: Let me look.", "send: It is there._"]);
  assert.deepEqual(notes, ["m1", undefined, "m2"]);
});

test("keeps the shown text if the turn has no answer or a different one", async () => {
  for (const answer of [undefined, "Something else."]) {
    const { stream, said: message, notes, begin, writes } = chat();
    begin("t");
    await writes("I was about to");
    await stream.settle("t", answer);
    assert.deepEqual([message.at(-1), notes], ["edit m1: I was about to", ["m1", undefined]]);
  }
});

test("a turn keeps its message if its end is reported after the next turn started", async () => {
  const { stream, said: message, notes, begin, writes, answered } = chat();
  begin("t1");
  await writes("First.");
  answered("t1", "First.");
  begin("t2");
  await writes("Second.");
  await stream.settle("t1", "First.");
  answered("t2", "Second.");
  await stream.settle("t2", "Second.");
  assert.deepEqual(
    [message, notes],
    [
      ["send: First._", "send: Second._"],
      ["m1", "m2"],
    ],
  );
});

test("if edits are refused, keeps the shown text and still puts the whole answer there", async () => {
  const { stream, notes, begin, writes, answered } = chat({ stuck: true });
  begin("t");
  await writes("Half of it");
  await writes(" and the rest.");
  answered("t", "Half of it and the rest.");
  await stream.settle("t", "Half of it and the rest.");
  assert.deepEqual(notes, ["m1"]);
});
