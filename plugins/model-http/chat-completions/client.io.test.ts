import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, ModelEnd, ModelRequest, ModelSettings } from "hermes-agent/plugin";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../../../test/servers/script.ts";
import { providersOf } from "../test/providers.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";
import { withoutUndefined } from "hermes-agent/testing";

test("omits a field that the service refuses by name, and retries", async () => {
  const refuses =
    (field: string, words: string) =>
    (request: RecordedRequest): ScriptedReply =>
      request.body.includes(`"${field}":`) ? { status: 400, message: words } : { text: "fine" };
  const cases: readonly (readonly [field: string, words: string, more: Partial<ModelRequest>])[] = [
    ["stream_options", "Unknown parameter: 'stream_options'.", {}],
    ["reasoning_effort", "Unrecognized request argument supplied: reasoning_effort", { reasoningEffort: "high" }],
    [
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { maxOutputTokens: 5 },
    ],
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      { temperature: 0.5 },
    ],
    [
      "reasoning_content",
      "messages.1: property 'reasoning_content' is unsupported",
      {
        messages: [
          { role: "user", parts: [{ type: "text", text: "a" }] },
          {
            role: "assistant",
            parts: [
              { type: "reasoning", text: "Hm", provider: { from: "custom", field: "reasoning_content" } },
              { type: "text", text: "b" },
            ],
          },
          { role: "user", parts: [{ type: "text", text: "c" }] },
        ],
      },
    ],
  ];
  for (const [field, words, more] of cases) {
    await using server = await startOpenAiServer(refuses(field, words));
    const client = connect(server.url);
    assert.equal((await ask(client, more)).kind, "answer", field);
    assert.equal((await ask(client, more)).kind, "answer", field);
    assert.deepEqual(
      server.requests.map(({ body }) => body.includes(`"${field}":`)),
      [true, false, false],
      field,
    );
  }
});

// row 30 of the fault matrix
test("does not retry a request whose content is refused", async () => {
  await using server = await startOpenAiServer([
    { status: 400, message: "Invalid value for messages[2]: tool_call_id unknown" },
  ]);
  const end = await ask(connect(server.url), {});
  assert.deepEqual([end.kind === "failure" && end.failure.code, server.requests.length], ["bad_request", 1]);
});

test("names the other wire for a model that only it serves", async () => {
  await using server = await startOpenAiServer([
    { status: 404, message: "This model is only supported in v1/responses and not in v1/chat/completions." },
  ]);
  const end = await ask(connect(server.url), {});
  assert.match(end.kind === "failure" ? end.failure.message : "", /hermes config set model\.api_mode codex_responses/);
});

test("an answer that was not streamed is an answer", async () => {
  const message = {
    role: "assistant",
    content: "Hi.",
    tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: "{}" } }],
  };
  await using server = await startOpenAiServer([
    {
      body: {
        model: "m-1",
        choices: [{ index: 0, message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 7, completion_tokens: 2 },
      },
    },
    { body: { error: { message: "queue is full", code: 503 } } },
  ]);
  const end = await ask(connect(server.url), {});
  assert.deepEqual(withoutUndefined(end), {
    type: "end",
    kind: "answer",
    parts: [
      { type: "text", text: "Hi." },
      { type: "tool-call", callId: "c", tool: "t", args: "{}" },
    ],
    finish: "tool-calls",
    usage: { inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    model: "m-1",
  });
  const error = await ask(connect(server.url), {});
  assert.deepEqual(error.kind === "failure" && [error.failure.code, error.failure.retryable], ["overloaded", true]);
});

test("a server that does not close after the answer does not delay the turn", async () => {
  await using server = await startOpenAiServer([
    {
      raw: ['data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n', { waitMs: 120_000 }],
    },
  ]);
  const watch = new Stopwatch();
  assert.equal((await ask(connect(server.url), {})).kind, "answer");
  watch.assertWithin(4_500, "the end");
});

test("each request of a conversation starts with the bytes of the previous one", async () => {
  await using server = await startOpenAiServer([{ calls: [{ tool: "t", args: '{"b":1, "a":2}' }] }, { text: "done" }]);
  const client = connect(server.url);
  const messages: ModelRequest["messages"][number][] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
  for (let number = 0; number < 6; number++) {
    const end = await ask(client, { messages });
    assert.ok(end.kind === "answer");
    messages.push({ role: "assistant", parts: end.parts });
    const results = end.parts.flatMap((part) =>
      part.type === "tool-call"
        ? [{ callId: part.callId, tool: part.tool, parts: [{ type: "text", text: "r" } as const], failed: false }]
        : [],
    );
    messages.push(
      results.length > 0
        ? { role: "tool", results }
        : { role: "user", parts: [{ type: "text", text: `more ${number}` }] },
    );
  }
  const sent = server.requests.map(({ body }) =>
    JSON.stringify((JSON.parse(body) as { messages: Json }).messages).slice(0, -1),
  );
  for (let at = 1; at < sent.length; at++)
    assert.ok(sent[at]!.startsWith(sent[at - 1]!), `request ${at + 1} begins with request ${at}`);
});

function connect(baseUrl: string, more: Partial<ModelSettings> = {}) {
  return providersOf({})
    .get("custom")!
    .connect({ model: "m", baseUrl, ...more });
}

async function ask(client: ReturnType<typeof connect>, more: Partial<ModelRequest>): Promise<ModelEnd> {
  let end: ModelEnd | undefined;
  for await (const event of client.stream(
    {
      model: "m",
      system: "",
      tools: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
      sessionId: "s",
      ...more,
    },
    new AbortController().signal,
  ))
    if (event.type === "end") end = event;
  return end ?? assert.fail("no end");
}
