import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  OutcomeUnknown,
  ToolFailure,
  type FetchReply,
  type GuardedFetch,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";

export interface FeishuRequest {
  readonly method: "GET" | "POST";
  /** Below the API's address. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | undefined };
  readonly body?: JsonObject;
  /** Doing it twice is doing it once. */
  readonly repeatable: boolean;
}

/** What the service answered, refusals too: those are told by a code that is not 0. */
export interface SentMessage {
  readonly status: number;
  readonly code: number;
  readonly body: JsonObject;
  readonly headers: FetchReply["headers"];
  readonly url: string;
}

/** The service's own for too many requests, beside status 429. */
const TOO_MANY = 99991400;
/** Longer rests are left to the person; this many are taken. */
const LONGEST_REST_S = 10;
const MAX_RESTS = 3;

/** One request and its answer; rests that the service wants are taken. @throws {ToolFailure} where nothing comes that can be read, {@link OutcomeUnknown} where something may have been done. */
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
        `Feishu wants a rest${restS === undefined ? "" : ` of ${Math.ceil(restS)} s`}: there were too many requests.`,
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
      signal,
    });
    text = await reply.text();
  } catch (cause) {
    if (repeatable || !(cause instanceof ToolFailure) || cause.code === "blocked") throw cause;
    throw new OutcomeUnknown(`The connection to Feishu broke, and whether it was done is not known: ${cause.message}`, {
      cause,
    });
  }
  const { status, headers, url } = reply;
  const answer = parsed(text);
  const code = answer?.["code"];
  if (!repeatable && (status >= 500 || (typeof code !== "number" && status < 300)))
    throw new OutcomeUnknown(`Feishu answered ${status}, and whether it was done is not known.`, {
      data: definedFields({ status, feishu_code: typeof code === "number" ? code : undefined }),
    });
  if (status === 429)
    return { status, code: typeof code === "number" ? code : TOO_MANY, body: answer ?? {}, headers, url };
  if (answer === undefined || typeof code !== "number")
    throw new ToolFailure(
      "unreachable",
      status >= 200 && status < 300 ? "Feishu did not answer with what its API answers." : `Feishu answered ${status}.`,
      { data: { status } },
    );
  return { status, code, body: answer, headers, url };
}

/** Seconds; `undefined` where the service does not say. */
function restOf({ headers }: SentMessage): number | undefined {
  const message = headers["x-ogw-ratelimit-reset"] ?? headers["retry-after"] ?? "";
  return /^\d+(\.\d+)?$/.test(message.trim()) ? Number(message) : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // A page of some proxy.
  }
}
