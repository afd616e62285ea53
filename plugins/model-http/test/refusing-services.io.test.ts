import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, ModelRequest, ModelSettings } from "hermes-agent/plugin";
import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { startGeminiServer } from "../../../test/servers/gemini.ts";
import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { startResponsesServer } from "../../../test/servers/responses.ts";
import type { ModelServer, RecordedRequest, ScriptedReply } from "../../../test/servers/script.ts";
import { ask } from "./conversation.ts";
import { providersOf } from "./providers.ts";

/** The fields of a request on any wire that the rules read. */
interface Body {
  readonly messages: readonly {
    readonly role: string;
    readonly tool_calls: readonly { readonly id: string }[];
    readonly tool_call_id: string;
  }[];
  readonly contents: readonly { readonly parts: readonly JsonObject[] }[];
  readonly max_tokens: number;
  readonly temperature?: number;
  readonly stream?: boolean;
  readonly reasoning_effort?: string;
  readonly reasoning?: { readonly effort?: string; readonly summary?: string };
  readonly stream_options?: JsonObject;
  readonly tools?: readonly JsonObject[];
  readonly generationConfig?: { readonly thinkingConfig?: JsonObject };
  readonly systemInstruction?: JsonObject;
}
/** What a strict service refuses; `undefined` if it takes the body. */
type Rule = (body: Body) => ScriptedReply | undefined;

const strict =
  (...rules: readonly Rule[]) =>
  ({ body }: RecordedRequest): ScriptedReply => {
    const value = JSON.parse(body) as Body;
    return rules.map((rule) => rule(value)).find((reply) => reply !== undefined) ?? { text: "fine" };
  };

const bad = (body: JsonObject, status = 400): ScriptedReply => ({ status, body });

const connect = (service: string, server: ModelServer, settings: Partial<ModelSettings> = {}) =>
  providersOf({})
    .get(service)!
    .connect({ model: "m-1", baseUrl: server.url, apiKey: "sk-secret", ...settings });

/** Two requests: the second shows what was remembered. */
async function answersTwice(client: ReturnType<typeof connect>, more: Partial<ModelRequest>): Promise<void> {
  for (let time = 1; time <= 2; time++) {
    const end = await ask(client, more);
    assert.equal(end.kind, "answer", end.kind === "failure" ? end.failure.message : "");
  }
}

const TOOLS = [{ name: "t", description: "", parameters: { type: "object", properties: {} } }] as const;
const IMAGE: ModelRequest["messages"] = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Look." },
      { type: "image", mediaType: "image/png", data: "aGk=" },
    ],
  },
];
const bodies = (server: ModelServer): Body[] => server.requests.map(({ body }) => JSON.parse(body) as Body);

// field: M03
test("drops an effort that xAI refuses in its own spelling, by each client, and remembers it", async () => {
  for (const client of ["own", "package"] as const) {
    await using server = await startOpenAiServer(
      strict(({ reasoning_effort }) =>
        reasoning_effort === undefined
          ? undefined
          : bad({
              code: "Client specified an invalid argument",
              error: "Argument not supported on this model: reasoningEffort",
            }),
      ),
    );
    await answersTwice(connect("xai", server, { client }), { reasoningEffort: "high" });
    assert.deepEqual(
      bodies(server).map((body) => body.reasoning_effort),
      ["high", undefined, undefined],
      client,
    );
  }
});

// field: M03
test("drops several refused fields one after another, and lowers an output limit", async () => {
  await using server = await startOpenAiServer(
    strict(
      (body) =>
        body.stream_options
          ? bad({ detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] }, 422)
          : undefined,
      (body) =>
        body.temperature === 0.5
          ? bad({ error: { message: "Unsupported value", param: "temperature", code: "unsupported_value" } })
          : undefined,
      (body) =>
        body.max_tokens > 8192
          ? bad({ error: { message: "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]" } })
          : undefined,
      (body) =>
        body.messages[0]!.role === "system"
          ? bad({ object: "error", message: "System role not supported" })
          : undefined,
    ),
  );
  await answersTwice(connect("custom", server), { system: "Be brief.", temperature: 0.5, maxOutputTokens: 32_000 });
  assert.equal(server.requests.length, 6);
  const { messages, max_tokens } = bodies(server).at(-1)!;
  assert.deepEqual([max_tokens, messages], [8192, [{ role: "user", content: "Be brief.\n\nhi" }]]);
});

