import { parseExact } from "../../../contract/common/parse-exact.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { FetchReply, GuardedFetch } from "../../../contract/providers/web.ts";
import { callOf } from "./call-of.ts";
import type { PluginSide } from "./plugin-side.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** The agent's guarded network access; the response arrives whole. */
export function fetchThrough(plugin: Pick<PluginSide, "options">): GuardedFetch {
  return async (
    url,
    { body, timeoutMs, maxBytes, maxRedirects, method, headers, hosts, setting, configured, signal } = {},
  ) => {
    const answer = (await plugin.options.wire.request(
      "ctx.fetch",
      {
        url,
        ...definedFields({ method, headers }),
        ...(body === undefined
          ? {}
          : typeof body === "string"
            ? { text: body }
            : { data: Buffer.from(body).toString("base64") }),
        ...definedFields({
          timeout: timeoutMs === undefined ? undefined : timeoutMs / 1000,
          max_bytes: maxBytes,
          max_redirects: maxRedirects,
          hosts,
          setting,
          configured,
        }),
        ...callOf(plugin.options.key),
      },
      signal,
    )) as unknown as Omit<FetchReply, "bytes"> & { readonly data: string };
    const { data, ...reply } = answer;
    const bytes = new Uint8Array(Buffer.from(data, "base64"));
    const text = (): string => new TextDecoder().decode(bytes);
    return {
      ...reply,
      body: (async function* () {
        yield bytes;
      })(),
      bytes: async () => bytes,
      text: async () => text(),
      json: async () => parseExact(text()) as JsonObject[string],
    };
  };
}
