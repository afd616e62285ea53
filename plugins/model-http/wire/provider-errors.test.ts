import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "hermes-agent/plugin";
import { complaintOf, readComplaint, type Complaint } from "./complaint.ts";
import { failureOf } from "./failure.ts";
import type { WireReply } from "./http.ts";
import { refusedField } from "./refused-fields.ts";
import { withoutRefused, type WireForm } from "./without-refused.ts";

/** One error as a vendor documents it, and what it means. `refused`: what the next request goes without. */
interface Row {
  readonly provider: string;
  readonly status: number;
  readonly body: JsonObject | string;
  readonly code: string;
  readonly retryable: boolean;
  readonly refused?: string;
  readonly wire?: WireForm;
  /** The vendor's page that documents the status, the code or the message; the rows were compared with it. */
  readonly source?: string;
}

const ROWS = readFileSync(new URL("../test/provider-errors.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

const ASKED = { service: "Example", model: "m-1", keyEnv: ["A_KEY"], key: "secret" };
const IMAGE = "data:image/png;base64,AAAA";
const TOOL = { type: "object", properties: {} };

/** A request with every field that Hermes sends. */
const BODIES: { readonly [wire in WireForm]: JsonObject } = {
  chat: {
    model: "m-1",
    messages: [
      { role: "system", content: "You help." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: IMAGE } },
        ],
      },
      {
        role: "assistant",
        content: null,
        reasoning_content: "Hm.",
        tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "Seen." },
    ],
    tools: [{ type: "function", function: { name: "look", description: "", parameters: TOOL } }],
    tool_choice: "none",
    parallel_tool_calls: true,
    stream: true,
    stream_options: { include_usage: true },
    prompt_cache_key: "s",
    temperature: 0.5,
    max_tokens: 32_000,
    reasoning_effort: "high",
  },
  messages: {
    model: "m-1",
    system: [{ type: "text", text: "You help.", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
    tools: [{ name: "look", description: "", input_schema: TOOL }],
    stream: true,
    temperature: 0.5,
    max_tokens: 32_000,
    thinking: { type: "enabled", budget_tokens: 20_000 },
    output_config: { effort: "high" },
  },
  responses: {
    model: "m-1",
    input: [
      { role: "developer", content: "You help." },
      { role: "user", content: [{ type: "input_text", text: "Go." }] },
    ],
    tools: [{ type: "function", name: "look", parameters: TOOL }],
    include: ["reasoning.encrypted_content"],
    store: false,
    stream: true,
    temperature: 0.5,
    prompt_cache_key: "s",
    max_output_tokens: 32_000,
    reasoning: { effort: "high", summary: "auto" },
  },
  gemini: {
    systemInstruction: { parts: [{ text: "You help." }] },
    contents: [{ role: "user", parts: [{ text: "Look." }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] }],
    tools: [{ functionDeclarations: [{ name: "look", parameters: TOOL }] }],
    generationConfig: {
      temperature: 0.5,
      maxOutputTokens: 100_000,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "high" },
    },
  },
};

async function complaintIn({ status, body }: Row): Promise<Complaint> {
  // With status 200 only the body says that it is an error.
  if (status === 200) return complaintOf(body) ?? assert.fail(`no complaint in ${JSON.stringify(body)}`);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const reply = { status, headers: {}, body: [Buffer.from(text)], release: () => {} };
  return readComplaint(reply as unknown as WireReply);
}

// field: M03, M07, M12
test("classifies the documented errors of every provider, and finds the refused field", async () => {
  const documented = ROWS.filter(({ source }) => source !== undefined);
  assert.ok(documented.length >= 150, `${documented.length} rows with a source`);
  const wrong: string[] = [];
  for (const row of ROWS) {
    const complaint = await complaintIn(row);
    const { code, retryable } = failureOf(complaint, ASKED);
    const refused = refusedField(complaint, BODIES[row.wire ?? "chat"], row.wire ?? "chat");
    const found = JSON.stringify([code, retryable, refused ?? null]);
    const wanted = JSON.stringify([row.code, row.retryable, row.refused ?? null]);
    if (found !== wanted)
      wrong.push(`${row.provider} ${row.status} ${JSON.stringify(row.body)}\n  ${found}, not ${wanted}`);
  }
  assert.equal(wrong.join("\n"), "");
});

test("never mistakes an answer or a stream event for an error", () => {
  for (const none of [
    { id: "1", choices: [{ index: 0, delta: { content: "code 500: error" } }], error: null, code: 0 },
    { choices: [], usage: { total_tokens: 3 }, base_resp: { status_code: 0, status_msg: "" } },
    { choices: [{ message: { content: "x" } }], code: "ok", message: "success" },
    { type: "message_start", message: { id: "m", content: [] } },
    { type: "response.created", response: { error: null, status: "in_progress" } },
    { candidates: [{ content: { parts: [{ text: "x" }] } }], responseId: "r" },
    { type: "ping" },
    {},
  ])
    assert.equal(complaintOf(none), undefined, JSON.stringify(none));
});

// field: M03
test("removes the refused fields and leaves the rest of the request unchanged", () => {
  const body = BODIES.responses;
  assert.equal(withoutRefused(body, new Set(), "responses"), body);
  assert.deepEqual(withoutRefused(body, new Set(["reasoning.summary"]), "responses"), {
    ...body,
    reasoning: { effort: "high" },
  });
  const { reasoning: _reasoning, ...unthinking } = body;
  assert.deepEqual(withoutRefused(body, new Set(["reasoning.summary", "reasoning_effort"]), "responses"), unthinking);
  assert.deepEqual(withoutRefused(body, new Set(["@system"]), "responses")["input"], [
    {
      role: "user",
      content: [
        { type: "input_text", text: "You help." },
        { type: "input_text", text: "Go." },
      ],
    },
  ]);
  const chat = withoutRefused(BODIES.chat, new Set(["@system", "@tools", "@images", "max_tokens"]), "chat");
  assert.deepEqual(
    [chat["tools"], chat["tool_choice"], chat["max_tokens"], chat["max_completion_tokens"]],
    [undefined, undefined, undefined, 32_000],
  );
  assert.deepEqual(chat["messages"], [
    {
      role: "user",
      content: [
        { type: "text", text: "You help." },
        { type: "text", text: "Look." },
        { type: "text", text: "(An image was here, but this model cannot see images.)" },
      ],
    },
    { role: "assistant", content: "Call c1: look {}" },
    { role: "user", content: "Result of the call c1:\nSeen." },
  ]);
  const limited = withoutRefused(BODIES.messages, new Set(["limit:8192"]), "messages");
  assert.deepEqual([limited["max_tokens"], limited["thinking"]], [8192, { type: "enabled", budget_tokens: 7168 }]);
  const gemini = withoutRefused(BODIES.gemini, new Set(["@system", "thinkingConfig", "limit:8192"]), "gemini");
  assert.deepEqual(gemini["generationConfig"], { temperature: 0.5, maxOutputTokens: 8192 });
  assert.deepEqual((gemini["contents"] as readonly JsonObject[])[0]!["parts"], [
    { text: "You help." },
    { text: "Look." },
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
  ]);
});
