import type { Json, ModelEvent, ModelFailure, ModelRequest, ModelSettings } from "hermes-agent/plugin";
import { brokenStream, ChatAnswer, StreamComplaint } from "./chat-answer.ts";
import type { Connection as OpenConnection } from "../wire/connection.ts";
import { failureOf, readComplaint, type Asked, type Complaint } from "../wire/failure.ts";
import { connectionFailure, send, type WireReply } from "../wire/http.ts";
import type { ChatService, Traits } from "./providers.ts";
import { chatBody } from "./request-body.ts";
import { BrokenStream, EventReader } from "../wire/server-sent-events.ts";

type Connection = OpenConnection<ChatService>;

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
    const answer = new ChatAnswer({ provider: connection.row.id, usedIds: callIds(request), requestChars: opened.chars });
    if (isStream(reply)) {
      // Plain loops: `yield*` costs several turns of the event loop for every token.
      for await (const batch of takeEvents(reply, answer)) for (const event of batch) yield event;
    } else for (const event of answer.takeChunk(await readJson(reply))) yield event;
    const { events, end } = answer.end();
    complete = true;
    for (const event of events) yield event;
    yield end;
  } catch (error) {
    yield failure(judge(error, asked, url, signal));
  } finally {
    reply.release(complete);
  }
}

/** Model ids the service offers, sorted. Rejects with a sentence. */
export async function listModels(connection: Connection, signal: AbortSignal): Promise<readonly string[]> {
  const asked = askedOf(connection, "");
  const url = endpoint(connection, "/models");
  if (url === undefined) throw new Error(`${asked.service} has no base URL. Set it with \`hermes config set model.base_url URL\`.`);
  const result = await send({ service: asked.service, method: "GET", url, headers: headersOf(connection, undefined), connectMs: 10_000, signal, proxy: connection.proxy });
  if (result.kind === "failure") throw new Error(result.failure.message);
  if (result.reply.status !== 200) throw new Error(failureOf(await readComplaint(result.reply), asked).message);
  const listed = (await readJson(result.reply)) as { data?: unknown; models?: unknown } | readonly unknown[];
  const rows = Array.isArray(listed) ? listed : ((listed as { data?: unknown }).data ?? (listed as { models?: unknown }).models);
  if (!Array.isArray(rows)) throw new Error(`${asked.service} did not answer with a list of models.`);
  return rows
    .map((row: { id?: unknown; name?: unknown } | string) => (typeof row === "string" ? row : (row.id ?? row.name)))
    .filter((id): id is string => typeof id === "string" && id !== "")
    .sort();
}

type Opened = { readonly kind: "open"; readonly reply: WireReply; readonly url: URL; readonly chars: number } | { readonly kind: "failure"; readonly failure: ModelFailure };

/** Sends the request, leaving out what the service turns out to refuse. */
async function open(connection: Connection, request: ModelRequest, signal: AbortSignal, asked: Asked): Promise<Opened> {
  const url = endpoint(connection, "/chat/completions");
  if (url === undefined) return { kind: "failure", failure: { code: "bad_request", message: `${asked.service} has no base URL. Set it with \`hermes config set model.base_url URL\`.`, retryable: false } };
  if (asked.key === undefined && connection.row.keyless !== true && !carriesKey(connection.settings)) return { kind: "failure", failure: failureOf({ codes: "authentication", message: "There is no key" }, asked) };
  for (let tries = 1; ; tries++) {
    const body = JSON.stringify(without(connection.refused, bodyOf(connection, request)));
    const result = await send({ service: asked.service, method: "POST", url, headers: headersOf(connection, request), body, connectMs: request.connectMs ?? 30_000, signal, proxy: connection.proxy });
    if (result.kind === "failure") return result;
    if (result.reply.status === 200) return { kind: "open", reply: result.reply, url: new URL(url), chars: body.length };
    const complaint = await readComplaint(result.reply);
    if (signal.aborted) return { kind: "failure", failure: cancelled(asked) };
    const verdict = failureOf(complaint, asked);
    const field = verdict.code === "bad_request" ? refusedField(complaint, JSON.parse(body) as Record<string, Json>) : undefined;
    if (field === undefined || connection.refused.has(field) || tries >= 4) return { kind: "failure", failure: verdict };
    connection.refused.add(field);
  }
}

