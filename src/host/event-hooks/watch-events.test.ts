import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import type { EventHooks } from "./event-hooks.ts";
import { watchEvents } from "./watch-events.ts";

function world(received: readonly string[] = ["session", "agent", "command"]) {
  const message: (readonly [string, JsonObject])[] = [];
  const clock = fakeClock();
  const hooks = new Hooks({ log: quietLog(), clock });
  const events = {
    subscribesTo: (kind: string) => received.includes(kind),
    emit: (event: string, context: JsonObject) => void message.push([event, context]),
    command: async () => undefined,
  } as unknown as EventHooks;
  const watching = watchEvents(
    hooks,
    events,
    () => clock.elapsed(),
    (sessionId) =>
      sessionId === "s1"
        ? { user_id: "u1", chat_id: "c1", thread_id: "", chat_type: "dm", session_key: "key" }
        : undefined,
  );
  return { told: message, hooks, clock, watching };
}

const SESSION = { session_id: "s1", model: "m", platform: "telegram" };
const TURN = { ...SESSION, task_id: "s1", turn_id: "t1" };
const REQUEST = { ...TURN, api_request_id: "r", provider: "p", api_call_count: 1 };
const ASKED = {
  ...REQUEST,
  user_message: "hi",
  request: { model: "m", system: "", tools: [], messages: [], sessionId: "s1" },
  message_count: 1,
  tool_count: 1,
  approx_input_tokens: 1,
  request_char_count: 4,
  started_at: 0,
};
const ANSWERED = {
  ...REQUEST,
  finish_reason: "stop",
  usage: { inputTokens: 1, outputTokens: 1 },
  api_duration: 1,
  assistant_content_chars: 1,
  assistant_tool_call_count: 0,
};
const END = {
  ...SESSION,
  completed: true,
  interrupted: false,
  task_id: "s1",
  turn_id: "t1",
  turn_exit_reason: "done" as const,
};

test("a turn's events include the user, one step per answer with the preceding tools, and the duration", async () => {
  const { told: message, hooks, clock } = world();
  await hooks.collect("pre_llm_call", {
    ...TURN,
    user_message: "x".repeat(900),
    conversation_history: [],
    is_first_turn: true,
  });
  await hooks.observe("pre_api_request", ASKED);
  await hooks.observe("pre_api_request", ASKED); // Sent again: no new step.
  await hooks.observe("post_api_request", ANSWERED as never);
  await hooks.observe("post_tool_call", { ...TURN, tool_name: "look", result: "y".repeat(900) } as never);
  await hooks.observe("pre_api_request", ASKED);
  await hooks.observe("post_llm_call", {
    ...TURN,
    user_message: "hi",
    assistant_response: "there",
    conversation_history: [],
  });
  clock.advance(2_500);
  await hooks.observe("on_session_end", END);
  const start = {
    platform: "telegram",
    user_id: "u1",
    chat_id: "c1",
    thread_id: "",
    chat_type: "dm",
    session_id: "s1",
    message: "x".repeat(500),
  };
  const step = { platform: "telegram", user_id: "u1", session_id: "s1" };
  assert.deepEqual(message, [
    ["agent:start", start],
    ["agent:step", { ...step, iteration: 1, tool_names: [], tools: [] }],
    ["agent:step", { ...step, iteration: 2, tool_names: ["look"], tools: [{ name: "look", result: "y".repeat(500) }] }],
    [
      "agent:end",
      { ...start, model: "m", response: "there", completed: true, interrupted: false, duration_seconds: 2.5 },
    ],
  ]);
});

test("forgets an unfinished turn when its session ends, without affecting other sessions", async () => {
  const { told: message, hooks } = world(["agent"]);
  for (const [session_id, turn_id] of [
    ["s1", "t1"],
    ["s2", "t2"],
  ] as const)
    await hooks.collect("pre_llm_call", {
      ...TURN,
      session_id,
      turn_id,
      user_message: "hi",
      conversation_history: [],
      is_first_turn: true,
    });
  await hooks.observe("on_session_finalize", { session_id: "s1", platform: "telegram", reason: "shutdown" });
  await hooks.observe("on_session_end", END);
  await hooks.observe("on_session_end", { ...END, session_id: "s2", turn_id: "t2" });
  assert.deepEqual(
    message.map(([event, { session_id }]) => `${event} ${session_id}`),
    ["agent:start s1", "agent:start s2", "agent:end s2"],
  );
});

test("reports a session with its user, skips subagents, and subscribes only to the hooks it needs", async () => {
  const { told: message, hooks, watching } = world(["session"]);
  assert.equal(hooks.has("pre_llm_call"), false);
  await hooks.observe("on_session_start", SESSION);
  await hooks.observe("on_session_start", { ...SESSION, session_id: "child", parent_session_id: "s1" });
  await hooks.observe("on_session_finalize", { session_id: "s2", platform: "cli", reason: "shutdown" });
  assert.deepEqual(message, [
    ["session:start", { platform: "telegram", user_id: "u1", session_id: "s1", session_key: "key" }],
    ["session:end", { platform: "cli", user_id: "", session_id: "s2", session_key: "s2" }],
  ]);
  watching[Symbol.dispose]();
  assert.equal(hooks.has("on_session_start"), false);
});
