import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import type { ModelClient, ModelEnd, ModelEvent, ModelRequest } from "../../contract/providers/model.ts";
import { fakeClock, scriptedModel } from "../../testing/index.ts";
import { watchStream, type StreamWatch } from "./watch-stream.ts";

const REQUEST: ModelRequest = {
  model: "m",
  system: "",
  tools: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  sessionId: "s",
};
const LIMITS = { firstEventMs: 1_000, betweenEventsMs: 500, totalMs: 3_000 };

function watch(more: Partial<StreamWatch> = {}): StreamWatch {
  return { clock: fakeClock(), limits: LIMITS, signal: new AbortController().signal, onDelta: () => {}, ...more };
}

function code(end: ModelEnd): string {
  return end.kind === "answer" ? "answer" : `${end.failure.code} ${end.failure.retryable}`;
}

function client(stream: ModelClient["stream"]): ModelClient {
  return { stream };
}

test("passes deltas on, and returns the end once", async () => {
  const deltas: string[] = [];
  const end = await watchStream(
    scriptedModel([{ text: "hello there" }]),
    REQUEST,
    watch({ onDelta: (delta) => void deltas.push(delta.type === "call.delta" ? delta.tool : delta.text) }),
  );
  assert.deepEqual([code(end), deltas.join("")], ["answer", "hello there"]);
});

test("any misbehaviour of a client becomes one failure", async () => {
  const answer: ModelEvent = {
    type: "end",
    kind: "answer",
    parts: [{ type: "text", text: "a" }],
    finish: "stop",
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  };
  const reset = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  const cases: readonly (readonly [string, ModelClient["stream"]])[] = [
    [
      "bad_response false",
      async function* () {
        throw new TypeError("x is not a function");
      },
    ],
    [
      "bad_response false",
      () => {
        throw new Error("not even a stream");
      },
    ],
    [
      "network true",
      async function* () {
        yield { type: "text.delta", text: "a" };
        throw reset;
      },
    ],
    [
      "network true",
      async function* () {
        throw new Error("other", { cause: reset });
      },
    ],
    [
      "bad_response true",
      async function* () {
        yield { type: "text.delta", text: "a" };
      },
    ],
    [
      "bad_response false",
      async function* () {
        yield { type: "end", kind: "answer" } as unknown as ModelEvent;
      },
    ],
    [
      "bad_response false",
      async function* () {
        while (true) yield { type: "text.delta", text: "x".repeat(1_000_000) };
      },
    ],
    [
      "answer",
      async function* () {
        yield answer;
        yield answer;
        throw new Error("after the end");
      },
    ],
  ];
  for (const [expected, stream] of cases)
    assert.equal(code(await watchStream(client(stream), REQUEST, watch())), expected);
});

// row 26 of the fault matrix
test("the first-event, between-events and total timeouts of a model have separate messages; an event restarts the second", async () => {
  const text = async (events: readonly number[]) => {
    const clock = fakeClock();
    const stream = async function* (): AsyncGenerator<ModelEvent> {
      for (const at of events) {
        await clock.sleep(at - clock.elapsed());
        yield { type: "thinking.delta", text: "." };
      }
      await new Promise<never>(() => {});
    };
    const ended = watchStream(client(stream), REQUEST, watch({ clock }));
    for (let n = 0; n < 40; n++) await clock.advance(100);
    const end = await ended;
    return end.kind === "failure" ? end.failure.message : "answer";
  };
  assert.match(await text([]), /sent nothing for 1 s/);
  assert.match(await text([900, 1_300]), /sent nothing more for 500 ms/);
  assert.match(await text([400, 800, 1_200, 1_600, 2_000, 2_400, 2_800]), /did not finish its answer within 3 s/);
});

// row 26 of the fault matrix
test("model events without visible text, such as pieces of a tool call, restart the between-events timeout and are not shown", async () => {
  const clock = fakeClock();
  const deltas: string[] = [];
  const stream = async function* (): AsyncGenerator<ModelEvent> {
    for (let at = 400; at <= 2_000; at += 400) {
      await clock.sleep(400);
      yield { type: "alive" };
    }
    await new Promise<never>(() => {});
  };
  const ended = watchStream(client(stream), REQUEST, watch({ clock, onDelta: ({ type }) => void deltas.push(type) }));
  for (let n = 0; n < 40; n++) await clock.advance(100);
  const end = await ended;
  assert.match(end.kind === "failure" ? end.failure.message : "answer", /sent nothing more for 500 ms/);
  assert.ok(clock.elapsed() >= 2_500);
  assert.deepEqual(deltas, []);
});

test("detects silence after the first event by its own timeout, even if the first-event timeout is longer", async () => {
  const clock = fakeClock();
  const stream = async function* (): AsyncGenerator<ModelEvent> {
    yield { type: "thinking.delta", text: "." };
    await new Promise<never>(() => {});
  };
  const ended = watchStream(
    client(stream),
    REQUEST,
    watch({ clock, limits: { firstEventMs: 120_000, betweenEventsMs: 500, totalMs: 900_000 } }),
  );
  for (let n = 0; n < 12; n++) await clock.advance(100);
  const end = await ended;
  assert.match(end.kind === "failure" ? end.failure.message : "answer", /sent nothing more for 500 ms/);
  assert.ok(clock.elapsed() <= 1_200);
});

test("an abort ends the stream at once, even if the client ignores it, and leaves no listener", async () => {
  const stop = new AbortController();
  const clock = fakeClock();
  const ended = watchStream(scriptedModel([{ ends: "deaf" }]), REQUEST, watch({ clock, signal: stop.signal }));
  stop.abort();
  assert.equal(code(await ended), "cancelled false");
  assert.equal(getEventListeners(stop.signal, "abort").length, 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.sleepers, 0, "no timer is left");
});
