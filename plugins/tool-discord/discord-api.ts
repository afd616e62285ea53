import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  OutcomeUnknown,
  ToolFailure,
  wordsOfHost,
  objectOf,
  type FetchReply,
  type Json,
  type JsonObject,
  type PluginContext,
  parseExact,
} from "hermes-agent/plugin";

export type DiscordPorts = Pick<PluginContext, "env" | "fetch">;

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the API's base URL. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | undefined };
  readonly body?: JsonObject;
  /** Reason in the server's audit log. */
  readonly reason?: string | undefined;
  /** Idempotent, so it can be retried. */
  readonly repeatable: boolean;
}

export const TOKEN = "DISCORD_BOT_TOKEN";
const API = "https://discord.com/api/v10";
const MAX_BYTES = 4 * 1024 * 1024;
/** Rate-limit waits up to this length are waited for, this many times; longer ones become errors. */
const LONGEST_REST_S = 10;
const MAX_RESTS = 3;

/**
 * Sends one REST API request. @returns The response; `null` if it has no body. @throws {ToolFailure} for every refusal,
 * {@link OutcomeUnknown} if the action may have been done.
 */
export async function askDiscord(
  request: ApiRequest,
  { env, fetch }: DiscordPorts,
  signal: AbortSignal,
): Promise<Json> {
  const send = (): Promise<FetchReply> => sendOnce(request, { env, fetch }, signal);
  let reply = await send();
  for (let rests = 0; reply.status === 429 && rests < MAX_RESTS; rests += 1) {
    const rest = await restOf(reply);
    if (rest === undefined || rest > LONGEST_REST_S)
      throw new ToolFailure(
        "unreachable",
        `Discord's rate limit is reached${rest === undefined ? "" : `; try again in ${Math.ceil(rest)} s`}.`,
        { data: definedFields({ status: 429, retry_after: rest }) },
      );
    await sleep(rest * 1000, undefined, { signal });
    reply = await send();
  }
  return answerOf(reply, request);
}

async function sendOnce(request: ApiRequest, { env, fetch }: DiscordPorts, signal: AbortSignal): Promise<FetchReply> {
  const base = (env("DISCORD_API_BASE_URL") ?? API).replace(/\/+$/, "");
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString();
  try {
    return await fetch(`${base}${request.path}${query === "" ? "" : `?${query}`}`, {
      method: request.method,
      headers: definedFields({
        authorization: `Bot ${(env(TOKEN) ?? "").trim()}`,
        "user-agent": "DiscordBot (hermes-agent, 1)",
        "content-type": request.body === undefined ? undefined : "application/json",
        "x-audit-log-reason":
          request.reason === undefined ? undefined : encodeURIComponent(request.reason.slice(0, 400)),
      }),
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      configured: "DISCORD_API_BASE_URL",
      signal,
    });
  } catch (cause) {
    if (request.repeatable || !(cause instanceof ToolFailure) || cause.code === "blocked") throw cause;
    throw new OutcomeUnknown(`The connection to Discord broke, so the outcome is unknown: ${cause.message}`, { cause });
  }
}

/** Seconds; `undefined` if the service does not say. */
async function restOf(reply: FetchReply): Promise<number | undefined> {
  const output =
    objectOf(parsed(await reply.text()))["retry_after"] ?? Number(reply.headers["retry-after"] ?? Number.NaN);
  return typeof output === "number" && output >= 0 ? output : undefined;
}

async function answerOf(reply: FetchReply, request: ApiRequest): Promise<Json> {
  const { status } = reply;
  const text = await reply.text();
  if (status >= 200 && status < 300) {
    const answer = text.trim() === "" ? null : parsed(text);
    if (answer === undefined) throw new ToolFailure("unreachable", "Discord's response was not JSON.");
    return answer;
  }
  const { message, code } = objectOf(parsed(text));
  const words = typeof message === "string" ? message.replaceAll(/\s+/g, " ").slice(0, 300) : "";
  const data = definedFields({ status, discord_code: typeof code === "number" ? code : undefined });
  const failure = (kind: string, output: string): ToolFailure =>
    new ToolFailure(kind, words === "" ? `${output}.` : `${output}: ${words}`, {
      data,
      from: words === "" ? undefined : wordsOfHost(reply.url),
    });
  if (status === 401)
    throw new ToolFailure("unavailable", `Discord rejected the token in ${TOKEN}.`, {
      data,
      hint: "The user can create a new one at https://discord.com/developers/applications, under Bot.",
    });
  if (status === 403) throw failure("refused", "Discord refused the request (403)");
  if (status === 404) throw failure("not_found", "Not found on Discord (404)");
  if (status === 429) throw failure("unreachable", "Discord's rate limit is reached");
  if (status >= 500 && !request.repeatable)
    throw new OutcomeUnknown(`Discord answered ${status}, so the outcome is unknown.`, { data });
  throw failure(status >= 500 ? "unreachable" : "refused", `Discord answered ${status}`);
}

function parsed(text: string): Json | undefined {
  try {
    return parseExact(text) as Json;
  } catch {
    return undefined; // An HTML page of a proxy.
  }
}

export function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(objectOf) : [];
}
