import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage, ContextEngine, CompressRequest, PluginContext } from "hermes-agent/plugin";
import { contextContract } from "hermes-agent/testing";
import register from "./index.ts";

async function open(): Promise<ContextEngine> {
  let engine: ContextEngine | undefined;
  await register({
    config: {},
    register_context_engine: (one: ContextEngine) => ((engine = one), { [Symbol.dispose]: () => {} }),
  } as unknown as PluginContext);
  return engine!;
}

contextContract("compressor", open, { long: 60 });

const REQUEST = {
  session_id: "s",
  prompt_tokens: 90_000,
  current_tokens: 90_000,
  context_length: 100_000,
  max_output_tokens: 0,
  focus_topic: null,
  force: true,
  memory_context: "",
  signal: new AbortController().signal,
  ask: async () => "It was long.",
} as const;

// field: M09
test("in a small window the summary and the end of the conversation leave room for the next turns", async () => {
  const engine = await open();
  const messages = Array.from({ length: 40 }, (_, at): ChatMessage => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `message ${at} ${"words ".repeat(150)}`,
  }));
  const short = await engine.compress(messages, "m", {
    ...REQUEST,
    prompt_tokens: 8_000,
    current_tokens: 8_000,
    fixed_tokens: 3_000,
    context_length: 8_192,
    compression_count: 1,
  } satisfies CompressRequest);
  const tokens = short.reduce((sum, { content }) => sum + content.length / 3.8, 0);
  assert.ok(tokens + 3_000 < 8_192 * 0.85 * 0.8, `${tokens} tokens`);
  assert.deepEqual(short.at(-1), messages.at(-1));
});
