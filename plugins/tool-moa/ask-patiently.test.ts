import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type LlmAnswer, type PluginContext } from "hermes-agent/plugin";
import { askPatiently, type ModelQuestion } from "./ask-patiently.ts";

const QUESTION: ModelQuestion = {
  setting: "presets.default.aggregator",
  label: "a/x",
  task: "moa_aggregator",
  text: "why?",
  temperature: 0,
  maxOutputTokens: 9,
};
const message = (text: string): LlmAnswer => ({
  text,
  provider: "a",
  model: "x",
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0 },
});
const busy = (after = 0) =>
  new ToolFailure("unavailable", "a is busy.", { data: { retryable: true, retry_after_ms: after } });

function scene(
  answer: (attempt: number, signal: AbortSignal) => Promise<LlmAnswer>,
  { seconds, signal = new AbortController().signal }: { readonly seconds?: number; readonly signal?: AbortSignal } = {},
) {
  let attempts = 0;
  const llm: PluginContext["llm"] = (_, at) => answer((attempts += 1), at!);
  return {
    attempts: () => attempts,
    answered: askPatiently(
      QUESTION,
      { config: (path) => (path === "auxiliary.moa_aggregator.timeout" ? seconds : undefined), signal },
      { llm },
    ),
  };
}

test("asks a busy model up to six times; does not repeat a refusal or wait longer than a minute", async () => {
  const third = scene(async (attempt) => (attempt < 3 ? Promise.reject(busy()) : message(" because ")));
  assert.deepEqual([await third.answered, third.attempts()], ["because", 3]);
  const never = scene(async () => Promise.reject(busy()));
  await assert.rejects(never.answered, /is busy/);
  assert.equal(never.attempts(), 6);
  for (const failure of [
    new ToolFailure("unavailable", "No such key.", { data: { retryable: false } }),
    busy(60_001),
    new Error("a bug"),
  ]) {
    const once = scene(async () => Promise.reject(failure));
    await assert.rejects(once.answered, failure);
    assert.equal(once.attempts(), 1);
  }
});

test("reports a timeout with its seconds, and a stopped turn ends the request at once", async () => {
  const forever = (_: number, signal: AbortSignal): Promise<LlmAnswer> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cut off"))));
  await assert.rejects(
    scene(forever, { seconds: 0.02 }).answered,
    /No answer within 0\.02 s \(auxiliary\.moa_aggregator\.timeout\)/,
  );
  const stopped = scene(forever, { signal: AbortSignal.timeout(10) });
  await assert.rejects(stopped.answered, /cut off/);
  assert.equal(stopped.attempts(), 1);
});
