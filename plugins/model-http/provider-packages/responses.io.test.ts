import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "hermes-agent/plugin";
import { startResponsesServer } from "../../../test/servers/responses.ts";
import { after, ask, conversation } from "../test/conversation.ts";
import { providersOf } from "../test/providers.ts";
import { wireContract } from "../test/wire-contract.ts";

wireContract("openai responses", {
  service: "openai",
  setup: { apiMode: "codex_responses" },
  start: startResponsesServer,
  path: "/v1",
  finishes: { stop: "stop", "tool-calls": "tool_calls", length: "max_output_tokens" },
  begun: (text) =>
    [
      { type: "response.created", response: { id: "resp_1", created_at: 1, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: text },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
});

const connect = (baseUrl: string, service = "openai") =>
  providersOf({})
    .get(service)!
    .connect({
      model: "gpt-5",
      baseUrl,
      apiKey: "sk-secret",
      apiMode: "codex_responses",
      options: { service_tier: "flex" },
    });

test("a Responses request stores nothing at the service, keeps schemas unchanged, and sends configured fields", async () => {
  await using server = await startResponsesServer([{ text: "ok" }]);
  assert.equal((await ask(connect(server.url), { model: "gpt-5", ...conversation("openai") })).kind, "answer");
  const [{ body, headers, path }] = server.requests as readonly [(typeof server.requests)[number]];
  assert.deepEqual([path, headers["authorization"]], ["/v1/responses", "Bearer sk-secret"]);
  assert.deepEqual(JSON.parse(body), {
    model: "gpt-5",
    input: [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_text", text: "b" },
          { type: "input_image", image_url: "data:image/png;base64,aGk=" },
        ],
      },
      { role: "assistant", content: "I will." },
      { type: "function_call", call_id: "c.1", name: "t", arguments: '{"a":2,"b":1}' },
      { type: "function_call", call_id: "c2", name: "t", arguments: '{"invalid_json":"not json"}' },
      {
        type: "function_call_output",
        call_id: "c.1",
        output: [
          { type: "input_text", text: "r1" },
          { type: "input_image", image_url: "data:image/png;base64,aGk=" },
        ],
      },
      { type: "function_call_output", call_id: "c2", output: '{"error":"no"}' },
      { role: "user", content: [{ type: "input_text", text: "go" }] },
    ],
    max_output_tokens: 30_000,
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "s",
    reasoning: { effort: "high", summary: "auto" },
    tools: [
      {
        type: "function",
        name: "t",
        description: "Does it.",
        parameters: { type: "object", properties: { a: { type: ["number", "null"] } }, additionalProperties: false },
        strict: false,
      },
    ],
    tool_choice: "none",
    stream: true,
    service_tier: "flex",
  });
});

test("sends encrypted thinking back unchanged to its service, and each request starts with the previous one", async () => {
  await using server = await startResponsesServer([
    {
      thinking: "Let me see.",
      calls: [
        { tool: "t", args: { a: 1 } },
        { tool: "t", args: { a: 2 } },
      ],
    },
    { text: "done" },
  ]);
  let messages: ModelRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
  for (let number = 0; number < 3; number++)
    messages = after(messages, await ask(connect(server.url), { model: "gpt-5", messages, reasoningEffort: "low" }));
  const inputs = server.requests.map(({ body }) => (JSON.parse(body) as { readonly input: readonly unknown[] }).input);
  assert.deepEqual(inputs[1]![1], {
    type: "reasoning",
    id: "rs_1",
    encrypted_content: "encrypted-1",
    summary: [{ type: "summary_text", text: "Let me see." }],
  });
  for (let at = 1; at < inputs.length; at++)
    assert.deepEqual(inputs[at]!.slice(0, inputs[at - 1]!.length), inputs[at - 1]);
  await ask(connect(server.url, "deepseek"), { model: "gpt-5", messages });
  assert.doesNotMatch(server.requests.at(-1)!.body, /encrypted-1/);
});

test("reports the error of a failed response, and lists models from the service", async () => {
  await using server = await startResponsesServer([
    {
      raw: [
        'event: response.failed\ndata: {"type":"response.failed","sequence_number":0,"response":{"error":{"code":"rate_limit_exceeded","message":"Slow down."}}}\n\n',
      ],
    },
    { text: "x", finish: "content_filter" },
  ]);
  const failed = await ask(connect(server.url));
  assert.deepEqual(
    failed.kind === "failure" && [
      failed.failure.code,
      failed.failure.retryable,
      failed.failure.message.includes("Slow down."),
    ],
    ["rate_limit", true, true],
  );
  const filtered = await ask(connect(server.url));
  assert.equal(filtered.kind === "answer" && filtered.finish, "filter");
  const provider = providersOf({}).get("openai")!;
  assert.deepEqual(
    await provider.listModels!(
      { model: "", baseUrl: server.url, apiKey: "sk-secret", apiMode: "codex_responses" },
      new AbortController().signal,
    ),
    ["loopback-responses"],
  );
});
