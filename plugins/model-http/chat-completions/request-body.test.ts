import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "hermes-agent/plugin";
import { CHAT_SERVICES, type Traits } from "./providers.ts";
import { chatBody } from "./request-body.ts";

const CONVERSATION: ModelRequest["messages"] = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Look." },
      { type: "image", mediaType: "image/png", data: "AAAA" },
    ],
  },
  {
    role: "assistant",
    parts: [
      {
        type: "reasoning",
        text: "Hm.",
        provider: { from: "openrouter", details: [{ type: "reasoning.text", text: "Hm.", signature: "s" }] },
      },
      { type: "tool-call", callId: "c1", tool: "read_file", args: '{"b": 1,\n "a": {"d": 1, "c": [2]}}' },
      { type: "tool-call", callId: "c2", tool: "read_file", args: '{"path": "half' },
      { type: "tool-call", callId: "c3", tool: "read_file", args: "" },
    ],
  },
  {
    role: "tool",
    results: [
      { callId: "c1", tool: "read_file", parts: [{ type: "text", text: "A" }], failed: false },
      { callId: "c2", tool: "read_file", parts: [{ type: "text", text: '{"error":"no"}' }], failed: true },
      {
        callId: "c3",
        tool: "screenshot",
        parts: [{ type: "image", mediaType: "image/png", data: "BBBB" }],
        failed: false,
      },
    ],
  },
  { role: "assistant", parts: [{ type: "text", text: "Seen." }] },
  { role: "user", parts: [{ type: "text", text: "Go on." }] },
];

test("converts a conversation into messages with matching calls and results and sorted arguments", () => {
  assert.deepEqual(body({ messages: CONVERSATION }, "deepseek")["messages"], [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "read_file", arguments: '{"a":{"c":[2],"d":1},"b":1}' } },
        {
          id: "c2",
          type: "function",
          function: { name: "read_file", arguments: '{"invalid_json":"{\\"path\\": \\"half"}' },
        },
        { id: "c3", type: "function", function: { name: "read_file", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "A" },
    { role: "tool", tool_call_id: "c2", content: '{"error":"no"}' },
    { role: "tool", tool_call_id: "c3", content: "(see the image below)" },
    {
      role: "user",
      content: [
        { type: "text", text: "Image from screenshot (c3):" },
        { type: "image_url", image_url: { url: "data:image/png;base64,BBBB" } },
      ],
    },
    { role: "assistant", content: "Seen." },
    { role: "user", content: "Go on." },
  ]);
});

test("sends reasoning back only to its provider, in its original field", () => {
  const assistant = (
    provider: string,
    parts: Extract<ModelRequest["messages"][number], { role: "assistant" }>["parts"],
  ): unknown => (body({ messages: [{ role: "assistant", parts }] }, provider)["messages"] as unknown[])[1];
  const details = [{ type: "reasoning.text", text: "Hm.", signature: "s" }];
  assert.deepEqual(
    assistant("openrouter", [
      { type: "reasoning", text: "Hm.", provider: { from: "openrouter", details } },
      { type: "text", text: "x" },
    ]),
    { role: "assistant", content: "x", reasoning_details: details },
  );
  assert.deepEqual(
    assistant("deepseek", [
      { type: "reasoning", text: "Hm.", provider: { from: "deepseek", field: "reasoning_content" } },
      { type: "text", text: "x" },
    ]),
    { role: "assistant", content: "x", reasoning_content: "Hm." },
  );
  assert.deepEqual(
    assistant("groq", [
      { type: "reasoning", text: "Hm.", provider: { from: "deepseek", field: "reasoning_content" } },
      { type: "text", text: "x" },
    ]),
    { role: "assistant", content: "x" },
  );
});

