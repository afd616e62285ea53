import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { FetchOptions, SocketOptions } from "../../contract/providers/web.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { createFetch } from "./guarded-fetch.ts";
import { createSocket } from "./guarded-socket.ts";

export const PUBLIC = "93.184.215.14";
export const SECRET = "swordfish-and-chips-77";

/**
 * A web server behind a proxy: what the guard lets out to public addresses arrives here, and the proxy records
 * which address was dialled.
 */
export async function openWorld(
  listener: RequestListener,
  answers: { readonly [host: string]: readonly (readonly string[])[] } = {
    "a.example.org": [[PUBLIC]],
    "b.example.org": [["8.8.8.8"]],
  },
  upgrade?: (incoming: IncomingMessage, socket: Socket) => void,
) {
  const requests: {
    readonly host: string;
    readonly url: string;
    readonly method: string;
    readonly headers: IncomingMessage["headers"];
  }[] = [];
  const dialled: string[] = [];
  const sockets = new Set<Socket>();
  const upgraded = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    requests.push({
      host: incoming.headers.host!,
      url: incoming.url!,
      method: incoming.method!,
      headers: incoming.headers,
    });
    listener(incoming, outgoing);
  });
  if (upgrade !== undefined)
    server.on("upgrade", (incoming: IncomingMessage, socket: Socket) => {
      requests.push({
        host: incoming.headers.host!,
        url: incoming.url!,
        method: incoming.method!,
        headers: incoming.headers,
      });
      upgraded.add(socket.on("error", () => {}));
      upgrade(incoming, socket);
    });
  const proxy = createServer().on("connect", (incoming: IncomingMessage, socket: Socket) => {
    dialled.push(incoming.url!);
    const onward = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      sockets.add(
        one
          .on("error", () => {})
          .once("end", () => other.destroySoon())
          .once("close", () => other.destroy()),
      );
  });
  for (const one of [server, proxy]) await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const asked = new Map<string, number>();
  const ports: FetchPorts = {
    policy: () => ({}),
    secrets: () => [SECRET],
    proxy: (name) =>
      name === "HTTP_PROXY" || name === "HTTPS_PROXY"
        ? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
        : undefined,
    async lookup(host) {
      const turn = asked.get(host) ?? 0;
      asked.set(host, turn + 1);
      const lists = answers[host] ?? [];
      return lists[Math.min(turn, lists.length - 1)] ?? [];
    },
  };
  return {
    requests,
    dialled,
    ports,
    looked: asked,
    /** Tunnels that are open. */
    tunnels: () => [...sockets].filter(({ destroyed }) => !destroyed).length / 2,
    here: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch: (url: string, options?: FetchOptions, more: Partial<FetchPorts> = {}) =>
      createFetch({ ...ports, ...more })(url, options),
    socket: (url: string, options?: SocketOptions, more: Partial<FetchPorts> = {}) =>
      createSocket({ ...ports, ...more })(url, options),
    async [Symbol.asyncDispose]() {
      for (const socket of [...sockets, ...upgraded]) socket.destroy();
      for (const one of [server, proxy]) {
        one.closeAllConnections();
        await new Promise((resolve) => one.close(resolve));
      }
    },
  };
}
