import { ToolFailure, type FetchOptions, type GuardedFetch, type Json, type JsonObject } from "hermes-agent/plugin";

export type Asked = { readonly ok: true; readonly answer: JsonObject } | { readonly ok: false; readonly error: string };

/**
 * One request to a service; a refusal or a network failure is returned as an error text. So is a redirect, because the
 * key is only for this address.
 */
export async function askJson(fetch: GuardedFetch, url: string, options: FetchOptions): Promise<Asked> {
  try {
    const reply = await fetch(url, { timeoutMs: 30_000, ...options, maxRedirects: 0 });
    if (reply.status < 200 || reply.status >= 300)
      return {
        ok: false,
        error: `it answered ${reply.status}${reply.status === 401 || reply.status === 403 ? "; the key may be wrong" : reply.status === 429 ? "; too many requests" : ""}.`,
      };
    const answer = await reply.json();
    return typeof answer === "object" && answer !== null && !Array.isArray(answer)
      ? { ok: true, answer: answer as JsonObject }
      : { ok: false, error: "its response has an unexpected format." };
  } catch (cause) {
    if (cause instanceof ToolFailure) return { ok: false, error: cause.message };
    throw cause;
  }
}

/** Converts a service's result list to `{ success, data: { web } }`. */
export function searchAnswer(
  asked: Asked,
  listOf: (answer: JsonObject) => Json | undefined,
  limit: number,
): JsonObject {
  if (!asked.ok) return { success: false, error: asked.error };
  const list = listOf(asked.answer);
  const web = (Array.isArray(list) ? (list as readonly Json[]) : [])
    .filter((one): one is JsonObject => typeof one === "object" && one !== null && !Array.isArray(one))
    .slice(0, limit);
  return {
    success: true,
    data: {
      web: web.map(({ title, url, content, description }, at) => ({
        title: textOf(title),
        url: textOf(url),
        description: textOf(description ?? content),
        position: at + 1,
      })),
    },
  };
}

/** Removes Brave's highlighting of search terms. */
function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll(/<\/?strong>/g, "") : "";
}
