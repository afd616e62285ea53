import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type JsonObject, type ModelRequest, type ModelSettings } from "hermes-agent/plugin";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startGeminiServer } from "../../../test/servers/gemini.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { startResponsesServer } from "../../../test/servers/responses.ts";
import { Stopwatch } from "../../../src/testing/stopwatch.ts";
import { after, ask, conversation } from "../test/conversation.ts";
import { providersOf } from "../test/providers.ts";
import type { ChatService } from "../chat-completions/providers.ts";
import { clientByPackage } from "./client.ts";
import { packageNamed } from "./shipped-packages.ts";

function connect(service: string, baseUrl: string, more: Partial<ModelSettings> = {}) {
  return providersOf({})
    .get(service)!
    .connect({ model: "m", baseUrl, apiKey: "sk-secret-0123456789", client: "package", ...more });
}

test("on chat completions the package sends the same bytes as our own client, including service differences", async () => {
  for (const service of ["openai", "openrouter", "deepseek"]) {
    await using server = await startOpenAiServer([{ text: "ok" }]);
    for (const client of ["own", "package"] as const)
      await ask(connect(service, server.url, { client, cacheTtl: "1h", options: { seed: 7 } }), {
        ...conversation(service),
        temperature: 0.5,
      });
    const [own, byPackage] = server.requests.map(({ body, headers }) => ({
      body,
      key: headers["authorization"],
      path: headers["host"],
    }));
    assert.deepEqual(JSON.parse(byPackage!.body), JSON.parse(own!.body), service);
    assert.deepEqual([byPackage!.key, own!.key], ["Bearer sk-secret-0123456789", "Bearer sk-secret-0123456789"]);
  }
});

test("Messages requests have the same conversation, tools and cache markers as with our own client", async () => {
  await using server = await startAnthropicServer([{ text: "ok" }]);
  for (const client of ["own", "package"] as const)
    await ask(connect("anthropic", server.url, { client, cacheTtl: "1h" }), conversation("anthropic"));
  const [own, byPackage] = server.requests.map(
    ({ body }) => JSON.parse(body) as { readonly messages: readonly { readonly content: readonly JsonObject[] }[] },
  );
  // A result that is one text is written as a text by the one and as a list by the other.
  const plain = (body: typeof own) => ({
    ...body,
    messages: body!.messages.map((message) => ({
      ...message,
      content: message.content.map((block) =>
        typeof block["content"] === "string"
          ? { ...block, content: [{ type: "text", text: block["content"] }] }
          : block,
      ),
    })),
  });
  assert.deepEqual(plain(byPackage), plain(own));
  assert.equal(server.requests[1]!.body.split('"cache_control":{"type":"ephemeral","ttl":"1h"}').length - 1, 4);
  assert.match(String(server.requests[1]!.headers["anthropic-beta"]), /extended-cache-ttl-2025-04-11/);
});

test("thinking received by the package goes back through our own client, and the reverse", async () => {
  for (const [service, start, sign] of [
    ["anthropic", startAnthropicServer, "signed-1"],
    ["deepseek", startOpenAiServer, "reasoning_content"],
  ] as const) {
    for (const [first, then] of [
      ["own", "package"],
      ["package", "own"],
    ] as const) {
      await using server = await start([
        { thinking: "Let me see.", calls: [{ tool: "t", args: {} }] },
        { text: "done" },
      ]);
      const messages: ModelRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
      const end = await ask(connect(service, server.url, { client: first }), { reasoningEffort: "high", messages });
      await ask(connect(service, server.url, { client: then }), {
        reasoningEffort: "high",
        messages: after(messages, end),
      });
      for (const words of ["Let me see.", sign])
        assert.ok(server.requests[1]!.body.includes(words), `${service}, ${first} then ${then}: ${words}`);
    }
  }
});

// row 30 of the fault matrix
test("after the service refuses a thinking signature or names a field, retries without it", async () => {
  await using messages = await startAnthropicServer((request) =>
    request.body.includes('"signature":')
      ? { status: 400, message: "messages.1.content.0: Invalid `signature` in `thinking` block" }
      : { text: "fine" },
  );
  assert.equal((await ask(connect("anthropic", messages.url), conversation("anthropic"))).kind, "answer");
  assert.deepEqual(
    messages.requests.map(({ body }) => body.includes('"signature":')),
    [true, false],
  );
  await using chat = await startOpenAiServer((request) =>
    request.body.includes('"stream_options":')
      ? { status: 400, message: "Unknown parameter: 'stream_options'." }
      : { text: "fine" },
  );
  const client = connect("custom", chat.url);
  for (let time = 0; time < 2; time++) assert.equal((await ask(client)).kind, "answer");
  assert.deepEqual(
    chat.requests.map(({ body }) => body.includes('"stream_options":')),
    [true, false, false],
  );
});

