import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEnd, ModelEvent } from "hermes-agent/plugin";
import { BrokenStream } from "../wire/server-sent-events.ts";
import { StreamComplaint } from "../wire/stream-answer.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { withoutUndefined } from "hermes-agent/testing";
import { definedFields } from "hermes-agent/plugin";

const delta = (delta: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) =>
  delta({
    tool_calls: [
      definedFields({
        index,
        id,
        function: definedFields({ name, arguments: args }),
      }),
    ],
  });

test("distinguishes calls that arrive interleaved, without indexes, all with index 0, or repeated", () => {
  const inTurns = fold([
    call(0, "a", "x", ""),
    call(1, "b", "y", ""),
    call(1, undefined, undefined, '{"n":2}'),
    call(0, undefined, undefined, '{"n":1}'),
    delta({}, "tool_calls"),
  ]);
  const unnumbered = fold([
    call(undefined, "a", "x", '{"n"'),
    call(undefined, undefined, undefined, ":1}"),
    call(undefined, "b", "y", '{"n":2}'),
    delta({}, "stop"),
  ]);
  const allZero = fold([call(0, "a", "x", '{"n":1}'), call(0, "b", "y", '{"n":2}'), delta({}, "tool_calls")]);
  const twice = fold([
    call(0, "a", "x", '{"n"'),
    call(0, "a", undefined, ":1}"),
    call(0, "a", "x", '{"n":1}'),
    call(1, "b", "y", '{"n":2}'),
    delta({}, "tool_calls"),
  ]);
  const expected = [
    { type: "tool-call", callId: "a", tool: "x", args: '{"n":1}' },
    { type: "tool-call", callId: "b", tool: "y", args: '{"n":2}' },
  ];
  for (const { end } of [inTurns, unnumbered, allZero, twice])
    assert.deepEqual(withoutUndefined([end.parts, end.finish]), [expected, "tool-calls"]);
});

// field: M15
test("two whole calls with the same index and no ID count as two; an exact repetition counts as none", () => {
  const x = { type: "tool-call", callId: "call_1", tool: "x", args: '{"n":1}' };
  const folded = (...pieces: object[]) => withoutUndefined(fold([...pieces, delta({}, "tool_calls")]).end.parts);
  assert.deepEqual(folded(call(0, "", "x", '{"n":1}'), call(0, "", "y", '{"n":2}')), [
    x,
    { type: "tool-call", callId: "call_2", tool: "y", args: '{"n":2}' },
  ]);
  assert.deepEqual(folded(call(0, "", "x", '{"n":1}'), call(0, "", "x", '{"n'), call(0, "", undefined, '":2}')), [
    x,
    { type: "tool-call", callId: "call_2", tool: "x", args: '{"n":2}' },
  ]);
  assert.deepEqual(folded(call(0, undefined, "x", '{"n":1}'), call(0, undefined, "x", '{"n":1}')), [x]);
  assert.deepEqual(folded(call(0, "", "x", '{"n"'), call(0, "", "x", ":1}"), call(0, "", "x", "")), [x]);
});

// field: M11
test("removes thinking that has only a closing tag, capital tags, several blocks or harmony channels", () => {
  const answered = (...texts: string[]) => {
    const { end } = fold([...texts.map((content) => delta({ content })), delta({}, "stop")]);
    return end.parts.map((part) => (part.type === "tool-call" ? part.tool : `${part.type}: ${part.text}`));
  };
  assert.deepEqual(answered("The user ", "greets.\n</th", "ink>\n\nHello!"), [
    "reasoning: The user greets.",
    "text: Hello!",
  ]);
  assert.deepEqual(answered("<THI", "NK>hm</Think>", "\n\nHello!"), ["reasoning: hm", "text: Hello!"]);
  assert.deepEqual(answered("<think>a</think><think>b</think>", "Hello!"), ["reasoning: ab", "text: Hello!"]);
  assert.deepEqual(
    answered("<|chan", "nel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hel", "lo!"),
    ["reasoning: hm", "text: Hello!"],
  );
  assert.deepEqual(answered("Write `</think>`", " there."), ["text: Write `</think>` there."]);
  assert.deepEqual(answered("<p>Hello!</p>"), ["text: <p>Hello!</p>"]);
  const { end } = fold([delta({ content: "I look.\n</think>" }), call(0, "a", "x", "{}"), delta({}, "tool_calls")]);
  assert.deepEqual(
    end.parts.map(({ type }) => type),
    ["reasoning", "tool-call"],
  );
});

// row 29 of the fault matrix
test("reports a tool call without a name to the model, drops an empty one, and treats a truncated one as a broken stream", () => {
  const nameless = { type: "tool-call", callId: "a", tool: "", args: '{"n":1}' };
  assert.deepEqual(
    withoutUndefined(
      fold([call(0, "a", undefined, '{"n":1}'), call(1, "b", "y", "{}"), delta({}, "tool_calls")]).end.parts,
    ),
    [nameless, { type: "tool-call", callId: "b", tool: "y", args: "{}" }],
  );
  assert.deepEqual(
    withoutUndefined(fold([call(0, "b", "y", "{}"), call(1, "c", undefined, ""), delta({}, "tool_calls")]).end.parts),
    [{ type: "tool-call", callId: "b", tool: "y", args: "{}" }],
  );
  assert.throws(() => fold([call(0, "a", undefined, '{"n":1}')]), BrokenStream);
});

