import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { LlmRequest } from "../../contract/plugins/plugin.ts";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, withPython } from "../test/hosts-fixture.ts";

const BUILT_IN = resolve(import.meta.dirname, "../../../plugins/context-compressor");

/** The engine of a plugin whose class has this body, and the requests that it sends to the model. */
async function engineOf(t: Parameters<typeof setUp>[0], body: string) {
  const code = pythonCode(
    "from agent.context_compressor import ContextCompressor, SUMMARY_PREFIX",
    `class Mine(ContextCompressor):\n    name = "mine"\n${body}`,
    "def register(ctx):\n    ctx.register_context_engine(Mine(model='m', protect_first_n=2, protect_last_n=4, config_context_length=100_000))",
  );
  const place = setUp(t, pythonPlugin("mine", code), enabled("mine"));
  cpSync(BUILT_IN, join(place.path, "bundled/context-compressor"), { recursive: true });
  const asked: LlmRequest[] = [];
  const { host } = await place.start(
    {},
    {
      hosts: true,
      services: {
        llm: async (_plugin, request) => (
          asked.push(request),
          { text: "They talked about tides.", model: "m", provider: "p", usage: undefined } as never
        ),
      },
    },
  );
  const engine = await host.slots.use("context", "mine");
  return { engine, asked, host };
}

const about = {
  session_id: "s",
  prompt_tokens: 90_000,
  current_tokens: 90_000,
  context_length: 100_000,
  max_output_tokens: 0,
  compression_count: 0,
  focus_topic: null,
  force: false,
  memory_context: "",
  signal: new AbortController().signal,
  ask: () => Promise.reject(new Error("not asked")),
};
const messages: readonly ChatMessage[] = Array.from({ length: 20 }, (_, at) => ({
  role: at % 2 === 0 ? "user" : "assistant",
  content: `message ${at} ${"about the tides ".repeat(20)}`,
}));

// field: P06
test(
  "a subclass of the original's compressor summarises with the built-in engine and its own limits",
  withPython,
  async (t) => {
    const { engine, asked } = await engineOf(t, "    pass");
    await engine.update_model?.({ model: "m", context_length: 100_000, provider: "p" });
    assert.deepEqual(
      [
        await engine.should_compress(messages, "m", { ...about, prompt_tokens: 74_999 }),
        await engine.should_compress(messages, "m", { ...about, prompt_tokens: 75_000 }),
      ],
      [false, true],
    );
    const shorter = await engine.compress(messages, "m", about);
    assert.deepEqual(shorter.slice(0, 2), messages.slice(0, 2));
    assert.deepEqual(shorter.slice(-4), messages.slice(-4));
    assert.deepEqual([shorter.length, asked.length, asked[0]?.task], [7, 1, "compression"]);
    assert.match(shorter[2]!.content, /They talked about tides\./);
  },
);

// field: P06
test("a subclass may wrap compress and write the summary itself", withPython, async (t) => {
  const { engine, asked } = await engineOf(
    t,
    `    def _generate_summary(self, turns_to_summarize, focus_topic=None, memory_context=""):
        return "%d turns, about %s" % (len(turns_to_summarize), focus_topic)
    def compress(self, messages, current_tokens=None, focus_topic=None, **kwargs):
        shorter = super().compress(messages, current_tokens=current_tokens, focus_topic="tides", **kwargs)
        return [*shorter, {"role": "user", "content": "count %d" % self.compression_count}]`,
  );
  const shorter = await engine.compress(messages, "m", about);
  assert.deepEqual(
    [shorter.length, shorter[2]?.content, shorter.at(-1)?.content, asked.length],
    [
      8,
      "[Summary of earlier messages, for reference only. It contains no new requests.]\n\n14 turns, about tides",
      "count 1",
      0,
    ],
  );
});

// field: P06
test(
  "the original's summary function uses the user's model, and a failed one leaves the conversation unchanged",
  withPython,
  async (t) => {
    const { engine, asked } = await engineOf(
      t,
      `    def _generate_summary(self, turns_to_summarize, focus_topic=None, memory_context=""):
        if memory_context:
            return None
        text = super()._generate_summary(turns_to_summarize[:1], focus_topic=focus_topic)
        return "<%s>" % text`,
    );
    const shorter = await engine.compress(messages, "m", about);
    assert.deepEqual([shorter[2]?.content.endsWith("\n\n<They talked about tides.>"), asked.length], [true, 1]);
    assert.match(asked[0]!.messages[0]!.text, /message 2 about/);
    assert.deepEqual(await engine.compress(messages, "m", { ...about, memory_context: "keep" }), messages);
  },
);

// field: P06
test("reports a missing member of the original's compressor by name", withPython, async (t) => {
  const { engine } = await engineOf(
    t,
    `    def compress(self, messages, **kwargs):
        return self.rewind_all(messages)`,
  );
  await assert.rejects(
    Promise.resolve(engine.compress(messages, "m", about)),
    /agent\.context_compressor\.ContextCompressor\.rewind_all of the Python original does not exist here/,
  );
});
