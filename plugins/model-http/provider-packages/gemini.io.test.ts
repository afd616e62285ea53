import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "hermes-agent/plugin";
import { startGeminiServer } from "../../../test/servers/gemini.ts";
import { after, ask, conversation } from "../test/conversation.ts";
import { providersOf } from "../test/providers.ts";
import { wireByPackage } from "./wire-by-package.ts";
import { wireContract } from "../test/wire-contract.ts";

wireContract("gemini generate content", {
  service: "gemini",
  setup: { apiMode: "gemini_generate_content" },
  start: startGeminiServer,
  path: "",
  finishes: { stop: "STOP", "tool-calls": "STOP", length: "MAX_TOKENS" },
  // Arguments are JSON values on this wire, so that they cannot be anything else.
  without: ["invalid-arguments"],
  begun: (text) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] })}\n\n`,
});

const gemini = providersOf({}).get("gemini")!;
const settings = (baseUrl: string) => ({
  model: "gemini-3-pro-preview",
  baseUrl,
  apiKey: "AIza-secret",
  apiMode: "gemini_generate_content",
});

test("sends Gemini its own format, with the key in its own header", async () => {
  await using server = await startGeminiServer([{ text: "ok" }]);
  // Below Google's OpenAI-compatible door or not: the wire's address is the same.
  for (const url of [server.url, `${server.url}/openai`])
    assert.equal(
      (await ask(gemini.connect(settings(url)), { model: "gemini-3-pro-preview", ...conversation("gemini") })).kind,
      "answer",
    );
  const [{ body, headers, path }, second] = server.requests as readonly [
    (typeof server.requests)[number],
    (typeof server.requests)[number],
  ];
  assert.deepEqual(
    [path, headers["x-goog-api-key"], headers["authorization"]],
    ["/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse", "AIza-secret", undefined],
  );
  assert.deepEqual([second.path, second.body], [path, body]);
  const { contents, ...rest } = JSON.parse(body) as { readonly contents: readonly unknown[] };
  assert.deepEqual(rest, {
    generationConfig: { maxOutputTokens: 30_000, thinkingConfig: { thinkingLevel: "high", includeThoughts: true } },
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: "t",
            description: "Does it.",
            parametersJsonSchema: {
              type: "object",
              properties: { a: { type: ["number", "null"] } },
              additionalProperties: false,
            },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "NONE" } },
  });
  const image = { inlineData: { mimeType: "image/png", data: "aGk=" } };
  assert.deepEqual(contents[0], { role: "user", parts: [{ text: "a" }, { text: "b" }, image] });
  assert.deepEqual(contents[2], {
    role: "user",
    parts: [
      { functionResponse: { id: "c.1", name: "t", response: { name: "t", content: "r1" }, parts: [image] } },
      { functionResponse: { id: "c2", name: "t", response: { name: "t", error: '{"error":"no"}' } } },
    ],
  });
});

test("sends a call's signature back, also many turns later, and each request starts with the previous one", async () => {
  await using server = await startGeminiServer([
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
    messages = after(
      messages,
      await ask(gemini.connect(settings(server.url)), { model: "gemini-3-pro-preview", messages }),
    );
  const sent = server.requests.map(
    ({ body }) => (JSON.parse(body) as { readonly contents: readonly unknown[] }).contents,
  );
  for (let at = 1; at < sent.length; at++) assert.deepEqual(sent[at]!.slice(0, sent[at - 1]!.length), sent[at - 1]);
  assert.deepEqual(sent[2]![1], {
    role: "model",
    parts: [
      { functionCall: { id: "call_1_1", name: "t", args: { a: 1 } }, thoughtSignature: "signed-1" },
      { functionCall: { id: "call_1_2", name: "t", args: { a: 2 } } },
    ],
  });
});

// field: M21
test("sends a text's signature back, with its last piece or with an empty one, and to no other service", async () => {
  const chunk = (parts: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 } })}\n\n`;
  const end = chunk([], { finishReason: "STOP" });
  await using server = await startGeminiServer([
    { raw: [chunk([{ text: "Hel" }]), chunk([{ text: "lo", thoughtSignature: "signed-text" }]), end] },
    { raw: [chunk([{ text: "Again" }]), chunk([{ text: "", thoughtSignature: "signed-later" }]), end] },
    { text: "done" },
  ]);
  let messages: ModelRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];
  for (let number = 0; number < 3; number++)
    messages = after(messages, await ask(gemini.connect(settings(server.url)), { model: "gemini-3-pro", messages }));
  const { contents } = JSON.parse(server.requests[2]!.body) as {
    readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[];
  };
  assert.deepEqual(
    contents.filter(({ role }) => role === "model").map(({ parts }) => parts),
    [[{ text: "Hello", thoughtSignature: "signed-text" }], [{ text: "Again", thoughtSignature: "signed-later" }]],
  );
});

test("distinguishes an invalid key, a truncated stream and a withheld answer, and reads the retry delay", async () => {
  await using server = await startGeminiServer([
    { status: 400, message: "API key not valid. Please pass a valid API key." },
    { text: "half", withoutEnd: true },
    { text: "no", finish: "SAFETY" },
    {
      status: 429,
      body: {
        error: {
          code: 429,
          message: "Quota exceeded.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7.5s" }],
        },
      },
    },
  ]);
  const client = gemini.connect(settings(server.url));
  const [key, half, held, limited] = [await ask(client), await ask(client), await ask(client), await ask(client)];
  assert.deepEqual(key.kind === "failure" && [key.failure.code, key.failure.retryable], ["auth", false]);
  assert.deepEqual(half.kind === "failure" && [half.failure.code, half.failure.retryable], ["bad_response", true]);
  assert.equal(held.kind === "answer" && held.finish, "filter");
  assert.deepEqual(limited.kind === "failure" && [limited.failure.code, limited.failure.retryAfterMs], [
    "rate_limit",
    7_500,
  ]);
  assert.deepEqual(await gemini.listModels!(settings(server.url), new AbortController().signal), ["gemini-loopback"]);
});

// req: models.gemini
test("uses Gemini's wire for Google's own address, but not for its compatible endpoint or other addresses", () => {
  const google = "https://generativelanguage.googleapis.com/v1beta";
  assert.equal(wireByPackage("chat_completions", { baseUrl: google }), "gemini_generate_content");
  for (const baseUrl of [
    `${google}/openai`,
    `${google}/openai/`,
    "https://models.lab.example/v1beta",
    "",
    "no address",
  ])
    assert.equal(wireByPackage("chat_completions", { baseUrl }), undefined, baseUrl);
  assert.equal(wireByPackage("chat_completions", { baseUrl: google, apiMode: "chat_completions" }), undefined);
});
