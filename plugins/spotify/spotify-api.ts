import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  ToolFailure,
  wordsOfHost,
  objectOf,
  type FetchReply,
  type Json,
  type JsonObject,
  parseExact,
} from "hermes-agent/plugin";
import { signedOut, type TokenPorts, type Tokens } from "./tokens.ts";

export interface ApiRequest {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Path below the API's base URL. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | undefined };
  readonly body?: JsonObject;
}

/** The longest rate-limit pause to wait for; longer ones are reported. */
const LONGEST_REST_S = 10;

/**
 * One request of the Web API.
 * @returns the response; `undefined` without content.
 * @throws {ToolFailure} for every error.
 */
export async function askSpotify(
  request: ApiRequest,
  tokens: Tokens,
  { env, fetch }: Pick<TokenPorts, "env" | "fetch">,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const base = (env("HERMES_SPOTIFY_API_BASE_URL") ?? "https://api.spotify.com/v1").replace(/\/+$/, "");
  const send = (token: string): Promise<FetchReply> =>
    fetch(`${base}${request.path}${queryOf(request.query)}`, {
      method: request.method,
      headers: definedFields({
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "content-type": request.body === undefined ? undefined : "application/json",
      }),
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      maxRedirects: 0,
      configured: "HERMES_SPOTIFY_API_BASE_URL",
      signal,
    });
  let token = tokens.now() ?? (await tokens.renewed(undefined));
  let reply = await send(token);
  if (reply.status === 401) {
    await reply.bytes();
    token = await tokens.renewed(token);
    reply = await send(token);
  }
  // A rate-limited request was not executed, so retry it once.
  const rest = reply.status === 429 ? restOf(reply) : undefined;
  if (rest !== undefined && rest <= LONGEST_REST_S) {
    await reply.bytes();
    await sleep(rest * 1000, undefined, { signal });
    reply = await send(token);
  }
  return answerOf(reply, request);
}

function queryOf(query: ApiRequest["query"] = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return set.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(set)).toString()}`;
}

/** Retry delay in seconds; `undefined` if the service does not say. */
function restOf({ headers }: FetchReply): number | undefined {
  const output = headers["retry-after"];
  return output !== undefined && /^\d+$/.test(output) ? Number(output) : undefined;
}

async function answerOf(reply: FetchReply, request: ApiRequest): Promise<Json | undefined> {
  const text = await reply.text();
  if (reply.status < 200 || reply.status >= 300) throw refusalOf(reply, text, request);
  if (text.trim() === "") return undefined;
  try {
    return parseExact(text) as Json;
  } catch (cause) {
    // The player confirms commands with a meaningless text.
    if (request.method !== "GET") return undefined;
    throw new ToolFailure("unreachable", "Spotify sent invalid JSON.", { cause });
  }
}

function refusalOf(reply: FetchReply, text: string, { path }: ApiRequest): ToolFailure {
  const { status } = reply;
  const { message, reason } = messageOf(text);
  const player = path.startsWith("/me/player");
  const failure = (code: string, words: string, hint?: string): ToolFailure =>
    new ToolFailure(code, words, {
      data: { status_code: status },
      from: message !== "" && words.includes(message) ? wordsOfHost(reply.url) : undefined,
      hint,
    });
  if (status === 401) return signedOut();
  if (reason === "PREMIUM_REQUIRED" || (status === 403 && /premium/i.test(message)))
    return failure(
      "refused",
      "Spotify allows playback control only for Premium accounts.",
      "Search and library work without Premium.",
    );
  if (reason === "NO_ACTIVE_DEVICE" || (status === 404 && player))
    return failure(
      "not_found",
      "No Spotify device is active.",
      "Ask the user to open Spotify on a device. spotify_devices lists devices; its action transfer moves playback.",
    );
  if (status === 403 && /scope/i.test(message))
    return failure(
      "refused",
      "The sign-in to Spotify does not cover this.",
      "Ask the user to run `hermes auth spotify login` again.",
    );
  if (status === 403)
    return failure(
      "refused",
      `Spotify refused the request${message === "" ? "" : `: ${message}`}`,
      player ? "The device may not accept this command in its current state." : undefined,
    );
  if (status === 404) return failure("not_found", "Spotify found no such item.", "Find ids with spotify_search.");
  if (status === 429)
    return failure(
      "unreachable",
      `Too many requests to Spotify. Retry ${restOf(reply) === undefined ? "later" : `in ${restOf(reply)} s`}.`,
    );
  return failure(
    status >= 500 ? "unreachable" : "refused",
    `Spotify answered ${status}${message === "" ? "." : `: ${message}`}`,
  );
}

/** `{ error: { message, reason } }`. */
function messageOf(text: string): { readonly message: string; readonly reason: string } {
  let error: JsonObject;
  try {
    error = objectOf(objectOf(JSON.parse(text) as Json)["error"]);
  } catch {
    error = {}; // A proxy's page is of no use to a model.
  }
  const word = (value: Json | undefined): string =>
    typeof value === "string" ? value.replaceAll(/\s+/g, " ").slice(0, 300) : "";
  return { message: word(error["message"]), reason: word(error["reason"]) };
}