// field: M03
test("asks a model without tools or images without them, and says so once", async () => {
  await using server = await startOpenAiServer(
    strict(
      (body) =>
        body.tools
          ? bad({ error: { message: "registry.ollama.ai/library/gemma:2b does not support tools" } })
          : undefined,
      (body) =>
        JSON.stringify(body.messages).includes("image_url")
          ? bad({ error: { message: "this model does not support images" } })
          : undefined,
    ),
  );
  const warnings: string[] = [];
  const client = providersOf({}, undefined, (text) => warnings.push(text))
    .get("custom")!
    .connect({ model: "m-1", baseUrl: server.url });
  await answersTwice(client, { tools: TOOLS, messages: IMAGE });
  assert.equal(server.requests.length, 4);
  assert.deepEqual(
    warnings.map((text) => text.slice(0, 36)),
    ['The model "m" cannot use tools, so H', 'The model "m" cannot see images, so '],
  );
});

// field: M03
test("on Responses, drops summary, effort and the stream of an unverified organization", async () => {
  await using server = await startResponsesServer(
    strict(
      (body) =>
        body.reasoning?.summary
          ? bad({
              error: {
                message: "Your organization must be verified to generate reasoning summaries.",
                param: "reasoning.summary",
                code: "unsupported_value",
              },
            })
          : undefined,
      (body) =>
        body.reasoning?.effort
          ? bad({
              error: {
                message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
                param: "reasoning.effort",
              },
            })
          : undefined,
      (body) =>
        body.stream === true
          ? bad({
              error: {
                message: "Your organization must be verified to stream this model.",
                param: "stream",
                code: "unsupported_value",
              },
            })
          : {
              raw: [
                JSON.stringify({
                  id: "resp_1",
                  object: "response",
                  created_at: 1,
                  status: "completed",
                  model: "gpt-5",
                  output: [
                    {
                      type: "message",
                      id: "msg_1",
                      role: "assistant",
                      status: "completed",
                      content: [{ type: "output_text", text: "whole", annotations: [] }],
                    },
                    {
                      type: "function_call",
                      id: "fc_1",
                      call_id: "call_1",
                      name: "t",
                      arguments: '{"a":1}',
                      status: "completed",
                    },
                  ],
                  usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
                }),
              ],
            },
    ),
  );
  const client = connect("openai", server, { model: "gpt-5", apiMode: "codex_responses" });
  await answersTwice(client, { model: "gpt-5", reasoningEffort: "high", tools: TOOLS });
  assert.equal(server.requests.length, 5);
  const end = await ask(client, { model: "gpt-5", reasoningEffort: "high", tools: TOOLS });
  assert.deepEqual(
    end.kind === "answer" && end.parts.map((part) => (part.type === "tool-call" ? [part.callId, part.args] : part)),
    [{ type: "text", text: "whole" }, ["call_1", '{"a":1}']],
  );
});

// field: M03
test("on Gemini, drops the thinking level and the developer instruction", async () => {
  await using server = await startGeminiServer(
    strict(
      (body) =>
        body.generationConfig?.thinkingConfig
          ? bad({
              error: {
                code: 400,
                message: "Thinking level is not supported for this model.",
                status: "INVALID_ARGUMENT",
              },
            })
          : undefined,
      (body) =>
        body.systemInstruction
          ? bad([
              {
                error: {
                  code: 400,
                  message: "Developer instruction is not enabled for models/gemma-3-27b-it",
                  status: "INVALID_ARGUMENT",
                },
              },
            ] as unknown as JsonObject)
          : undefined,
    ),
  );
  const client = connect("gemini", server, { apiMode: "gemini_generate_content" });
  await answersTwice(client, { system: "Be brief.", reasoningEffort: "high" });
  assert.equal(server.requests.length, 4);
  assert.deepEqual(bodies(server).at(-1)!.contents[0]!.parts[0], { text: "Be brief." });
});

// field: M03
test("on Messages, lowers the output limit and drops fields that a proxy does not know", async () => {
  for (const client of ["own", "package"] as const) {
    await using server = await startAnthropicServer(
      strict(
        (body) =>
          body.max_tokens > 8192
            ? bad({
                type: "error",
                error: {
                  type: "invalid_request_error",
                  message: "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m-1",
                },
              })
            : undefined,
        (body) =>
          JSON.stringify(body).includes("cache_control")
            ? bad({ message: "system.0.cache_control: Extra inputs are not permitted" })
            : undefined,
      ),
    );
    await answersTwice(connect("anthropic", server, { client }), { system: "Be brief.", maxOutputTokens: 32_000 });
    assert.equal(server.requests.length, 4, client);
  }
});

