import type { Json, ModelEvent, ModelRequest } from "hermes-agent/plugin";
import { usedCallIds } from "../wire/call-ids.ts";
import { addressOf, askedOf, bodyText, headersOf, lackOfKey, type Connection } from "../wire/connection.ts";
import { failureOf, readComplaint, type Asked } from "../wire/failure.ts";
import { send } from "../wire/http.ts";
import { listModelsAt } from "../wire/list-models.ts";
import { cancelled, streamAnswer, type Opened } from "../wire/stream-answer.ts";
import { ChatAnswer } from "./chat-answer.ts";
import type { ChatService } from "./providers.ts";
import { bodyWithout, refusedField, takesReplay, traitsWithout } from "./refused-fields.ts";
import { chatBody } from "./request-body.ts";

export function stream(
  connection: Connection<ChatService>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const asked = askedOf(connection, request.model);
  return streamAnswer(() => open(connection, request, signal, asked), asked, signal);
}

export async function listModels(connection: Connection<ChatService>, signal: AbortSignal): Promise<readonly string[]> {
  return [
    ...(await listModelsAt(endpoint(connection, "/models"), connection, serviceHeaders(connection), signal)),
  ].sort();
}

/** Sends the request, and again without the fields that the service refuses. */
async function open(
  connection: Connection<ChatService>,
  request: ModelRequest,
  signal: AbortSignal,
  asked: Asked,
): Promise<Opened> {
  const { refused, proxy, row } = connection;
  const noKey = lackOfKey(connection, asked);
  if (noKey !== undefined) return { kind: "failure", failure: noKey };
  const url = endpoint(connection, "/chat/completions");
  const headers = headersOf(connection, serviceHeaders(connection, request.sessionId));
  for (let tries = 1; ; tries++) {
    const body = await bodyText(connection, bodyOf(connection, request), request.sessionId);
    const result = await send({
      service: asked.service,
      method: "POST",
      url,
      headers,
      body,
      connectMs: request.connectMs ?? 30_000,
      signal,
      proxy,
      after: request.stored,
    });
    if (result.kind === "failure") return result;
    if (result.reply.status === 200)
      return {
        kind: "open",
        reply: result.reply,
        url,
        answer: new ChatAnswer({ provider: row.id, usedIds: usedCallIds(request), requestChars: body.length }),
      };
    const complaint = await readComplaint(result.reply);
    if (signal.aborted) return { kind: "failure", failure: cancelled(asked) };
    const failure = failureOf(complaint, asked);
    const field =
      failure.code === "bad_request" ? refusedField(complaint, JSON.parse(body) as Record<string, Json>) : undefined;
    if (field === undefined || refused.has(field) || tries >= 4) return { kind: "failure", failure };
    refused.add(field);
  }
}

function bodyOf({ row, settings, refused }: Connection<ChatService>, request: ModelRequest): Record<string, Json> {
  const provider = takesReplay(refused) ? row.id : "";
  return bodyWithout(
    refused,
    chatBody(request, {
      provider,
      traits: traitsWithout(refused, row.traits ?? {}),
      cacheTtl: settings.cacheTtl ?? "5m",
      extra: settings.options ?? {},
    }),
  );
}

export function serviceHeaders(
  { row: { traits = {} }, settings }: Connection<ChatService>,
  sessionId?: string,
): Record<string, string> {
  const key = settings.apiKey?.trim() ?? "";
  return {
    ...traits.headers,
    ...(traits.sessionHeader === undefined || sessionId === undefined ? {} : { [traits.sessionHeader]: sessionId }),
    ...(key === ""
      ? {}
      : traits.keyHeader === undefined
        ? { authorization: `Bearer ${key}` }
        : { [traits.keyHeader]: key }),
  };
}

/** Users copy the base URL with or without the resource path. */
export function endpoint(connection: Connection<ChatService>, resource: string): string {
  return addressOf(connection, (path) => `${path.replace(/\/chat\/completions$/, "")}${resource}`);
}