test("reports the service's error in a stream, and rejects invalid UTF-8", async () => {
  await using messages = await startAnthropicServer([
    {
      raw: [
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      ],
    },
  ]);
  const overloaded = await ask(connect("anthropic", messages.url));
  assert.deepEqual(overloaded.kind === "failure" && [overloaded.failure.code, overloaded.failure.retryable], [
    "overloaded",
    true,
  ]);
  await using chat = await startOpenAiServer([
    {
      raw: [
        Buffer.concat([
          Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"'),
          Buffer.from([0xc3, 0x28]),
          Buffer.from('"},"finish_reason":"stop"}]}\n\n'),
        ]),
      ],
    },
  ]);
  const broken = await ask(connect("custom", chat.url));
  assert.deepEqual(
    broken.kind === "failure" && [
      broken.failure.code,
      broken.failure.retryable,
      /not valid UTF-8/.test(broken.failure.message),
    ],
    ["bad_response", true, true],
  );
});

test("a server that does not close after the answer does not delay the turn", async () => {
  await using server = await startOpenAiServer([
    {
      raw: [
        'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        { waitMs: 120_000 },
      ],
    },
  ]);
  const watch = new Stopwatch();
  assert.equal((await ask(connect("custom", server.url))).kind, "answer");
  watch.assertWithin(30_000, "the end");
});

test("gives no package the key, and does not call a package with an invalid URL", async () => {
  const given: unknown[] = [];
  const load = async (name: string) => {
    const shipped = (await packageNamed(name, () => assert.fail(`${name} does not ship`))) as object;
    const factories = Object.entries(shipped).filter((entry): entry is [string, (options: unknown) => unknown] =>
      entry[0].startsWith("create"),
    );
    return Object.fromEntries(
      factories.map(([factory, make]) => [factory, (options: unknown) => (given.push(options), make(options))]),
    );
  };
  const by = (wire: "chat_completions" | "anthropic_messages", row: ChatService, baseUrl: string) => ({
    stream: (request: ModelRequest, signal: AbortSignal) =>
      clientByPackage(wire, load).stream(
        {
          row,
          settings: { model: "m", baseUrl, apiKey: "sk-secret-0123456789" },
          baseUrl,
          proxy: { variables: {} },
          refused: new Map(),
        },
        request,
        signal,
      ),
  });
  await using server = await startOpenAiServer([{ text: "ok" }]);
  await using messages = await startAnthropicServer([{ text: "ok" }]);
  const row = { id: "lab", label: "Lab", keyEnv: ["LAB_API_KEY"] };
  for (const client of [by("chat_completions", row, server.url), by("anthropic_messages", row, messages.url)])
    assert.equal((await ask(client)).kind, "answer");
  assert.equal(given.length, 2);
  assert.doesNotMatch(JSON.stringify(given), /sk-secret/);
  const nowhere = await ask(by("chat_completions", row, "not an address"));
  assert.ok(
    nowhere.kind === "failure" && /is not a URL.*hermes config set model\.base_url/.test(nowhere.failure.message),
  );
  assert.equal(given.length, 2);
});

// field: M18
test("the four known wires need no installed package, on preparation or on a request", async () => {
  const load = (name: string) => assert.fail(`${name} is loaded from the home`);
  const answers = async (
    service: string,
    start: typeof startOpenAiServer | typeof startAnthropicServer,
    more: Partial<ModelSettings>,
  ) => {
    await using server = await start([{ text: "ok" }]);
    const settings: ModelSettings = { model: "m", baseUrl: server.url, apiKey: "sk-secret-0123456789", ...more };
    const provider = providersOf({}, load).get(service)!;
    await provider.prepare!(settings);
    assert.equal((await ask(provider.connect(settings))).kind, "answer", JSON.stringify(more));
  };
  await answers("openai", startResponsesServer, { apiMode: "codex_responses" });
  await answers("gemini", startGeminiServer, { apiMode: "gemini_generate_content" });
  await answers("custom", startOpenAiServer, { client: "package" });
  await answers("anthropic", startAnthropicServer, { client: "package" });
  await answers("custom", startResponsesServer, { package: "@ai-sdk/openai" });
});

test("reports a missing package with advice, on preparation and on a later request", async () => {
  const load = () =>
    Promise.reject(new ToolFailure("unavailable", "The package is not installed.", { hint: "Install it." }));
  const settings: ModelSettings = { model: "m", baseUrl: "http://127.0.0.1:9/v1", package: "@lab/provider" };
  const provider = providersOf({}, load).get("custom")!;
  await assert.rejects(provider.prepare!(settings), {
    name: "ToolFailure",
    message: "The package is not installed.",
    hint: "Install it.",
  });
  assert.equal(await provider.prepare!({ ...settings, package: undefined }), undefined);
  const end = await ask(provider.connect(settings));
  assert.deepEqual(end.kind === "failure" && [end.failure.code, end.failure.message], [
    "bad_request",
    "The package is not installed. Install it.",
  ]);
});