test("marks the system prompt and the last three messages for Claude on OpenRouter, with the configured TTL", () => {
  const marked = chatBody(
    { ...request({ messages: CONVERSATION }), model: "anthropic/claude-sonnet-4.5" },
    { provider: "openrouter", traits: traits("openrouter"), cacheTtl: "1h", extra: {} },
  )["messages"] as { role: string; content: unknown }[];
  const where = marked.flatMap((message, index) => (JSON.stringify(message).includes("cache_control") ? [index] : []));
  assert.deepEqual(where, [0, marked.length - 3, marked.length - 2, marked.length - 1]);
  assert.deepEqual(marked[0]?.content, [
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral", ttl: "1h" } },
  ]);
  const plain = chatBody(
    { ...request({ messages: CONVERSATION }), model: "openai/gpt-5" },
    { provider: "openrouter", traits: traits("openrouter"), cacheTtl: "5m", extra: {} },
  );
  assert.ok(!JSON.stringify(plain).includes("cache_control"));
});

test("keeps the tools in a request that must not call them", () => {
  const tools = [{ name: "t", description: "d", parameters: { type: "object", properties: {} } }];
  const made = body({ tools, toolChoice: "none" }, "openai");
  assert.deepEqual([made["tools"], made["tool_choice"]], [[{ type: "function", function: tools[0] }], "none"]);
  assert.ok(!("tool_choice" in body({ tools }, "openai")));
});

test("sends effort and output limit in each service's format", () => {
  const fields = (provider: string, more: Partial<ModelRequest>): unknown => {
    const { reasoning_effort, reasoning, thinking, max_tokens, max_completion_tokens } = body(more, provider);
    return JSON.parse(JSON.stringify({ reasoning_effort, reasoning, thinking, max_tokens, max_completion_tokens }));
  };
  assert.deepEqual(fields("openai", { reasoningEffort: "max", maxOutputTokens: 9 }), {
    reasoning_effort: "xhigh",
    max_completion_tokens: 9,
  });
  assert.deepEqual(fields("openrouter", { reasoningEffort: "none", maxOutputTokens: 9 }), {
    reasoning: { enabled: false },
    max_tokens: 9,
  });
  assert.deepEqual(fields("zai", { reasoningEffort: "high" }), { thinking: { type: "enabled" } });
  assert.deepEqual(fields("custom", { reasoningEffort: "xhigh" }), { reasoning_effort: "high" });
  assert.deepEqual(fields("custom", {}), {});
});

function traits(provider: string): Traits {
  return CHAT_SERVICES.find((row) => row.id === provider)?.traits ?? {};
}

function request(more: Partial<ModelRequest>): ModelRequest {
  return { model: "m", system: "Be brief.", tools: [], messages: [], sessionId: "s", ...more };
}

function body(more: Partial<ModelRequest>, provider: string): Record<string, unknown> {
  return chatBody(request(more), {
    provider,
    traits: { ...traits(provider), cacheMarkers: undefined },
    cacheTtl: "5m",
    extra: {},
  });
}

// field: M17
test("sends the thinking field with every message that has calls to a service that thinks between calls", () => {
  const call = (callId: string, thought?: string): ModelRequest["messages"] => [
    {
      role: "assistant",
      parts: [
        ...(thought === undefined
          ? []
          : [
              {
                type: "reasoning" as const,
                text: thought,
                provider: { from: "deepseek", field: "reasoning_content" },
              },
            ]),
        { type: "tool-call", callId, tool: "t", args: "{}" },
      ],
    },
    { role: "tool", results: [{ callId, tool: "t", parts: [{ type: "text", text: "r" }], failed: false }] },
  ];
  const fields = (messages: ModelRequest["messages"], provider: string) =>
    (body({ messages }, provider)["messages"] as readonly { readonly [key: string]: unknown }[])
      .filter(({ role }) => role === "assistant")
      .map((message) => message["reasoning_content"]);
  const messages: ModelRequest["messages"] = [
    { role: "user", parts: [{ type: "text", text: "go" }] },
    ...call("a", "Hm."),
    ...call("b"),
    { role: "assistant", parts: [{ type: "text", text: "Done." }] },
  ];
  assert.deepEqual(fields(messages, "deepseek"), ["Hm.", " ", undefined]);
  // Another service gets none of it, and one that never thinks gets no field.
  assert.deepEqual(fields(messages, "openai"), [undefined, undefined, undefined]);
  assert.deepEqual(fields([messages[0]!, ...call("c")], "deepseek"), [undefined]);
});
