import type { Agent } from "node:http";
import { definedFields, type PluginContext } from "hermes-agent/plugin";

/** What a request knows about proxies. */
export interface ProxyAccess {
  /** `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` as the user set them. */
  readonly variables: { readonly [name: string]: string };
  /** Opens the agent's guarded proxy, which speaks SOCKS to the user's. Absent: such a proxy cannot be used. */
  readonly open?: PluginContext["proxy"];
}

export type Way =
  | { readonly kind: "direct" }
  | { readonly kind: "http"; readonly proxy: string }
  | { readonly kind: "socks"; readonly open: PluginContext["proxy"] }
  | { readonly kind: "unusable"; readonly reason: string };

/** Error code for a connection that the guarded proxy refuses, with its reason as the message. */
export const PROXY_REFUSED = "ERR_PROXY_REFUSED";

const DIRECT: Way = { kind: "direct" };

/** Without a proxy's variable nothing is loaded for it. */
export async function wayTo(url: URL, { variables, open }: ProxyAccess = { variables: {} }): Promise<Way> {
  if (Object.keys(variables).length === 0) return DIRECT;
  const { chooseProxy } = await import("hermes-agent/plugin");
  const choice = chooseProxy(url, (name) => variables[name]);
  if (choice.kind !== "proxy") return choice;
  if (choice.protocol === "http" || choice.protocol === "https") return { kind: "http", proxy: choice.url.href };
  // The guarded proxy reads what is not encrypted, and would find the key.
  return open === undefined || url.protocol !== "https:"
    ? { kind: "unusable", reason: `A SOCKS proxy is configured, which only https:// requests to a model can use` }
    : { kind: "socks", open };
}

/** Kept-open connections; idle ones do not keep the process alive. Made at first use, one per way out. */
const agents = new Map<string, Agent>();

/** @param fresh For a connection that nothing was sent over before, by the same way out. */
export function agentFor(url: URL, way: Way, fresh: boolean): Agent {
  const secure = url.protocol === "https:";
  if (way.kind === "socks") return socksAgent(url, way.open);
  const proxy = way.kind === "http" ? way.proxy : undefined;
  const name = `${secure} ${proxy ?? ""}`;
  let agent = fresh ? undefined : agents.get(name);
  if (agent === undefined) {
    const proxyEnv = proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
    const options = definedFields({ keepAlive: !fresh, proxyEnv });
    agent = secure
      ? new (process.getBuiltinModule("node:https").Agent)(options)
      : new (process.getBuiltinModule("node:http").Agent)(options);
    if (!fresh) agents.set(name, agent);
  }
  return agent;
}

/** For one request: TLS through a tunnel of the guarded proxy. */
function socksAgent(url: URL, open: PluginContext["proxy"]): Agent {
  const agent = new (process.getBuiltinModule("node:https").Agent)({ keepAlive: false });
  agent.createConnection = (_, done) => {
    void (async () => {
      const { openSocksTunnel } = await import("./socks-tunnel.ts");
      const opened = await openSocksTunnel(url, open).catch((cause: Error) => cause);
      if (opened instanceof Error) done?.(Object.assign(opened, { code: PROXY_REFUSED }), undefined as never);
      else done?.(null, opened);
    })();
    return undefined;
  };
  return agent;
}
