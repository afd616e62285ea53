import type { ModelEvent, ModelFailure, ModelRequest, ModelSettings } from "hermes-agent/plugin";
import type { Connection } from "../wire/connection.ts";
import { failureOf, readComplaint, type Asked } from "../wire/failure.ts";
import { connectionFailure, send, type WireReply } from "../wire/http.ts";
import { MessagesAnswer, StreamComplaint } from "./messages-answer.ts";
import { messagesBody } from "./request-body.ts";
import { BrokenStream, EventReader } from "../wire/server-sent-events.ts";

/** Streams one answer. Ends with exactly one `end`; never throws for the service's or the network's sake. */
export async function* stream(connection: Connection, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const asked = askedOf(connection, request.model);
  const opened = await open(connection, request, signal, asked);
  if (opened.kind === "failure") {
    yield failure(opened.failure);
    return;
  }
  const { reply, url } = opened;
  let complete = false;
  try {
    const answer = new MessagesAnswer(connection.row.id, callIds(request));
    if ((reply.headers["content-type"] ?? "").includes("application/json")) for (const event of answer.takeWhole(await readJson(reply))) yield event;
    // Plain loops: `yield*` costs several turns of the event loop for every token.
    else for await (const batch of takeEvents(reply, answer)) for (const event of batch) yield event;
    const end = answer.end();
    complete = true;
    yield end;
  } catch (error) {
    yield failure(judge(error, asked, url, signal));
  } finally {
    reply.release(complete);
  }
}

/** Model ids the service offers, newest first as it lists them. Rejects with a sentence. */
export async function listModels(connection: Connection, signal: AbortSignal): Promise<readonly string[]> {
  const asked = askedOf(connection, "");
  const result = await send({ service: asked.service, method: "GET", url: `${endpoint(connection, "models")}?limit=1000`, headers: headersOf(connection), connectMs: 10_000, signal, proxy: connection.proxy });
  if (result.kind === "failure") throw new Error(result.failure.message);
  if (result.reply.status !== 200) throw new Error(failureOf(await readComplaint(result.reply), asked).message);
  const { data } = (await readJson(result.reply)) as { data?: unknown };
  if (!Array.isArray(data)) throw new Error(`${asked.service} did not answer with a list of models.`);
  return data.map((row: { id?: unknown }) => row.id).filter((id): id is string => typeof id === "string");
}

type Opened = { readonly kind: "open"; readonly reply: WireReply; readonly url: URL } | { readonly kind: "failure"; readonly failure: ModelFailure };

async function open(connection: Connection, request: ModelRequest, signal: AbortSignal, asked: Asked): Promise<Opened> {
  if (asked.key === undefined && !carriesKey(connection.settings)) return { kind: "failure", failure: failureOf({ codes: "authentication", message: "There is no key" }, asked) };
  const url = endpoint(connection, "messages");
  for (let provider = connection.row.id; ; provider = "") {
    const body = JSON.stringify(messagesBody(request, { provider, cacheTtl: connection.settings.cacheTtl ?? "5m", extra: connection.settings.options ?? {} }));
    const result = await send({ service: asked.service, method: "POST", url, headers: headersOf(connection), body, connectMs: request.connectMs ?? 30_000, signal, proxy: connection.proxy });
    if (result.kind === "failure") return result;
    if (result.reply.status === 200) return { kind: "open", reply: result.reply, url: new URL(url) };
    const complaint = await readComplaint(result.reply);
    if (signal.aborted) return { kind: "failure", failure: cancelled(asked) };
    // Thinking that another model or key signed is not taken back: the conversation goes on without it.
    const unsigned = complaint.status === 400 && /signature|thinking/i.test(complaint.message) && provider !== "" && body.includes('"signature":');
    if (!unsigned) return { kind: "failure", failure: failureOf(complaint, asked) };
  }
}

/** The events of each piece that arrives, until the service says that nothing follows. */
async function* takeEvents(reply: WireReply, answer: MessagesAnswer): AsyncGenerator<readonly ModelEvent[]> {
  const reader = new EventReader();
  for await (const piece of reply.body) {
    yield reader.push(piece).flatMap((event) => answer.take(event));
    if (answer.done) return;
  }
  yield reader.end().flatMap((event) => answer.take(event));
}

async function readJson(reply: WireReply): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  reply.release(true);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new BrokenStream("the answer is neither an event stream nor JSON");
  }
}

function judge(error: unknown, asked: Asked, url: URL, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return cancelled(asked);
  if (error instanceof StreamComplaint) return failureOf(error.complaint, asked);
  if (error instanceof BrokenStream) return { code: "bad_response", message: `${asked.service}: ${error.message}.`, retryable: true };
  if (error instanceof Error && "code" in error) return connectionFailure(asked, url, error).failure;
  throw error;
}

function headersOf({ settings }: Connection): Record<string, string> {
  const key = settings.apiKey?.trim() ?? "";
  const oauth = key.startsWith("sk-ant-oat");
  const betas = [...(oauth ? ["oauth-2025-04-20"] : []), ...(settings.cacheTtl === "1h" ? ["extended-cache-ttl-2025-04-11"] : [])];
  return {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "hermes-agent",
    "anthropic-version": "2023-06-01",
    ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }),
    ...(key === "" ? {} : oauth ? { authorization: `Bearer ${key}` } : { "x-api-key": key }),
    ...Object.fromEntries(Object.entries(settings.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/** The base URL may be given with or without `/v1`, as people copy it. */
function endpoint({ baseUrl = "" }: Connection, name: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/v1(\/messages)?$/, "")}/v1/${name}`;
  return url.href;
}

function askedOf({ row, settings }: Connection, model: string): Asked {
  return { service: row.label, model, keyEnv: row.keyEnv, key: settings.apiKey?.trim() || undefined };
}

function carriesKey(settings: ModelSettings): boolean {
  return Object.keys(settings.headers ?? {}).some((name) => /^(authorization|x-api-key)$/i.test(name));
}

function callIds(request: ModelRequest): ReadonlySet<string> {
  return new Set(request.messages.flatMap((message) => (message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])) : [])));
}

function cancelled(asked: Asked): ModelFailure {
  return { code: "cancelled", message: `The request to ${asked.service} was cancelled.`, retryable: false };
}

function failure(failure: ModelFailure): ModelEvent {
  return { type: "end", kind: "failure", failure };
}
