import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  ToolFailure,
  type FetchOptions,
  type FetchReply,
  type GuardedFetch,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";

export type Asked = { readonly ok: true; readonly answer: JsonObject } | { readonly ok: false; readonly error: string };

/** What a failure names, so that the user knows what to do. */
export interface ServiceHelp {
  /** The variable with the key; absent for a service without one. */
  readonly key?: string;
  /** Where the user manages keys, plans and credits. */
  readonly url?: string;
  /** The variable that may hold another address of the service. */
  readonly address?: string;
}

export const OTHER_SERVICE = "choose another service with `hermes setup web`";
/** A service that is asked too often gets so much time, once. */
const LONGEST_WAIT_S = 5;

/**
 * One request to a service; a refusal or a network failure is returned as an error text. So is a redirect, because the
 * key is only for this address. A request that was too early is sent once more if the service wants a short wait.
 */
export async function askJson(
  fetch: GuardedFetch,
  url: string,
  options: FetchOptions,
  help: ServiceHelp = {},
): Promise<Asked> {
  try {
    const send = () => fetch(url, { timeoutMs: 30_000, ...options, configured: help.address, maxRedirects: 0 });
    let reply = await send();
    const wait = reply.status === 429 ? retryAfter(reply) : undefined;
    if (wait !== undefined && wait <= LONGEST_WAIT_S) {
      await reply.bytes();
      await sleep(wait * 1000);
      reply = await send();
    }
    const answer = await objectFrom(reply);
    if (reply.status < 200 || reply.status >= 300) return { ok: false, error: refusalOf(reply, answer, help) };
    if (answer !== undefined) return { ok: true, answer };
    return {
      ok: false,
      error: `its response has an unexpected format, not a JSON object.${help.address === undefined ? "" : ` Check ${help.address} if you set it.`}`,
    };
  } catch (cause) {
    if (cause instanceof ToolFailure) return { ok: false, error: cause.message };
    throw cause;
  }
}

/** @throws {ToolFailure} if the body breaks off. */
async function objectFrom(reply: FetchReply): Promise<JsonObject | undefined> {
  const text = await reply.text();
  try {
    const answer = JSON.parse(text) as Json;
    return typeof answer === "object" && answer !== null && !Array.isArray(answer) ? (answer as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The status, the service's own message, and the next step. */
function refusalOf(reply: FetchReply, answer: JsonObject | undefined, { key, url, address }: ServiceHelp): string {
  const { status } = reply;
  const own = messageOf(answer);
  const where = url === undefined ? "" : ` (${url})`;
  const next = ((): string => {
    if (status === 401 || status === 403)
      return key === undefined
        ? `; it refuses requests from here; ${OTHER_SERVICE}`
        : `; the key may be wrong: check ${key}${where}`;
    if (status === 402)
      return `; the plan or its credits do not cover the request: see your account${where}, or ${OTHER_SERVICE}`;
    if (status === 429) {
      const wait = retryAfter(reply);
      return `; too many requests: try again ${wait === undefined ? "later" : `in ${wait} s`}, or ${OTHER_SERVICE}`;
    }
    if (status >= 500) return `; the service has a problem: try again later, or ${OTHER_SERVICE}`;
    if (status >= 300 && status < 400)
      return `; it redirects elsewhere, which is not followed${address === undefined ? "" : `: check ${address}`}`;
    return "";
  })();
  return `it answered ${status}${own === "" ? "" : ` (${own})`}${next}.`;
}

/** `{ error }`, `{ message }`, `{ detail }` or `{ error: { message } }`, in one line. */
function messageOf(answer: JsonObject | undefined): string {
  const { error, message, detail } = answer ?? {};
  const inner = typeof error === "object" && error !== null ? (error as JsonObject)["message"] : undefined;
  const text = [inner, error, message, detail].find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 200) : "";
}

/** Seconds; a date counts from now. */
export function retryAfter({ headers }: Pick<FetchReply, "headers">): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/** Sends a JSON body. `headers` join the content type. */
export function post(body: JsonObject, headers: { readonly [name: string]: string }, timeoutMs = 60_000): FetchOptions {
  return {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
    timeoutMs,
  };
}

/** The objects of a list; anything else is left out. */
export function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).filter(
    (one): one is JsonObject => typeof one === "object" && one !== null && !Array.isArray(one),
  );
}

/** Converts a service's result list to `{ success, data: { web } }`. */
export function searchAnswer(
  asked: Asked,
  listOf: (answer: JsonObject) => Json | undefined,
  limit: number,
): JsonObject {
  if (!asked.ok) return { success: false, error: asked.error };
  return {
    success: true,
    data: {
      web: objectsIn(listOf(asked.answer))
        .slice(0, limit)
        .map(({ title, url, content, description, snippet, highlights, excerpts }, at) => ({
          title: textOf(title),
          url: textOf(url),
          description: textOf(description ?? content ?? snippet) || joined(highlights ?? excerpts),
          position: at + 1,
        })),
    },
  };
}

/** Entries of `extract` for pages of which none could be read. */
export function allFailed(urls: readonly string[], error: string): readonly JsonObject[] {
  return urls.map((url) => ({ url, title: "", content: "", error }));
}

/** A page as `extract` returns it. `error` is left out where there is none. */
export function pageOf(url: Json | undefined, title: Json | undefined, content: string, error?: string): JsonObject {
  return {
    url: textOf(url),
    title: textOf(title),
    content,
    raw_content: content,
    metadata: { sourceURL: textOf(url), title: textOf(title) },
    ...definedFields({ error }),
  };
}

/** Removes Brave's highlighting of search terms. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll(/<\/?strong>/g, "") : "";
}

export function joined(list: Json | undefined, by = " "): string {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string").join(by) : "";
}

/** A base URL without its final slashes. */
export function baseOf(own: string | undefined, usual: string): string {
  return (own?.trim() || usual).replace(/\/+$/, "");
}
