import { judgeHop } from "../../safety/urls/judge-hop.ts";
import { judgeUrl, type UrlBlocked, type UrlPolicy } from "../../safety/urls/judge-url.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { proxyFor } from "./proxy.ts";
import type { Proxy } from "./proxy-credentials.ts";
import { systemLookup } from "./system-lookup.ts";

export type Route =
  | UrlBlocked
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /** The judged address; the name where the user left names to the proxy. */
      readonly address: string;
      readonly proxy: Proxy | undefined;
    };

/**
 * Judges one step of a request, and finds the way to it. A name is looked up here and its addresses are judged, unless
 * the user chose a proxy that resolves names (`socks5h://`, `socks4a://`, `security.proxy_resolves_names`): then only
 * the name can be judged.
 * @throws {ToolFailure} if the configured proxy cannot be used.
 */
export async function judgeRoute(
  text: string,
  policy: UrlPolicy & { readonly proxyResolvesNames?: boolean },
  { proxy: variables, lookup = systemLookup }: Pick<FetchPorts, "proxy" | "lookup">,
  from?: URL,
): Promise<Route> {
  const judged = judgeUrl(text, policy, from);
  if (judged.kind === "blocked") return judged;
  const proxy = proxyFor(judged.url, variables);
  const byProxy = proxy !== undefined && (proxy.resolves || policy.proxyResolvesNames === true);
  const hop = await judgeHop(text, policy, byProxy ? undefined : lookup, from);
  if (hop.kind === "blocked")
    return hop.key === "unresolved" && proxy !== undefined ? { ...hop, reason: `${hop.reason} ${LEFT_TO_PROXY}` } : hop;
  const { url, pinned } = hop;
  if (pinned === undefined) return { kind: "allowed", url, address: url.hostname.replace(/\.$/, ""), proxy };
  return { kind: "allowed", url, address: pinned, proxy: proxy && proxyFor(url, variables, pinned) };
}

const LEFT_TO_PROXY =
  "If only the proxy can resolve names here, the user can set security.proxy_resolves_names, or write socks5h:// in place of socks5://.";
