import type { JsonObject, ModelEvent, ModelRequest } from "hermes-agent/plugin";
import { usedCallIds } from "../wire/call-ids.ts";
import { addressOf, askedOf, bodyText, headersOf, lackOfKey, refusedBy, type Connection } from "../wire/connection.ts";
import { readComplaint, type Complaint } from "../wire/complaint.ts";
import { failureOf, type Asked } from "../wire/failure.ts";
import { send } from "../wire/http.ts";
import { listModelsAt } from "../wire/list-models.ts";
import { learnsRefusal } from "../wire/refused-fields.ts";
import { withoutRefused } from "../wire/without-refused.ts";
import { cancelled, streamAnswer, type Opened } from "../wire/stream-answer.ts";
import { MessagesAnswer } from "./messages-answer.ts";
import { messagesBody } from "./request-body.ts";
import { definedFields } from "hermes-agent/plugin";

export function stream(connection: Connection, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
  const asked = askedOf(connection, request.model);
  return streamAnswer(() => open(connection, request, signal, asked), asked, signal);
}

/** Newest first, as the service lists them. */
export function listModels(connection: Connection, signal: AbortSignal): Promise<readonly string[]> {
  return listModelsAt(`${endpoint(connection, "models")}?limit=1000`, connection, serviceHeaders(connection), signal);
}

async function open(connection: Connection, request: ModelRequest, signal: AbortSignal, asked: Asked): Promise<Opened> {
  const { row, settings, proxy } = connection;
  const noKey = await lackOfKey(connection, asked);
  if (noKey !== undefined) return { kind: "failure", failure: noKey };
  const url = endpoint(connection, "messages");
  const headers = headersOf(connection, serviceHeaders(connection));
  for (let provider = row.id; ;) {
    const body = await bodyText(
      connection,
      withoutRefused(
        messagesBody(request, { provider, cacheTtl: settings.cacheTtl ?? "5m", extra: settings.options ?? {} }),
        refusedBy(connection, request.model),
        "messages",
      ),
      request.sessionId,
    );
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
    const learns = (complaint: Complaint): boolean =>
      learnsRefusal(connection, complaint, { asked, sent: JSON.parse(body) as JsonObject, wire: "messages" });
    if (result.reply.status === 200)
      return {
        kind: "open",
        reply: result.reply,
        url,
        answer: new MessagesAnswer(row.id, usedCallIds(request)),
        learns,
      };
    const complaint = await readComplaint(result.reply);
    if (signal.aborted) return { kind: "failure", failure: cancelled(asked) };
    // The service refuses thinking that another model or key signed, so send the conversation without it.
    const unsigned =
      complaint.status === 400 &&
      /signature|thinking/i.test(complaint.message) &&
      provider !== "" &&
      body.includes('"signature":');
    if (unsigned) provider = "";
    else if (!learns(complaint)) return { kind: "failure", failure: failureOf(complaint, asked) };
  }
}

export function serviceHeaders({ settings }: Connection): Record<string, string> {
  const key = settings.apiKey?.trim() ?? "";
  const signedIn = key.startsWith("sk-ant-oat");
  const betas = [
    ...(signedIn ? ["oauth-2025-04-20"] : []),
    ...(settings.cacheTtl === "1h" ? ["extended-cache-ttl-2025-04-11"] : []),
  ];
  return {
    "anthropic-version": "2023-06-01",
    ...definedFields({ "anthropic-beta": betas.length === 0 ? undefined : betas.join(",") }),
    ...(key === "" ? {} : signedIn ? { authorization: `Bearer ${key}` } : { "x-api-key": key }),
  };
}

/** The base URL may be given with or without `/v1`, as people copy it. */
export function endpoint(connection: Connection, resource: string): string {
  return addressOf(connection, (path) => `${path.replace(/\/v1(\/messages)?$/, "")}/v1/${resource}`);
}
