import assert from "node:assert/strict";
import type { ModelClient, ModelEnd, ModelRequest } from "hermes-agent/plugin";

export const IMAGE = { type: "image", mediaType: "image/png", data: "aGk=" } as const;

/** A conversation with every kind of part, including thinking of this service and of another. */
export function conversation(service: string): Partial<ModelRequest> {
  return {
    system: "Be brief.",
    tools: [
      {
        name: "t",
        description: "Does it.",
        parameters: { type: "object", properties: { a: { type: ["number", "null"] } }, additionalProperties: false },
      },
    ],
    maxOutputTokens: 30_000,
    reasoningEffort: "high",
    toolChoice: "none",
    messages: [
      { role: "user", parts: [{ type: "text", text: "a" }, { type: "text", text: "b" }, IMAGE] },
      {
        role: "assistant",
        parts: [
          {
            type: "reasoning",
            text: "hm",
            provider: { from: service, signature: "signed", field: "reasoning_content" },
          },
          {
            type: "reasoning",
            text: "elsewhere",
            provider: { from: "another", signature: "of another", field: "reasoning_content" },
          },
          { type: "text", text: "I will." },
          { type: "tool-call", callId: "c.1", tool: "t", args: '{"b":1, "a":2}' },
          { type: "tool-call", callId: "c2", tool: "t", args: "not json" },
        ],
      },
      {
        role: "tool",
        results: [
          { callId: "c.1", tool: "t", failed: false, parts: [{ type: "text", text: "r1" }, IMAGE] },
          { callId: "c2", tool: "t", failed: true, parts: [{ type: "text", text: '{"error":"no"}' }] },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "go" }] },
    ],
  };
}

/** How one request to a client ends. */
export async function ask(client: ModelClient, more: Partial<ModelRequest> = {}): Promise<ModelEnd> {
  let end: ModelEnd | undefined;
  const request: ModelRequest = {
    model: "m",
    system: "",
    tools: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    sessionId: "s",
    ...more,
  };
  for await (const event of client.stream(request, new AbortController().signal)) if (event.type === "end") end = event;
  return end ?? assert.fail("no end");
}

/** The conversation so far, and the answer to it, with a result for each of its calls. */
export function after(messages: ModelRequest["messages"], end: ModelEnd): ModelRequest["messages"] {
  assert.ok(end.kind === "answer", JSON.stringify(end));
  const results = end.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ callId: part.callId, tool: part.tool, parts: [{ type: "text", text: "r" } as const], failed: false }]
      : [],
  );
  return [
    ...messages,
    { role: "assistant", parts: end.parts },
    results.length > 0 ? { role: "tool", results } : { role: "user", parts: [{ type: "text", text: "more" }] },
  ];
}
