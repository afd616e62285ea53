import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, ModelRequest } from "hermes-agent/plugin";
import { spelled } from "../wire/spelled.ts";
import { messagesBody } from "./request-body.ts";

const CONVERSATION: ModelRequest["messages"] = [
  { role: "user", parts: [{ type: "text", text: "Look." }] },
  {
    role: "assistant",
    parts: [
      { type: "reasoning", text: "Hm.", provider: { from: "anthropic", signature: "sig" } },
      { type: "reasoning", text: "", provider: { from: "anthropic", redacted: "xyz" } },
      { type: "reasoning", text: "Other.", provider: { from: "openrouter", details: [] } },
      { type: "text", text: "I will. \n" },
      { type: "tool-call", callId: "call:1", tool: "read_file", args: '{"b":1,"a":2}' },
    ],
  },
  {
    role: "tool",
    results: [
      {
        callId: "call:1",
        tool: "read_file",
        parts: [
          { type: "text", text: "A" },
          { type: "image", mediaType: "image/png", data: "AAAA" },
        ],
        failed: true,
      },
    ],
  },
  { role: "user", parts: [{ type: "text", text: "Go on." }] },
];

const TOOLS: ModelRequest["tools"] = [
  { name: "read_file", description: "Reads.", parameters: { type: "object", properties: {} } },
];

test("converts a conversation into alternating messages, results first, signed thinking unchanged, at most four markers", () => {
  const marker = { type: "ephemeral" };
  assert.deepEqual(body({ messages: CONVERSATION, reasoningEffort: "low", temperature: 0.5 }), {
    model: "claude-sonnet-4-5",
    max_tokens: 64_000,
    system: [{ type: "text", text: "Be brief.", cache_control: marker }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Look.", cache_control: marker }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "sig" },
          { type: "redacted_thinking", data: "xyz" },
          { type: "text", text: "I will." },
          {
            type: "tool_use",
            id: "call_1_CvYxVVi0FZm0",
            name: "read_file",
            input: { a: 2, b: 1 },
            cache_control: marker,
          },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_1_CvYxVVi0FZm0",
            content: [
              { type: "text", text: "A" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            ],
            is_error: true,
          },
          { type: "text", text: "Go on.", cache_control: marker },
        ],
      },
    ],
    stream: true,
    thinking: { type: "enabled", budget_tokens: 4_096 },
  });
});

test("marks only the system prompt and the last three messages, with the configured TTL", () => {
  const messages: ModelRequest["messages"] = Array.from(
    { length: 9 },
    (_, index) =>
      ({ role: index % 2 === 0 ? "user" : "assistant", parts: [{ type: "text", text: `m${index}` }] }) as const,
  );
  const made = messagesBody(request({ messages }), { provider: "anthropic", cacheTtl: "1h", extra: {} });
  const wire = made["messages"] as unknown as { content: { cache_control?: unknown }[] }[];
  assert.deepEqual(
    wire.flatMap(({ content }, index) => (content.some((block) => block.cache_control !== undefined) ? [index] : [])),
    [6, 7, 8],
  );
  assert.deepEqual(wire[8]?.content[0]?.cache_control, { type: "ephemeral", ttl: "1h" });
});

test("writes a continued conversation as if for the first time, including moved markers and larger results", () => {
  const text = (made: JsonObject) => spelled(made);
  const options = { provider: "anthropic", cacheTtl: "5m", extra: {} } as const;
  for (let count = 1; count <= CONVERSATION.length; count++) {
    const asked = request({ messages: CONVERSATION.slice(0, count), reasoningEffort: "low", tools: TOOLS });
    const again = text(messagesBody(structuredClone(asked), options));
    assert.equal(text(messagesBody(asked, options)), again);
    // For another provider the same messages hold other words.
    assert.equal(
      text(messagesBody(asked, { ...options, provider: "" })),
      text(messagesBody(structuredClone(asked), { ...options, provider: "" })),
    );
    assert.equal(text(messagesBody(asked, options)), again);
  }
});

test("requests thinking in the model's format, and not from models without it", () => {
  const asked = (model: string, more: Partial<ModelRequest> = {}): unknown => {
    const { thinking, output_config, max_tokens } = body({ model, reasoningEffort: "high", ...more });
    return JSON.parse(JSON.stringify({ thinking, output_config, max_tokens }));
  };
  assert.deepEqual(asked("claude-opus-4-6"), {
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
    max_tokens: 64_000,
  });
  assert.deepEqual(asked("claude-opus-4-1-20250805"), {
    thinking: { type: "enabled", budget_tokens: 20_000 },
    max_tokens: 32_000,
  });
  assert.deepEqual(asked("claude-3-5-haiku-latest"), { max_tokens: 8_192 });
  assert.deepEqual(asked("claude-sonnet-4-5", { reasoningEffort: "none" }), { max_tokens: 64_000 });
  assert.deepEqual(asked("claude-sonnet-4-5", { maxOutputTokens: 1_500 }), { max_tokens: 1_500 });
  const unsigned: ModelRequest["messages"] = [
    CONVERSATION[0]!,
    { role: "assistant", parts: [{ type: "tool-call", callId: "c", tool: "t", args: "{}" }] },
    { role: "tool", results: [{ callId: "c", tool: "t", parts: [], failed: false }] },
  ];
  assert.deepEqual(asked("claude-sonnet-4-5", { messages: unsigned }), { max_tokens: 64_000 });
});

test("makes a conversation valid that starts with an answer or has no text", () => {
  const wire = (messages: ModelRequest["messages"]) =>
    body({ messages, system: " " }) as { messages: unknown; system?: unknown };
  assert.deepEqual(
    wire([
      { role: "assistant", parts: [{ type: "text", text: "Hi." }] },
      { role: "user", parts: [] },
    ]).messages,
    [
      {
        role: "user",
        content: [{ type: "text", text: "(The conversation continues here.)", cache_control: { type: "ephemeral" } }],
      },
      { role: "assistant", content: [{ type: "text", text: "Hi.", cache_control: { type: "ephemeral" } }] },
      { role: "user", content: [{ type: "text", text: "(empty message)", cache_control: { type: "ephemeral" } }] },
    ],
  );
  assert.ok(!("system" in wire([])));
});

test("keeps the tools in a request that must not call them", () => {
  const tools = [{ name: "t", description: "d", parameters: { properties: {} } }];
  const { tools: sent, tool_choice } = body({ tools, toolChoice: "none" });
  assert.deepEqual(
    [sent, tool_choice],
    [[{ name: "t", description: "d", input_schema: { properties: {}, type: "object" } }], { type: "none" }],
  );
});

function request(more: Partial<ModelRequest>): ModelRequest {
  return { model: "claude-sonnet-4-5", system: "Be brief.", tools: [], messages: [], sessionId: "s", ...more };
}

function body(more: Partial<ModelRequest>): { readonly [key: string]: unknown } {
  return messagesBody(request(more), { provider: "anthropic", cacheTtl: "5m", extra: {} });
}
