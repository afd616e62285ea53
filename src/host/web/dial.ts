import type { IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import { openTunnel } from "./proxy.ts";
import type { Proxy } from "./proxy-credentials.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface Dial {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array | undefined;
  readonly url: URL;
  /** The judged address; nothing else is dialled. */
  readonly address: string;
  readonly proxy: Proxy | undefined;
  readonly signal: AbortSignal;
}

export interface Dialled {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly incoming: IncomingMessage;
  destroy(): void;
}

const MAX_HEADER_BYTES = 65_536;

/** Sends one request to one address over `node:http(s)`, without a lookup, and resolves with the response head. */
export async function dial({ method, headers, body, url, address, proxy, signal }: Dial): Promise<Dialled> {
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, address, port, signal);
  const { promise, resolve, reject } = Promise.withResolvers<Dialled>();
  const options: RequestOptions & { servername?: string } = {
    host: address,
    port,
    method,
    path: url.pathname + url.search,
    headers: {
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "hermes-agent",
      accept: "*/*",
      ...headers,
      host: url.host,
      ...definedFields({ "content-length": body === undefined ? undefined : String(Buffer.byteLength(body)) }),
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    servername: secure && !isAddress(url.hostname) ? url.hostname : undefined,
    // An agent, even our own, would dial itself.
    ...(tunnel === undefined ? { agent: false } : { createConnection: () => (secure ? overTls(url, tunnel) : tunnel) }),
  };
  const { request } = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  let outgoing;
  try {
    outgoing = request(options);
  } catch (cause) {
    tunnel?.destroy();
    throw new ToolFailure("bad_arguments", "A header contains characters that cannot be sent.", { cause });
  }
  outgoing.once("socket", (socket: Socket) => {
    // The last word on what was dialled is the socket's own.
    if (tunnel === undefined)
      socket.once(
        "connect",
        () =>
          void (
            samePlace(socket.remoteAddress, address) ||
            outgoing.destroy(new ToolFailure("blocked", `Refused to connect to ${url.host} at an unchecked address.`))
          ),
      );
  });
  outgoing.once("response", (incoming) => {
    // Ignored here: if someone reads the response, its iterator throws the error.
    incoming.on("error", () => {});
    // An unread answer must not keep the process alive.
    incoming.socket.unref();
    resolve({
      status: incoming.statusCode ?? 0,
      headers: plainHeaders(incoming),
      incoming,
      destroy: () => void incoming.destroy(),
    });
  });
  outgoing.once("upgrade", (_, socket) => {
    socket.destroy();
    reject(new ToolFailure("unreachable", `${url.host} wants to switch to another protocol.`));
  });
  outgoing.on("error", (cause: NodeJS.ErrnoException) =>
    reject(cause instanceof ToolFailure ? cause : unreachable(url, cause)),
  );
  outgoing.end(body);
  return promise;
}

function plainHeaders(incoming: IncomingMessage): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** The certificate is that of the name, whatever address it was found at. */
export function overTls({ hostname }: URL, socket: Socket): Socket {
  return process.getBuiltinModule("node:tls").connect({
    socket,
    ...(isAddress(hostname) ? { host: hostname.replace(/^\[|\]$/g, "") } : { servername: hostname }),
  });
}

const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host);

function samePlace(dialled: string | undefined, judged: string): boolean {
  return dialled === judged || dialled === `::ffff:${judged}` || dialled === undefined;
}

export function unreachable(url: URL, cause: NodeJS.ErrnoException): ToolFailure {
  const code = cause.code ?? "closed";
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/.test(code))
    return new ToolFailure("unreachable", `The certificate of ${url.host} is not trusted (${code}).`, { cause });
  return new ToolFailure("unreachable", `${url.host} cannot be reached (${code}).`, {
    hint: "Try again later, or use another source.",
    cause,
  });
}
