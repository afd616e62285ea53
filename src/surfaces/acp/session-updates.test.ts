import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { SessionUpdates, type UpdatePorts } from "./session-updates.ts";
import { ShownCalls } from "./shown-calls.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

function updates(display: Partial<ReturnType<UpdatePorts["display"]>> = {}): SessionUpdates {
  const app = { config: { get: () => undefined }, tools: { get: () => undefined }, mask: (text: string) => text };
  return new SessionUpdates({
    cwd: "/work",
    calls: new ShownCalls(app as unknown as ConstructorParameters<typeof ShownCalls>[0], "/work"),
    display: () => ({ streaming: true, reasoning: "full", ...display }),
  });
}

const asked = (requestId: string): Fact => ({
  type: "model.asked",
  turnId: "t",
  requestId,
  model: "m",
  prefixHash: "h",
  attempt: 1,
});
const answered = (requestId: string, text: string, thought = ""): Fact => ({
  type: "model.answered",
  turnId: "t",
  requestId,
  parts: [
    { type: "reasoning", text: thought },
    { type: "text", text },
  ],
  finish: "stop",
  usage,
});
const output = (text: string, messageId: string, sessionUpdate = "agent_message_chunk") => ({
  sessionUpdate,
  content: { type: "text", text },
  messageId,
});

test("sends the streamed part of an answer and the rest; a retried answer is a new message", () => {
  const reported = updates();
  reported.onFact(asked("r1"));
  assert.deepEqual(reported.onLive({ type: "text.delta", text: "Hel" }), [output("Hel", "r1")]);
  reported.onFact({
    type: "model.failed",
    turnId: "t",
    requestId: "r1",
    failure: { code: "network", message: "cut", retryable: true } as never,
  });
  reported.onFact(asked("r2"));
  assert.deepEqual(reported.onLive({ type: "text.delta", text: "Hello" }), [output("Hello", "r2")]);
  assert.deepEqual(reported.onFact(answered("r2", "Hello there.", "Greet.")), [
    output("Greet.", "r2:thought", "agent_thought_chunk"),
    output(" there.", "r2"),
  ]);
});

test("without streaming sends the whole answer, and never hidden thinking", () => {
  const reported = updates({ streaming: false, reasoning: "hidden" });
  reported.onFact(asked("r1"));
  assert.deepEqual(
    [reported.onLive({ type: "text.delta", text: "Hel" }), reported.onLive({ type: "thinking.delta", text: "Gr" })],
    [[], []],
  );
  assert.deepEqual(reported.onFact(answered("r1", "Hello.", "Greet.")), [output("Hello.", "r1")]);
});

test("loading a conversation replays user messages, but never the system's notes to the model", () => {
  const message = (origin: "person" | "process" | "system"): Fact => ({
    type: "message.added",
    turnId: "t",
    origin,
    parts: [{ type: "text", text: origin }],
  });
  const reported = (past: boolean): readonly string[] =>
    (["person", "process", "system"] as const).flatMap((origin) =>
      updates()
        .onFact(message(origin), past)
        .flatMap((update) =>
          update.sessionUpdate === "user_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
        ),
    );
  assert.deepEqual([reported(false), reported(true)], [["process"], ["person", "process"]]);
});

test("a call that runs again after an interruption keeps its card", () => {
  const reported = updates();
  const called: Fact = {
    type: "tool.called",
    turnId: "t",
    callId: "c",
    tool: "search_files",
    args: { pattern: "x", path: "src" },
    by: "model",
    effect: "read",
    repeatable: true,
  };
  const card = {
    toolCallId: "c",
    title: "search_files: x",
    name: "search_files",
    kind: "search",
    locations: [{ path: "/work/src" }],
    rawInput: called.args,
    status: "pending",
  };
  assert.deepEqual(withoutUndefined([reported.onFact(called), reported.onFact(called)]), [
    [{ sessionUpdate: "tool_call", ...card }],
    [{ sessionUpdate: "tool_call_update", ...card }],
  ]);
  assert.deepEqual(
    withoutUndefined(
      reported.onFact({
        type: "tool.settled",
        callId: "c",
        outcome: { kind: "denied", by: "person", reason: "The user refused this call." },
        durationMs: 1,
      }),
    ),
    [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c",
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "denied by you" } }],
        locations: [{ path: "/work/src" }],
      },
    ],
  );
});
