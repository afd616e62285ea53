import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { startWebService, type Sent } from "./web-service.ts";

/** One request that the service charges for. */
export interface Billed {
  /** Unique among all requests of the service, so that a test finds its row. */
  readonly inputTokens: number;
  readonly usd: number;
  readonly wire: "chat" | "messages";
}

export interface BillOptions {
  /** Between 0 and 1, for every decision of the service. */
  chance(): number;
  /** Share of the requests that fail. */
  readonly failing: number;
  /** A tool call for a user's text; `undefined`: the service answers with text. */
  callFor(text: string): { readonly tool: string; readonly args: object } | undefined;
  readonly delayMs?: number;
}

/** USD per million tokens that the table has for `claude-sonnet-4-5`: input, output, read, written 5 min, written 1 h. */
const CLAUDE = [3, 15, 0.3, 3.75, 6] as const;

/**
 * Two model services on one port that keep a bill: chat completions, which state the cost of each answer as OpenRouter
 * does, and Anthropic Messages, which state tokens only. They check what they receive, and fail on demand: with a status,
 * by a closed connection, or in the middle of an answer.
 */
export async function startBilledModels(options: BillOptions) {
  const bill: Billed[] = [];
  const limits: (number | undefined)[] = [];
  let count = 0;
  const failures = { status: 0, closed: 0, broken: 0 };
  const server = await startWebService((sent, reply, request) => {
    // Lists of models and the like are free.
    if (sent.method === "GET") return void reply.writeHead(404).end("{}");
    const number = ++count;
    const text = checked(sent);
    limits.push(text.maxTokens);
    const trouble = options.chance() < options.failing ? Math.floor(options.chance() * 3) : -1;
    if (trouble === 0) {
      failures.status++;
      const status = [429, 500, 503][Math.floor(options.chance() * 3)]!;
      reply.writeHead(status, { "content-type": "application/json" });
      return void reply.end(JSON.stringify({ error: { message: "not now", type: "error" } }));
    }
    if (trouble === 1) {
      failures.closed++;
      return void request.socket.destroy();
    }
    if (trouble === 2) failures.broken++;
    const one = { number, model: text.model, call: options.callFor(text.last), broken: trouble === 2 };
    setTimeout(() => (sent.url.endsWith("/messages") ? messages : chat)(one, reply, bill), options.delayMs ?? 0);
  });
  return {
    bill,
    /** `max_tokens` of each request. */
    limits,
    failures,
    url: server.url,
    get count() {
      return count;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface Answer {
  readonly number: number;
  readonly model: string;
  readonly call: { readonly tool: string; readonly args: object } | undefined;
  readonly broken: boolean;
}

/** What a real service would refuse, this one does not bear either. */
function checked({ url, headers, body }: Sent): {
  readonly last: string;
  readonly model: string;
  readonly maxTokens: number | undefined;
} {
  const asked = JSON.parse(body) as {
    readonly model: string;
    readonly stream: boolean;
    readonly max_tokens?: number;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  if (url.endsWith("/v1/messages")) {
    assert.equal(headers["x-api-key"], "key-of-claude");
    assert.match(String(headers["anthropic-version"]), /^\d{4}-\d\d-\d\d$/);
    assert.ok((asked.max_tokens ?? 0) > 0, "max_tokens is required");
  } else {
    assert.match(url, /\/v1\/chat\/completions$/);
    assert.equal(headers["authorization"], "Bearer key-of-router");
  }
  assert.ok(asked.stream && asked.model !== "" && asked.messages.length > 0);
  const last = asked.messages.at(-1)!;
  const parts = Array.isArray(last.content)
    ? (last.content as { readonly type: string; readonly text?: string }[])
    : [];
  if (last.role === "tool" || parts.some(({ type }) => type === "tool_result"))
    return { last: "", model: asked.model, maxTokens: asked.max_tokens };
  const text = typeof last.content === "string" ? last.content : parts.map((part) => part.text ?? "").join("\n");
  if (/You write the notes/.test(JSON.stringify(asked)))
    return { last: "", model: asked.model, maxTokens: asked.max_tokens };
  return { last: text, model: asked.model, maxTokens: asked.max_tokens };
}

/** States its own price, which no table knows. An answer that it broke off itself it does not charge for. */
function chat({ number, model, call, broken }: Answer, reply: ServerResponse, bill: Billed[]): void {
  const usage = { prompt_tokens: 1000 + number, completion_tokens: 20, total_tokens: 1020 + number };
  const usd = (usage.prompt_tokens * 0.7 + usage.completion_tokens * 2.1) / 1_000_000 + 0.01;
  const chunk = (rest: object): string => `data: ${JSON.stringify({ id: `c${number}`, model, ...rest })}\n\n`;
  const delta =
    call === undefined
      ? { role: "assistant", content: answerText(number) }
      : {
          role: "assistant",
          tool_calls: [
            {
              index: 0,
              id: `call_${number}`,
              type: "function",
              function: { name: call.tool, arguments: JSON.stringify(call.args) },
            },
          ],
        };
  reply.writeHead(200, { "content-type": "text/event-stream" });
  if (broken) return void reply.write(chunk({ choices: [{ index: 0, delta }] }), () => reply.destroy());
  bill.push({ inputTokens: usage.prompt_tokens, usd, wire: "chat" });
  const finish = call === undefined ? "stop" : "tool_calls";
  reply.end(
    `${chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })}${chunk({ choices: [], usage: { ...usage, cost: usd } })}data: [DONE]\n\n`,
  );
}

/** Reports tokens, cached ones by time to live. It bills the counted tokens even if the answer breaks off. */
function messages({ number, model, call, broken }: Answer, reply: ServerResponse, bill: Billed[]): void {
  const input = 500 + number;
  const [read, fiveMinutes, hour] = [300, 150, 50];
  const output = broken ? 1 : 25;
  const usd =
    (input * CLAUDE[0] + output * CLAUDE[1] + read * CLAUDE[2] + fiveMinutes * CLAUDE[3] + hour * CLAUDE[4]) /
    1_000_000;
  bill.push({ inputTokens: input + read + fiveMinutes + hour, usd, wire: "messages" });
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: fiveMinutes + hour,
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: hour },
    output_tokens: 1,
  };
  reply.writeHead(200, { "content-type": "text/event-stream" });
  const start = event("message_start", {
    message: { id: `m${number}`, type: "message", role: "assistant", model, content: [], stop_reason: null, usage },
  });
  if (broken) return void reply.write(start, () => setTimeout(() => reply.destroy(), 5));
  const block =
    call === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: `toolu_${number}`, name: call.tool, input: {} };
  const delta =
    call === undefined
      ? { type: "text_delta", text: answerText(number) }
      : { type: "input_json_delta", partial_json: JSON.stringify(call.args) };
  reply.end(
    [
      start,
      event("content_block_start", { index: 0, content_block: block }),
      event("content_block_delta", { index: 0, delta }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", {
        delta: { stop_reason: call === undefined ? "end_turn" : "tool_use" },
        usage: { output_tokens: 25 },
      }),
      event("message_stop", {}),
    ].join(""),
  );
}

/** Long enough that a summary of some is shorter. */
function answerText(number: number): string {
  return `Answer ${number}. ${"and so on ".repeat(60)}`;
}

export type BilledModels = Awaited<ReturnType<typeof startBilledModels>>;

/** The settings and keys of a home that uses both services. */
export function billedHome(url: string): { readonly config: string; readonly variables: string } {
  const models = ["one", "two"].map((name) => `{ provider: openrouter, model: lab/${name} }`).join(", ");
  return {
    config: [
      `model: { provider: openrouter, default: lab/main, base_url: "${url}/v1" }`,
      `auxiliary: { vision: { provider: anthropic, model: claude-sonnet-4-5, base_url: "${url}" } }`,
      `moa: { presets: { default: { reference_models: [${models}], aggregator: { provider: openrouter, model: lab/sum } } } }`,
      "platform_toolsets: { cli: [vision, moa, delegation] }",
      "approvals: { mode: off }",
      "compression: { protect_first_n: 0, protect_last_n: 2 }",
      "",
    ].join("\n"),
    variables: "OPENROUTER_API_KEY=key-of-router\nANTHROPIC_API_KEY=key-of-claude\n",
  };
}

/** A generator of numbers between 0 and 1 with a fixed seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
