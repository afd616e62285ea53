import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../../contract/conversation/part.ts";
import { readConversation } from "./read-conversation.ts";

const historyOf = (...content: readonly object[]) =>
  readConversation(
    [
      { role: "user", content: "hi" },
      { role: "assistant", content: content as never },
      { role: "user", content: [{ type: "text", text: "and?" }] },
    ],
    "messages",
  );

// field: S13
test("reads a history with the thoughts, calls and refusals of other models", () => {
  for (const thought of [
    { type: "thinking", thinking: "Hm.", signature: "x" },
    { type: "redacted_thinking", data: "x" },
    { type: "reasoning", reasoning: "Hm." },
    { type: "reasoning_text", text: "Hm." },
    { type: "tool_use", id: "t1", name: "look", input: {} },
  ])
    assert.deepEqual(historyOf(thought, { type: "text", text: "Hello." }).history.at(-1), {
      who: "assistant",
      text: "Hello.",
    });
  assert.deepEqual(historyOf({ type: "refusal", refusal: "I can't." }).history.at(-1), {
    who: "assistant",
    text: "I can't.",
  });
  const onlyThoughts = historyOf({ type: "thinking", thinking: "Hm." });
  assert.deepEqual([onlyThoughts.history.length, textOf(onlyThoughts.input)], [1, "and?"]);
});

test("refuses parts that it cannot read, and thoughts of a user", () => {
  assert.throws(() => historyOf({ type: "input_audio", input_audio: {} }), { status: 400 });
  assert.throws(
    () => readConversation([{ role: "user", content: [{ type: "thinking", thinking: "x" }] }], "messages"),
    { status: 400 },
  );
});
