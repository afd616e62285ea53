import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import { ruleFor } from "../../safety/urls/blocklist.ts";

/** `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case, as the user set them. */
export type ProxyVariables = (name: string) => string | undefined;

export interface Proxy {
  readonly url: URL;
}

/** The proxy for this URL, if the user configured one and did not except the host. */
export function proxyFor(url: URL, variables: ProxyVariables): Proxy | undefined {
  const read = (name: string) => variables(name.toLowerCase()) ?? variables(name);
  const text = read(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") ?? read("ALL_PROXY");
  if (text === undefined || text === "") return undefined;
  const except = (read("NO_PROXY") ?? "").split(/[\s,]+/).filter((rule) => rule !== "");
  if (
    except.includes("*") ||
    ruleFor(
      url.hostname,
      except.map((rule) => rule.replace(/^\./, "*.")),
    ) !== undefined
  )
    return undefined;
  const named = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(named) || new URL(named).protocol !== "http:")
    throw new ToolFailure("unreachable", "The configured proxy is not an http:// address, so nothing is fetched.", {
      hint: "Correct HTTPS_PROXY or HTTP_PROXY.",
    });
  return { url: new URL(named) };
}

/** A tunnel to the checked address: the proxy never gets a name, so it cannot resolve another address. */
export async function openTunnel(proxy: Proxy, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { hostname, username, password } = proxy.url;
  const place = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const credentials =
    username === ""
      ? {}
      : {
          "proxy-authorization": `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`,
        };
  const { request } = process.getBuiltinModule("node:http");
  const outgoing = request({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: proxy.url.port || 80,
    method: "CONNECT",
    path: place,
    headers: { host: place, ...credentials },
    agent: false,
    signal,
  });
  const failed = (why: string, cause?: unknown) =>
    reject(new ToolFailure("unreachable", `The proxy ${proxy.url.host} ${why}.`, { cause }));
  outgoing.once("connect", (reply, socket) => {
    if (reply.statusCode === 200) return resolve(socket);
    socket.destroy();
    failed(`refused a tunnel to ${place} (${reply.statusCode})`);
  });
  outgoing.once("response", (reply) => {
    reply.destroy();
    failed(`refused a tunnel to ${place} (${reply.statusCode})`);
  });
  outgoing.on("error", (cause: NodeJS.ErrnoException) =>
    failed(`cannot be reached (${cause.code ?? "closed"})`, cause),
  );
  outgoing.end();
  return promise;
}
