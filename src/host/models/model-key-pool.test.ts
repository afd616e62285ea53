import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEnd, ModelEvent, ModelFailure } from "../../contract/providers/model.ts";
import { keyPool, type PoolPast, type PoolStrategy } from "./model-key-pool.ts";

const KEYS = ["A", "B", "C"].map((name) => ({ name, key: `key-of-${name}` }));
const failure = (code: ModelFailure["code"], more: Partial<ModelFailure> = {}): ModelEnd => ({
  type: "end",
  kind: "failure",
  failure: { code, message: "no", retryable: false, ...more },
});
const ANSWER: ModelEnd = {
  type: "end",
  kind: "answer",
  parts: [],
  finish: "stop",
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
};

/** A pool with scripted key failures, one request for each expected answer. */
function pool(strategy: PoolStrategy, fails: { [name: string]: ModelEnd } = {}, first?: ModelEvent) {
  const asked: string[] = [];
  const message: string[] = [];
  let now = 1_000_000;
  let past: PoolPast = {};
  const open = () =>
    keyPool({
      service: "Lab",
      keys: KEYS,
      strategy,
      now: () => now,
      past: { read: () => past, write: (next) => void (past = structuredClone(next)) },
      told: (text) => message.push(text),
      connect: (key) => ({
        async *stream() {
          const name = key.replace("key-of-", "");
          asked.push(name);
          if (first !== undefined) yield first;
          yield fails[name] ?? ANSWER;
        },
      }),
    });
  return {
    asked,
    told: message,
    fails,
    past: () => past,
    wait: (ms: number) => void (now += ms),
    /** As in separate processes. */
    async ask(): Promise<string> {
      let end: ModelEnd | undefined;
      for await (const event of open().stream(
        { model: "m", system: "", tools: [], messages: [], sessionId: "s" },
        new AbortController().signal,
      ))
        if (event.type === "end") end = event;
      return end!.kind === "answer" ? "answer" : end!.failure.code;
    },
  };
}

// req: models.credential-pool
test("round_robin rotates keys, least_used balances them, fill_first uses the first", async () => {
  for (const [strategy, expected] of [
    ["round_robin", "ABCABC"],
    ["least_used", "ABCABC"],
    ["fill_first", "AAAAAA"],
  ] as const) {
    const keys = pool(strategy);
    for (let n = 0; n < 6; n++) assert.equal(await keys.ask(), "answer");
    assert.equal(keys.asked.join(""), expected, strategy);
  }
  const random = pool("random");
  for (let n = 0; n < 60; n++) await random.ask();
  assert.deepEqual([...new Set(random.asked)].sort(), ["A", "B", "C"]);
});

test("a key without credit, permission or quota rests, the request uses the next key, and the first returns later", async () => {
  for (const [code, restMs, more] of [
    ["auth", 300_000, {}],
    ["billing", 3_600_000, {}],
    ["rate_limit", 60_000, {}],
    ["rate_limit", 5_000, { retryAfterMs: 5_000 }],
  ] as const) {
    const keys = pool("fill_first", { A: failure(code, more) });
    assert.equal(await keys.ask(), "answer");
    assert.equal(await keys.ask(), "answer");
    assert.equal(keys.asked.join(""), "ABB");
    assert.deepEqual(keys.told, [`Key A of Lab is suspended for ${restMs / 1000} s (${code}); continuing with B.`]);
    delete keys.fails["A"];
    keys.wait(restMs - 1);
    await keys.ask();
    keys.wait(1);
    await keys.ask();
    assert.equal(keys.asked.join(""), "ABBBA", code);
  }
});

test("tries no other key if that would not help or if the answer has begun", async () => {
  const keys = pool("fill_first", { A: failure("overloaded") });
  assert.equal(await keys.ask(), "overloaded");
  assert.equal(keys.asked.join(""), "A");
  const middle = pool("fill_first", { A: failure("rate_limit") }, { type: "text.delta", text: "It begins" });
  assert.equal(await middle.ask(), "rate_limit");
  assert.equal(middle.asked.join(""), "A");
  const queued = pool("fill_first", { A: failure("rate_limit") }, { type: "alive" });
  assert.equal(await queued.ask(), "answer");
  assert.equal(queued.asked.join(""), "AB");
});

test("when every key is resting, reports the last failure, and the next request uses the key ready first", async () => {
  const keys = pool("fill_first", {
    A: failure("billing"),
    B: failure("rate_limit", { retryAfterMs: 2_000 }),
    C: failure("auth"),
  });
  assert.equal(await keys.ask(), "auth");
  assert.equal(await keys.ask(), "rate_limit");
  assert.equal(keys.asked.join(""), "ABCB");
});

test("stores no key, only its hash", async () => {
  const keys = pool("round_robin");
  await keys.ask();
  assert.doesNotMatch(JSON.stringify(keys.past()), /key-of/);
  assert.equal(Object.keys(keys.past()).length, 3);
});
