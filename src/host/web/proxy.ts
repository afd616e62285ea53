import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import { chooseProxy, type ProxyVariables } from "../../safety/urls/proxy-choice.ts";
import { credentialsOf, type Proxy } from "./proxy-credentials.ts";

/**
 * The proxy for this URL, if the user configured one and did not except the host.
 * @throws {ToolFailure} if the configured proxy cannot be used: a request around it is not what the user wants.
 */
export function proxyFor(url: URL, variables: ProxyVariables, address?: string): Proxy | undefined {
  const choice = chooseProxy(url, variables, address);
  if (choice.kind === "unusable")
    throw new ToolFailure("unreachable", `${choice.reason}, so nothing is fetched.`, {
      hint: "Set an address that begins with http://, https://, socks4://, socks4a://, socks5:// or socks5h://.",
    });
  return choice.kind === "proxy" ? choice : undefined;
}

/**
 * A tunnel to the checked address, which the proxy cannot resolve to another one. Only where the user left names to the
 * proxy is it the name.
 * @throws {ToolFailure} `unreachable` if the proxy cannot be reached or refuses.
 */
export async function openTunnel(proxy: Proxy, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const failed = (why: string, cause?: unknown) =>
    new ToolFailure("unreachable", `The proxy ${proxy.url.host} ${why}.`, { cause });
  let socket: Socket;
  try {
    socket = await connected(proxy, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw failed(`cannot be reached (${(cause as NodeJS.ErrnoException).code ?? "closed"})`, cause);
  }
  const stop = () => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  const ignored = () => {};
  socket.on("error", ignored);
  try {
    if (proxy.protocol === "http" || proxy.protocol === "https") await connect(socket, proxy, host, port);
    else await (await import("./socks.ts")).askSocks(socket, proxy, host, port);
    signal.throwIfAborted();
    socket.off("error", ignored);
    return socket;
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    throw failed(cause instanceof Error ? cause.message : "closed the connection", cause);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function connected({ url, protocol }: Proxy, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const usual = protocol === "http" ? 80 : protocol === "https" ? 443 : 1080;
  const port = url.port === "" ? usual : Number(url.port);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket =
    protocol === "https"
      ? process.getBuiltinModule("node:tls").connect({
          host,
          port,
          servername: process.getBuiltinModule("node:net").isIP(host) === 0 ? host : undefined,
        })
      : process.getBuiltinModule("node:net").connect({ host, port });
  const stop = () => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const over = () => signal.removeEventListener("abort", stop);
  socket.once(protocol === "https" ? "secureConnect" : "connect", () => {
    over();
    socket.off("error", reject);
    resolve(socket);
  });
  socket.once("error", (cause) => {
    over();
    reject(cause);
  });
  return promise;
}

/** @throws {Error} whose message says what the proxy did. */
async function connect(socket: Socket, { url }: Proxy, host: string, port: number): Promise<void> {
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { username, password } = credentialsOf(url);
  const credentials =
    username === ""
      ? {}
      : { "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { request } = process.getBuiltinModule("node:http");
  const outgoing = request({
    createConnection: () => socket,
    method: "CONNECT",
    path: place,
    headers: { host: place, ...credentials },
  });
  const refused = (status: number | undefined) =>
    reject(
      new Error(
        status === 407
          ? `wants a user name and a password (407); write them into its address`
          : `refused a tunnel to ${place} (${status})`,
      ),
    );
  outgoing.once("connect", (reply, _, head: Buffer) => {
    if (reply.statusCode !== 200) return refused(reply.statusCode);
    if (head.length > 0) socket.unshift(head);
    resolve();
  });
  outgoing.once("response", (reply) => {
    reply.destroy();
    refused(reply.statusCode);
  });
  outgoing.on("error", (cause: NodeJS.ErrnoException) =>
    reject(new Error(`cannot be reached (${cause.code ?? "closed"})`, { cause })),
  );
  outgoing.end();
  return promise;
}