// field: M12
test("reports an error in a reply with status 200 as the provider's, on every wire", async () => {
  const errors: readonly (readonly [JsonObject, string])[] = [
    [{ choices: null, error_message: "context length exceeded" }, "context_overflow"],
    [{ choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } }, "billing"],
    [{ code: 1261, message: "Prompt exceeds max length" }, "context_overflow"],
    [{ error: { message: "bad key", code: "invalid_api_key" }, choices: [] }, "auth"],
  ];
  const wires = [
    ["custom", startOpenAiServer, {}],
    ["custom", startOpenAiServer, { client: "package" }],
    ["anthropic", startAnthropicServer, {}],
    ["anthropic", startAnthropicServer, { client: "package" }],
    ["openai", startResponsesServer, { apiMode: "codex_responses" }],
    ["gemini", startGeminiServer, { apiMode: "gemini_generate_content" }],
  ] as const;
  for (const [service, start, settings] of wires)
    for (const [error, code] of errors)
      for (const raw of [JSON.stringify(error), `data: ${JSON.stringify(error)}\n\n`]) {
        await using server = await start([{ raw: [raw] }]);
        const end = await ask(connect(service, server, settings));
        const named = `${service} ${JSON.stringify(settings)} ${raw}`;
        assert.equal(end.kind === "failure" && end.failure.code, code, `${named}: ${JSON.stringify(end)}`);
        assert.equal(server.requests.length, 1, named);
      }
});

// field: M12
test("drops a field that is refused in a reply with status 200", async () => {
  for (const client of ["own", "package"] as const)
    for (const sse of [false, true]) {
      await using server = await startOpenAiServer(
        strict((body) => {
          if (body.stream_options === undefined) return undefined;
          const error = JSON.stringify({
            choices: null,
            base_resp: { status_code: 2013, status_msg: "invalid params, unknown field stream_options" },
          });
          return { raw: [sse ? `data: ${error}\n\n` : error] };
        }),
      );
      await answersTwice(connect("custom", server, { client }), {});
      assert.equal(server.requests.length, 3, `${client} ${sse}`);
    }
});

// field: M06
test("a conversation of another provider reaches each service with ids that it takes", async () => {
  const id = "functions.read_file:0_and_more_characters_than_forty";
  const messages: ModelRequest["messages"] = [
    { role: "user", parts: [{ type: "text", text: "go" }] },
    { role: "assistant", parts: [{ type: "tool-call", callId: id, tool: "t", args: "{}" }] },
    { role: "tool", results: [{ callId: id, tool: "t", failed: false, parts: [{ type: "text", text: "r" }] }] },
  ];
  const cases = [
    ["mistral", startOpenAiServer, {}, /^[a-zA-Z0-9]{9}$/],
    ["mistral", startOpenAiServer, { client: "package" }, /^[a-zA-Z0-9]{9}$/],
    ["openai", startOpenAiServer, {}, /^.{1,40}$/],
    ["anthropic", startAnthropicServer, {}, /^[a-zA-Z0-9_-]{1,64}$/],
    ["anthropic", startAnthropicServer, { client: "package" }, /^[a-zA-Z0-9_-]{1,64}$/],
    ["openai", startResponsesServer, { apiMode: "codex_responses" }, /^.{1,64}$/],
  ] as const;
  for (const [service, start, settings, rule] of cases) {
    await using server = await start([{ text: "fine" }]);
    await answersTwice(connect(service, server, settings), { messages, tools: TOOLS });
    const sent = server.requests.map(({ body }) =>
      [...body.matchAll(/"(?:id|tool_call_id|tool_use_id|call_id)":"([^"]*)"/g)].map(([, one]) => one!),
    );
    assert.equal(sent[0]!.length, 2, service);
    assert.equal(new Set(sent.flat()).size, 1, `${service}: ${String(sent)}`);
    assert.match(sent[0]![0]!, rule, service);
  }
});

// field: M06
test("learns the form of ids that an unknown server demands", async () => {
  await using server = await startOpenAiServer(
    strict((body) => {
      const id = body.messages[1]!.tool_calls[0]!.id;
      return /^[a-zA-Z0-9]{9}$/.test(id) && body.messages[2]!.tool_call_id === id
        ? undefined
        : bad({ object: "error", message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.` });
    }),
  );
  await answersTwice(connect("custom", server), {
    messages: [
      { role: "user", parts: [{ type: "text", text: "go" }] },
      { role: "assistant", parts: [{ type: "tool-call", callId: "call_1", tool: "t", args: "{}" }] },
      { role: "tool", results: [{ callId: "call_1", tool: "t", failed: false, parts: [{ type: "text", text: "r" }] }] },
    ],
  });
  assert.equal(server.requests.length, 3);
});
