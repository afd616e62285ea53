import {
  ToolFailure,
  wordsOfHost,
  objectOf,
  type FetchOptions,
  type FetchReply,
  type GuardedFetch,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";

const REPLY_BYTES = 60_000_000;
const TIMEOUT_MS = 120_000;

/**
 * One request with a key. A redirect is an error, because the key is only for this address.
 * @throws {ToolFailure} with the service's error.
 */
export async function askService(
  { fetch, signal }: { readonly fetch: GuardedFetch; readonly signal: AbortSignal },
  label: string,
  url: string,
  options: Pick<FetchOptions, "headers" | "body" | "configured">,
): Promise<FetchReply> {
  const reply = await fetch(url, {
    method: "POST",
    timeoutMs: TIMEOUT_MS,
    maxBytes: REPLY_BYTES,
    maxRedirects: 0,
    signal,
    ...options,
  });
  if (reply.status >= 200 && reply.status < 300) return reply;
  const why = reasonOf(await reply.text().catch(() => ""));
  const help =
    reply.status === 401 || reply.status === 403
      ? "; the key may be wrong"
      : reply.status === 429
        ? "; too many requests, or the quota is used up"
        : "";
  throw new ToolFailure(
    "failed",
    `${label} answered ${reply.status}${help}${why === "" ? "." : `: ${why}`}`,
    why === "" ? {} : { from: wordsOfHost(url) },
  );
}

export async function jsonOf(label: string, reply: FetchReply): Promise<JsonObject> {
  try {
    return objectOf(await reply.json());
  } catch (cause) {
    throw new ToolFailure("failed", `${label} sent an invalid response: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** The error message from `{ error: { message } }`, `{ detail }` or `{ message }`. */
function reasonOf(text: string): string {
  let output: Json | undefined;
  try {
    const { error, detail, message } = JSON.parse(text) as JsonObject;
    output = [objectOf(error)["message"], error, objectOf(detail)["message"], detail, message].find(
      (one) => typeof one === "string",
    );
  } catch {
    output = undefined; // A proxy's page is of no use to a model.
  }
  return typeof output === "string" ? output.replaceAll(/\s+/g, " ").slice(0, 300) : "";
}
