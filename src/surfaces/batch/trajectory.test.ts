import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import type { AnswerPart } from "../../contract/conversation/part.ts";
import { NO_USAGE } from "../../contract/common/usage.ts";
import { trajectoryOf } from "./trajectory.ts";

const recorded = (facts: readonly Fact[]): readonly Recorded[] =>
  facts.map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact }));
const answered = (...parts: readonly AnswerPart[]): Fact => ({
  type: "model.answered",
  turnId: "t",
  requestId: "r",
  parts,
  finish: "stop",
  usage: NO_USAGE,
});
const settled = (callId: string, text: string): Fact => ({
  type: "tool.settled",
  callId,
  outcome: { kind: "ok", shown: [{ type: "text", text }] },
  durationMs: 1,
});

test("puts results after their calls in call order; invalid JSON stays text", () => {
  const { conversations, tools, ended } = trajectoryOf(
    recorded([
      { type: "turn.started", turnId: "t" },
      { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: "go" }] },
      answered(
        { type: "tool-call", callId: "1", tool: "a", args: '{"x":1}' },
        { type: "tool-call", callId: "2", tool: "b", args: "{broken" },
      ),
      settled("2", '{"success":false}'),
      settled("1", "{not json"),
      answered({ type: "reasoning", text: "so" }, { type: "text", text: "end" }),
      { type: "turn.ended", turnId: "t", reason: "limit" },
    ]),
  );
  assert.deepEqual(conversations.slice(1), [
    { from: "human", value: "go" },
    {
      from: "gpt",
      value:
        '<think>\n</think>\n<tool_call>\n{"name":"a","arguments":{"x":1}}\n</tool_call>\n<tool_call>\n{"name":"b","arguments":{}}\n</tool_call>',
    },
    {
      from: "tool",
      value:
        '<tool_response>\n{"tool_call_id":"1","name":"a","content":"{not json"}\n</tool_response>\n<tool_response>\n{"tool_call_id":"2","name":"b","content":{"success":false}}\n</tool_response>',
    },
    { from: "gpt", value: "<think>\nso\n</think>\nend" },
  ]);
  assert.deepEqual(
    [[...tools], ended?.reason],
    [
      [
        ["a", { count: 1, success: 1, failure: 0 }],
        ["b", { count: 1, success: 0, failure: 1 }],
      ],
      "limit",
    ],
  );
});

test("reports a session that does not exist or has not ended", () => {
  const { begun, ended } = trajectoryOf([]);
  assert.deepEqual([begun, ended], [false, undefined]);
  const open = trajectoryOf(
    recorded([
      { type: "turn.started", turnId: "1" },
      { type: "turn.ended", turnId: "1", reason: "failed" },
      { type: "turn.started", turnId: "2" },
    ]),
  );
  assert.deepEqual([open.begun, open.ended], [true, undefined]);
});
