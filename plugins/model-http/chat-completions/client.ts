import type { Json, JsonObject, ModelEvent, ModelRequest } from "hermes-agent/plugin";
import { idFormOf, usedCallIds } from "../wire/call-ids.ts";
import { addressOf, askedOf, bodyText, headersOf, lackOfKey, refusedBy, type Connection } from "../wire/connection.ts";
import { readComplaint, type Complaint } from "../wire/complaint.ts";
import type { Asked } from "../wire/failure.ts";
import { send } from "../wire/http.ts";
import { cancelled, streamAnswer, type Opened } from "../wire/stream-answer.ts";
import { ChatAnswer } from "./chat-answer.ts";
import type { ChatService } from "./providers.ts";
import { chatBody } from "./request-body.ts";
import { amount } from "./usage.ts";

export function stream(
  connection: Connection<ChatService>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const asked = askedOf(connection, request.model);
  return streamAnswer(() => open(connection, request, signal, asked), asked, signal);
}

export async function listModels(connection: Connection<ChatService>, signal: AbortSignal): Promise<readonly string[]> {
  const { listModelsAt } = await import("../wire/list-models.ts");
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
  const { proxy, row } = connection;
  const noKey = await lackOfKey(connection, asked);
  if (noKey !== undefined) return { kind: "failure", failure: noKey };
  const url = endpoint(connection, "/chat/completions");
  const headers = headersOf(connection, serviceHeaders(connection, request.sessionId));
  for (;;) {
    const body = await bodyText(connection, await bodyOf(connection, request), request.sessionId);
    const result = await send({
      service: asked.service,
      method: "POST",
      url,
      headers,
      body,
      connectMs: request.connectMs ?? 30_000,
      signal,
      proxy,
      after: request.store?.(),
    });
    if (result.kind === "failure") return result;
    const learns = async (complaint: Complaint): Promise<boolean> =>
      (await import("../wire/refused-fields.ts")).learnsRefusal(connection, complaint, {
        asked,
        sent: JSON.parse(body) as JsonObject,
        wire: "chat",
      });
    if (result.reply.status === 200)
      return {
        kind: "open",
        reply: result.reply,
        url,
        answer: new ChatAnswer({
          provider: row.id,
          usedIds: usedCallIds(request),
          requestChars: body.length,
          // LiteLLM; only of an answer that is not streamed.
          costUsd: amount(result.reply.headers["x-litellm-response-cost"]),
        }),
        learns,
      };
    const complaint = await readComplaint(result.reply);
    if (signal.aborted) return { kind: "failure", failure: cancelled(asked) };
    if (!(await learns(complaint)))
      return { kind: "failure", failure: (await import("../wire/failure.ts")).failureOf(complaint, asked) };
  }
}

async function bodyOf(connection: Connection<ChatService>, request: ModelRequest): Promise<Record<string, Json>> {
  const { row, settings } = connection;
  const body = chatBody(request, {
    provider: row.id,
    traits: row.traits ?? {},
    cacheTtl: settings.cacheTtl ?? "5m",
    extra: settings.options ?? {},
    callIds: idFormOf(connection, request.model),
  });
  const refused = refusedBy(connection, request.model);
  return refused.size === 0 ? body : (await import("../wire/without-refused.ts")).withoutRefused(body, refused, "chat");
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
