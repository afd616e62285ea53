import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokenStream } from "../wire/server-sent-events.ts";
import { StreamComplaint } from "../wire/stream-answer.ts";
import { MessagesAnswer } from "./messages-answer.ts";

const START = {
  type: "message_start",
  message: {
    id: "m",
    model: "claude-x",
    usage: { input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 1 },
  },
};
const STOP = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
];
const text = (index: number) => ({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
const piece = (index: number, words: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text: words },
});
const close = (index: number) => ({ type: "content_block_stop", index });

test("includes cached tokens in the input tokens; a later count replaces an earlier one", () => {
  const end = fold([START, text(0), piece(0, "Hi"), close(0), ...STOP]);
  assert.deepEqual(end, {
    type: "end",
    kind: "answer",
    parts: [{ type: "text", text: "Hi" }],
    finish: "stop",
    usage: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 70, cacheWriteTokens: 20, reasoningTokens: 0 },
    model: "claude-x",
  });
});

// field: M16
test("reads the input of a call that arrives whole in its block's start event", () => {
  const start = (index: number, input: unknown) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: `c${index}`, name: "write_file", input },
  });
  const json = (index: number, partial_json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const end = fold([
    START,
    start(0, { path: "a.txt", content: "x" }),
    close(0),
    start(1, {}),
    json(1, '{"path":"b"}'),
    close(1),
    start(2, {}),
    close(2),
    ...STOP,
  ]);
  assert.deepEqual(end.kind === "answer" && end.parts.map((part) => part.type === "tool-call" && part.args), [
    '{"path":"a.txt","content":"x"}',
    '{"path":"b"}',
    "{}",
  ]);
});

test("preserves thinking with its signature and redacted thinking with its data, in order", () => {
  const end = fold([
    START,
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "si" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "g" } },
    close(0),
    { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "xyz" } },
    close(1),
    { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t1", name: "todo", input: {} } },
    close(2),
    ...STOP,
  ]);
  assert.deepEqual(end.kind === "answer" && [end.parts, end.finish], [
    [
      { type: "reasoning", text: "Hm", provider: { from: "anthropic", signature: "sig" } },
      { type: "reasoning", text: "", provider: { from: "anthropic", redacted: "xyz" } },
      { type: "tool-call", callId: "t1", tool: "todo", args: "{}" },
    ],
    "tool-calls",
  ]);
});

// row 27 of the fault matrix
test("ignores harmless repeated events; missing or misordered events make the answer stream invalid", () => {
  const whole = [START, text(0), piece(0, "Hi"), close(0), ...STOP];
  assert.deepEqual(
    fold([START, START, text(0), text(0), piece(0, "Hi"), close(0), close(0), ...STOP, ...STOP]),
    fold(whole),
  );
  const broken: readonly (readonly object[])[] = [
    [START, piece(0, "Hi")],
    [START, text(0), close(0), piece(0, "Hi")],
    [START, text(0), piece(0, "Hi"), text(0)],
    [START, text(0), piece(0, "Hi"), ...STOP],
    [START, text(0), piece(0, "Hi"), close(0)],
    [START, text(0), { ...START, message: { ...START.message, id: "other" } }],
    [START, text(0), { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{" } }],
    [START, { type: "content_block_stop" }],
    [START],
  ];
  for (const events of broken) assert.throws(() => fold(events), BrokenStream, JSON.stringify(events));
});

test("reports an error in the stream, whatever came before", () => {
  assert.throws(
    () =>
      fold([
        START,
        text(0),
        piece(0, "Hi"),
        { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      ]),
    (error) => error instanceof StreamComplaint && error.complaint.codes === "overloaded_error",
  );
});

test("maps stop reasons to four values", () => {
  const finish = (reason: string) => {
    const end = fold([
      START,
      text(0),
      piece(0, "x"),
      close(0),
      { type: "message_delta", delta: { stop_reason: reason } },
      { type: "message_stop" },
    ]);
    return end.kind === "answer" ? end.finish : "";
  };
  assert.deepEqual(
    ["end_turn", "stop_sequence", "max_tokens", "model_context_window_exceeded", "refusal", "pause_turn"].map(finish),
    ["stop", "stop", "length", "length", "filter", "stop"],
  );
});

function fold(events: readonly object[]) {
  const answer = new MessagesAnswer("anthropic", new Set());
  for (const event of events) answer.take({ event: "", data: JSON.stringify(event) });
  return answer.end()[0];
}
