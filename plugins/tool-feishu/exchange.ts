import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  OutcomeUnknown,
  ToolFailure,
  type FetchReply,
  type GuardedFetch,
  type Json,
  type JsonObject,
  parseExact,
} from "hermes-agent/plugin";

export interface FeishuRequest {
  readonly method: "GET" | "POST";
  /** Relative to the API's base URL. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | undefined };
  readonly body?: JsonObject;
  /** Idempotent, so it can be retried. */
  readonly repeatable: boolean;
}

/** The service's response; a code other than 0 is a refusal. */
export interface SentMessage {
  readonly status: number;
  readonly code: number;
  readonly body: JsonObject;
  readonly headers: FetchReply["headers"];
  readonly url: string;
}

/** The service's own rate-limit code, besides status 429. */
const TOO_MANY = 99991400;
/** Rate-limit waits up to this length are waited for, this many times; longer ones become errors. */
const LONGEST_REST_S = 10;
const MAX_RESTS = 3;

/**
 * Sends one request, waiting out rate limits. @throws {ToolFailure} without a readable response, {@link OutcomeUnknown}
 * if the action may have been done.
 */
export async function exchange(
  request: FeishuRequest,
  base: string,
  token: string | undefined,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<SentMessage> {
  let message = await once(request, base, token, fetch, signal);
  for (let rests = 0; wantsRest(message) && rests < MAX_RESTS; rests += 1) {
    const restS = restOf(message);
    if (restS === undefined || restS > LONGEST_REST_S)
      throw new ToolFailure(
        "unreachable",
        `Feishu's rate limit is reached${restS === undefined ? "" : `; try again in ${Math.ceil(restS)} s`}.`,
        {
          data: definedFields({ status: message.status, feishu_code: message.code, retry_after: restS }),
        },
      );
    await sleep(restS * 1000, undefined, { signal });
    message = await once(request, base, token, fetch, signal);
  }
  return message;
}

export function wantsRest({ status, code }: SentMessage): boolean {
  return status === 429 || code === TOO_MANY;
}

async function once(
  request: FeishuRequest,
  base: string,
  token: string | undefined,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<SentMessage> {
  const { method, path, query = {}, body, repeatable } = request;
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  ).toString();
  let reply: FetchReply;
  let text: string;
  try {
    reply = await fetch(`${base}${path}${asked === "" ? "" : `?${asked}`}`, {
      method,
      headers: definedFields({
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        "content-type": body === undefined ? undefined : "application/json; charset=utf-8",
      }),
      body: body === undefined ? undefined : JSON.stringify(body),
      maxRedirects: 0,
      configured: "FEISHU_API_BASE_URL",
      signal,
    });
    text = await reply.text();
  } catch (cause) {
    if (repeatable || !(cause instanceof ToolFailure) || cause.code === "blocked") throw cause;
    throw new OutcomeUnknown(`The connection to Feishu broke, so the outcome is unknown: ${cause.message}`, {
      cause,
    });
  }
  const { status, headers, url } = reply;
  const answer = parsed(text);
  const code = answer?.["code"];
  if (!repeatable && (status >= 500 || (typeof code !== "number" && status < 300)))
    throw new OutcomeUnknown(`Feishu answered ${status}, so the outcome is unknown.`, {
      data: definedFields({ status, feishu_code: typeof code === "number" ? code : undefined }),
    });
  if (status === 429)
    return { status, code: typeof code === "number" ? code : TOO_MANY, body: answer ?? {}, headers, url };
  if (answer === undefined || typeof code !== "number")
    throw new ToolFailure(
      "unreachable",
      status >= 200 && status < 300 ? "Feishu's response was not a valid API response." : `Feishu answered ${status}.`,
      { data: { status } },
    );
  return { status, code, body: answer, headers, url };
}

/** Seconds; `undefined` if the service does not say. */
function restOf({ headers }: SentMessage): number | undefined {
  const message = headers["x-ogw-ratelimit-reset"] ?? headers["retry-after"] ?? "";
  return /^\d+(\.\d+)?$/.test(message.trim()) ? Number(message) : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseExact(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // An HTML page of a proxy.
  }
}