/** The events of each piece that arrives, until the service says that nothing follows. */
async function* takeEvents(reply: WireReply, answer: ChatAnswer): AsyncGenerator<readonly ModelEvent[]> {
  const reader = new EventReader();
  const pieces = reply.body[Symbol.asyncIterator]();
  let waiting = false;
  try {
    while (!answer.done) {
      const next = answer.finished ? await soon(pieces.next()) : await pieces.next();
      waiting = next === undefined;
      if (next === undefined) return;
      const events = next.done === true ? reader.end() : reader.push(next.value);
      yield events.flatMap(({ data }) => answer.take(data));
      if (next.done === true) return;
    }
  } finally {
    // An iterator that still waits for bytes cannot be ended from here; closing the connection ends it.
    if (!waiting) await pieces.return?.();
  }
}

/** After the finish reason only token counts may follow; a server that then forgets to close must not hold the turn up. */
async function soon<T>(next: Promise<T>): Promise<T | undefined> {
  next.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, 2000, undefined);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
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
  if (error instanceof BrokenStream) return brokenStream(asked.service, error);
  if (error instanceof Error && "code" in error) return connectionFailure(asked, url, error).failure;
  throw error;
}

function bodyOf(connection: Connection, request: ModelRequest): Record<string, Json> {
  const { row, settings, refused } = connection;
  const replay = !refused.has("reasoning_content") && !refused.has("reasoning_details");
  return chatBody(request, { provider: replay ? row.id : "", traits: traitsOf(connection), cacheTtl: settings.cacheTtl ?? "5m", extra: settings.options ?? {} });
}

function traitsOf({ row, refused }: Connection): Traits {
  const traits = row.traits ?? {};
  if (refused.has("max_tokens")) return { ...traits, maxTokens: "max_completion_tokens" };
  if (refused.has("max_completion_tokens")) return { ...traits, maxTokens: undefined };
  return traits;
}

/** What may be left out without changing what is asked; the two names of the output limit replace each other. */
const OPTIONAL_FIELDS = ["stream_options", "prompt_cache_key", "reasoning_effort", "reasoning", "thinking", "temperature", "parallel_tool_calls", "stream"] as const;

function refusedField(complaint: Complaint, body: Record<string, Json>): string | undefined {
  const said = complaint.message;
  if (!/unsupported|not support|unrecogni|unknown|unexpected|extra|not (permitted|allowed)|forbidden|invalid|only the default/i.test(said)) return undefined;
  const names = (field: string): boolean => new RegExp(`\\b${field}\\b`).test(said);
  for (const field of ["reasoning_content", "reasoning_details"]) if (names(field) && JSON.stringify(body["messages"]).includes(`"${field}":`)) return field;
  for (const field of ["max_tokens", "max_completion_tokens"]) if (field in body && names(field)) return field;
  return OPTIONAL_FIELDS.find((field) => field in body && names(field));
}

function without(refused: ReadonlySet<string>, body: Record<string, Json>): Record<string, Json> {
  for (const field of OPTIONAL_FIELDS) if (refused.has(field)) delete body[field];
  if (refused.has("stream")) delete body["stream_options"];
  return body;
}

function headersOf(connection: Connection, request: ModelRequest | undefined): Record<string, string> {
  const { row, settings } = connection;
  const key = settings.apiKey?.trim();
  const traits = row.traits ?? {};
  return {
    "content-type": "application/json",
    accept: request === undefined ? "application/json" : "text/event-stream, application/json",
    "user-agent": "hermes-agent",
    ...traits.headers,
    ...(traits.sessionHeader === undefined || request === undefined ? {} : { [traits.sessionHeader]: request.sessionId }),
    ...(key === undefined || key === "" ? {} : traits.keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [traits.keyHeader]: key }),
    ...lowerCased(settings.headers),
  };
}

function endpoint(connection: Connection, path: string): string | undefined {
  if (connection.baseUrl === undefined) return undefined;
  if (!URL.canParse(connection.baseUrl)) return connection.baseUrl;
  const url = new URL(connection.baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")}${path}`;
  return url.href;
}

function askedOf({ row, settings }: Connection, model: string): Asked {
  return { service: row.label, model, keyEnv: row.keyEnv, key: settings.apiKey?.trim() || undefined };
}

function carriesKey(settings: ModelSettings): boolean {
  return Object.keys(settings.headers ?? {}).some((name) => /^(authorization|api-key|x-api-key)$/i.test(name));
}

function lowerCased(headers: ModelSettings["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function isStream(reply: WireReply): boolean {
  return !(reply.headers["content-type"] ?? "").includes("application/json");
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
