import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ChatMessage } from "../contract/conversation/chat-message.ts";
import type { CompressRequest, ContextEngine, ContextState } from "../contract/providers/context-engine.ts";

export interface ContextContractOptions {
  /** A conversation of this many messages is shortened on request. */
  readonly long: number;
}

/**
 * The contract of every context engine, as tests.
 * @param open Makes the engine.
 */
export function contextContract(
  name: string,
  open: () => Promise<ContextEngine>,
  options: ContextContractOptions,
): void {
  describe(`context contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold", async () => {
      assert.match((await open()).name, /^[\w.-]+$/);
    });

    test("does not compact a conversation that has just begun", async () => {
      const engine = await begun(open);
      assert.equal(await engine.should_compress(conversation(2), MODEL, state(200)), false);
    });

    test("answers true or false about compaction for a conversation of any length", async () => {
      const engine = await begun(open);
      for (const [count, tokens] of [
        [0, 0],
        [1, 100],
        [options.long, 90_000],
        [options.long, 200_000],
      ] as const) {
        assert.equal(typeof (await engine.should_compress(conversation(count), MODEL, state(tokens))), "boolean");
      }
    });

    test("shortens a long conversation without changing its input", async () => {
      const engine = await begun(open);
      const given = conversation(options.long);
      const before = JSON.stringify(given);
      const short = await engine.compress(given, MODEL, request());
      assert.equal(JSON.stringify(given), before);
      assert.ok(
        JSON.stringify(short).length < before.length,
        `${JSON.stringify(short).length} characters of ${before.length}`,
      );
      assert.ok(short.length > 0);
    });

    test("keeps the user's last message", async () => {
      const engine = await begun(open);
      const given = [
        ...conversation(options.long),
        { role: "user", content: "And what of the harbour code Zanzibar-77?" } as const,
      ];
      assert.match(JSON.stringify(await engine.compress(given, MODEL, request())), /Zanzibar-77/);
    });

    test("keeps calls and their results together", async () => {
      const engine = await begun(open);
      const short = await engine.compress(conversation(options.long), MODEL, request());
      const calls = short.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
      const results = short.flatMap(({ tool_call_id }) => tool_call_id ?? []);
      assert.deepEqual(results, calls);
    });

    test("accepts a topic, and a conversation that it has already shortened", async () => {
      const engine = await begun(open);
      const once = await engine.compress(conversation(options.long), MODEL, request({ focus_topic: "the harbour" }));
      const again = await engine.compress(
        [...once, ...conversation(options.long)],
        MODEL,
        request({ compression_count: 1 }),
      );
      assert.ok(Array.isArray(again) && again.length > 0);
    });

    test("its tools answer in JSON", async () => {
      const engine = await begun(open);
      for (const schema of (await engine.get_tool_schemas?.()) ?? []) {
        const { name: tool } = (schema["type"] === "function" ? schema["function"] : schema) as {
          readonly name: string;
        };
        const text = await engine.handle_tool_call!(tool, {}, { session_id: "session_1", messages: [] });
        assert.doesNotThrow(() => JSON.parse(String(text)), tool);
      }
    });
  });
}

const MODEL = "contract-model";

async function begun(open: () => Promise<ContextEngine>): Promise<ContextEngine> {
  const engine = await open();
  await engine.on_session_start?.("session_1", { platform: "cli" });
  await engine.update_model?.({ model: MODEL, context_length: 100_000, provider: "contract" });
  return engine;
}

function state(prompt_tokens: number): ContextState {
  return {
    session_id: "session_1",
    prompt_tokens,
    context_length: 100_000,
    max_output_tokens: 0,
    compression_count: 0,
  };
}

function request(more: Partial<CompressRequest> = {}): CompressRequest {
  return {
    ...state(90_000),
    current_tokens: 90_000,
    focus_topic: null,
    force: true,
    memory_context: "",
    signal: new AbortController().signal,
    ask: async () => "A summary: the harbour code is Zanzibar-77.",
    ...more,
  };
}

/** The user asks, the agent calls a tool, reads, answers; repeated. */
function conversation(count: number): readonly ChatMessage[] {
  return Array.from({ length: count }, (_, at): ChatMessage => {
    const turn = Math.floor(at / 4);
    const words = `number ${turn} ${"of many words ".repeat(40)}`;
    switch (at % 4) {
      case 0:
        return { role: "user", content: `Question ${words}` };
      case 1:
        return {
          role: "assistant",
          content: "",
          tool_calls: [
            {
              id: `call_${turn}`,
              type: "function",
              function: { name: "read_file", arguments: `{"path":"file-${turn}"}` },
            },
          ],
        };
      case 2:
        return { role: "tool", tool_call_id: `call_${turn}`, name: "read_file", content: `Content ${words}` };
      default:
        return { role: "assistant", content: `Answer ${words}` };
    }
  });
}
