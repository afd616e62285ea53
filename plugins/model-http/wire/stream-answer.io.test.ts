import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { textOf, type ModelEnd, type ModelEvent, type ModelProvider, type ModelSettings } from "hermes-agent/plugin";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { providersOf } from "../test/providers.ts";

const ARGS = JSON.stringify({ path: "a.txt", content: "word ".repeat(40) });
const SERVICES = { custom: startOpenAiServer, anthropic: startAnthropicServer } as const;

// Limits on silence would end a long file in the middle of its call, and a model that thinks for minutes before its
// first word.
test("a long call and a keep-alive comment count as activity", async () => {
  for (const service of ["custom", "anthropic"] as const) {
    for (const client of ["own", "package"] as const) {
      await using server = await SERVICES[service]([
        { calls: [{ tool: "write_file", args: ARGS, id: "call_a" }], deltaChars: 40, betweenMs: 20 },
      ]);
      const shown = await eventsOf(service, { baseUrl: server.url, client });
      assert.deepEqual(
        shown.filter((type) => type !== "alive"),
        ["call.delta", "end"],
        `${service} ${client}`,
      );
      assert.ok(shown.lastIndexOf("alive") > shown.indexOf("call.delta"), `${service} ${client}`);
    }
  }
  await using server = await startOpenAiServer([
    {
      raw: [
        ": still at it\n\n",
        { waitMs: 50 },
        'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      ],
    },
  ]);
  assert.deepEqual(await eventsOf("custom", { baseUrl: server.url }), ["alive", "text.delta", "end"]);
});

test("detects the form of an answer from its beginning, not its content type, and recognises a web page", async () => {
  const whole = JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", content: "whole" }, finish_reason: "stop" }],
  });
  const piece = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  for (const [type, raw, expected] of [
    ["text/plain", whole, "whole"],
    ["text/event-stream", `\ufeff\n ${whole}`, "whole"],
    ["application/json", piece, "x"],
    ["text/html", `: hello\n\n${piece}`, "x"],
  ] as const) {
    await using server = await startOpenAiServer([
      { headers: { "content-type": type }, raw: [raw.slice(0, 1), raw.slice(1)] },
    ]);
    const end = await endOf("custom", { baseUrl: server.url });
    assert.equal(end.kind === "answer" ? textOf(end.parts) : end.failure.message, expected, type);
  }
  await using server = await startOpenAiServer([
    { headers: { "content-type": "text/html" }, raw: ["<!doctype html><p>Welcome"] },
  ]);
  const end = await endOf("custom", { baseUrl: server.url });
  assert.deepEqual(end.kind === "failure" && [end.failure.code, end.failure.retryable], ["bad_response", false]);
  assert.match(
    end.kind === "failure" ? end.failure.message : "",
    /^Custom endpoint \(127\.0\.0\.1:\d+\) answered with a web page\. Is the base URL right/,
  );
});

test("streams answers and errors that a proxy compressed", async () => {
  const events = 'data: {"choices":[{"index":0,"delta":{"content":"zip"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  for (const [encoding, pack] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const) {
    await using server = await startOpenAiServer([{ headers: { "content-encoding": encoding }, raw: [pack(events)] }]);
    const end = await endOf("custom", { baseUrl: server.url });
    assert.equal(end.kind === "answer" ? textOf(end.parts) : end.failure.message, "zip", encoding);
  }
  const busy = createServer(
    (_, reply) =>
      void reply
        .writeHead(429, { "content-type": "application/json", "content-encoding": "gzip", "retry-after": "7" })
        .end(gzipSync(JSON.stringify({ error: { message: "slow down" } }))),
  );
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const end = await endOf("custom", { baseUrl: `http://127.0.0.1:${(busy.address() as AddressInfo).port}/v1` });
  busy.close();
  assert.deepEqual(end.kind === "failure" && [end.failure.code, end.failure.retryAfterMs, end.failure.message], [
    "rate_limit",
    7_000,
    "Custom endpoint answered 429: slow down.",
  ]);

  await using cut = await startOpenAiServer([
    { headers: { "content-encoding": "gzip" }, raw: [gzipSync(events).subarray(0, 40), "cut"] },
  ]);
  const broken = await endOf("custom", { baseUrl: cut.url });
  assert.deepEqual(broken.kind === "failure" && [broken.failure.code, broken.failure.retryable], ["network", true]);
});

async function endOf(service: string, settings: Partial<ModelSettings>): Promise<ModelEnd> {
  for await (const event of streamOf(service, settings)) if (event.type === "end") return event;
  return assert.fail("no end");
}

async function eventsOf(service: string, settings: Partial<ModelSettings>): Promise<readonly string[]> {
  return (await Array.fromAsync(streamOf(service, settings))).map(({ type }) => type);
}

function streamOf(service: string, settings: Partial<ModelSettings>): AsyncIterable<ModelEvent> {
  const provider = providersOf({}).get(service) as ModelProvider;
  const client = provider.connect({ model: "m", apiKey: "sk-test-0123456789", ...settings });
  return client.stream(
    {
      model: "m",
      system: "",
      tools: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
      sessionId: "s",
    },
    new AbortController().signal,
  );
}