test("gives calls without ids new ones and accepts arguments as an object", () => {
  const { end, events } = fold([
    delta({ tool_calls: [{ function: { name: "x", arguments: { n: 1 } } }] }),
    delta({}, "stop"),
  ]);
  assert.deepEqual(withoutUndefined(end.parts), [{ type: "tool-call", callId: "call_1", tool: "x", args: '{"n":1}' }]);
  assert.deepEqual(events, [{ type: "call.delta", tool: "x" }]);
});

test("keeps every format of reasoning with the data to send it back", () => {
  const parts = (chunks: unknown[]) => fold([...chunks, delta({ content: "4" }), delta({}, "stop")]).end.parts[0];
  assert.deepEqual(parts([delta({ reasoning_content: "Hm" }), delta({ reasoning_content: "." })]), {
    type: "reasoning",
    text: "Hm.",
    provider: { from: "p", field: "reasoning_content" },
  });
  assert.deepEqual(parts([delta({ reasoning: "Hm." })]), {
    type: "reasoning",
    text: "Hm.",
    provider: { from: "p", field: "reasoning" },
  });
  assert.deepEqual(
    parts([
      delta({ reasoning: "Hm", reasoning_details: [{ type: "reasoning.text", text: "Hm", index: 0 }] }),
      delta({ reasoning: ".", reasoning_details: [{ type: "reasoning.text", text: ".", index: 0 }] }),
      delta({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] }),
    ]),
    {
      type: "reasoning",
      text: "Hm.",
      provider: { from: "p", details: [{ type: "reasoning.text", text: "Hm.", index: 0, signature: "sig" }] },
    },
  );
  assert.deepEqual(
    parts([delta({ content: "<thi" }), delta({ content: "nk>Hm.</thi" }), delta({ content: "nk>\n\n" })]),
    { type: "reasoning", text: "Hm." },
  );
  assert.deepEqual(parts([delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] })]), {
    type: "reasoning",
    text: "Hm.",
  });
});

test("a tag in the middle of an answer is text", () => {
  assert.deepEqual(fold([delta({ content: "Write <think> so." }), delta({}, "stop")]).end.parts, [
    { type: "text", text: "Write <think> so." },
  ]);
  assert.deepEqual(fold([delta({ content: "<" }), delta({}, "stop")]).end.parts, [{ type: "text", text: "<" }]);
});

test("a stream may end with a finish reason, with [DONE], or with both; with neither it is broken", () => {
  assert.equal(fold([delta({ content: "a" }, "stop")]).end.finish, "stop");
  assert.equal(fold([delta({ content: "a" }), "[DONE]"]).end.finish, "stop");
  assert.throws(() => fold([delta({ content: "a" })]), BrokenStream);
  assert.throws(() => fold([call(0, "a", "x", '{"n":')]), BrokenStream);
  assert.throws(() => fold([call(0, "a", "x", '{"n":'), "[DONE]"]), BrokenStream);
});

test("maps finish reasons of all services to four values", () => {
  const finish = (reason: string) => fold([delta({ content: "a" }, reason)]).end.finish;
  assert.deepEqual(["stop", "end_turn", "eos", "length", "MAX_TOKENS", "content_filter", "tool_calls"].map(finish), [
    "stop",
    "stop",
    "stop",
    "length",
    "length",
    "filter",
    "stop",
  ]);
  assert.throws(() => finish("error"), BrokenStream);
});

test("reports an error in the stream with its code", () => {
  assert.throws(
    () => fold([delta({ content: "a" }), { error: { code: 429, message: "slow down" } }]),
    (error) =>
      error instanceof StreamComplaint && error.complaint.status === 429 && error.complaint.message === "slow down",
  );
});

test("reads usage in every format and estimates it if missing", () => {
  const usage = (value: unknown) => fold([delta({ content: "a" }, "stop"), { choices: [], usage: value }]).end.usage;
  assert.deepEqual(
    usage({
      prompt_tokens: 10,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }),
    { inputTokens: 10, outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 0, reasoningTokens: 2 },
  );
  assert.equal(usage({ prompt_tokens: 10, completion_tokens: 3, prompt_cache_hit_tokens: 7 }).cacheReadTokens, 7);
  assert.deepEqual(usage(undefined), {
    inputTokens: 100,
    outputTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  });
});

function fold(chunks: readonly unknown[]) {
  const answer = new ChatAnswer({ provider: "p", usedIds: new Set(), requestChars: 380 });
  const events: ModelEvent[] = chunks.flatMap((chunk) =>
    answer.take({ data: typeof chunk === "string" ? chunk : JSON.stringify(chunk) }),
  );
  const end = answer.end().at(-1) as ModelEnd;
  assert.ok(end.kind === "answer");
  return { events, end };
}
