import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { GuardedSocket, OpenSocket, SocketOptions } from "../../contract/providers/web.ts";
import type { UrlPolicy } from "../../safety/urls/judge-url.ts";
import { findInText } from "../../safety/urls/secret-search.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { overTls, unreachable } from "./dial.ts";
import { judgeRoute } from "./judge-route.ts";
import { belongsTo, othersSecrets } from "./own-secrets.ts";
import { reach } from "./reach.ts";
import { SocketMessages } from "./socket-messages.ts";
import { abortable } from "../../engine/async/abortable.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MESSAGE_BYTES = 10_000_000;
const SHORTEST_KEY = 12;
/** Headers of the handshake itself. */
const OURS = new Set([
  "host",
  "connection",
  "upgrade",
  "content-length",
  "transfer-encoding",
  "proxy-authorization",
  "expect",
]);

export interface SocketGuardPorts extends FetchPorts {
  /** Values that the provider's plugin declared, and its settings. */
  ofProvider?(from: NonNullable<SocketOptions["signed"]>): ReturnType<NonNullable<FetchPorts["own"]>>;
}

/** The guarded way out for WebSockets. Loaded when the first one is opened. */
export function createSocket(ports: SocketGuardPorts): OpenSocket {
  return async (text, options = {}) => {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        stop.abort(
          new ToolFailure("timeout", `${hostOf(text)} did not open a connection within ${timeoutMs / 1000} s.`),
        ),
      timeoutMs,
    );
    const cancel = () => stop.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", cancel, { once: true });
    if (options.signal?.aborted) cancel();
    try {
      return await opened(text, options, ports, stop.signal);
    } catch (cause) {
      throw stop.signal.aborted ? stop.signal.reason : cause;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", cancel);
    }
  };
}

async function opened(
  text: string,
  options: SocketOptions,
  ports: SocketGuardPorts,
  signal: AbortSignal,
): Promise<GuardedSocket> {
  if (!/^wss?:\/\//i.test(text)) throw refused(text, "scheme", "It is not a ws:// or wss:// address.");
  const policy = {
    ...(await ports.policy()),
    ...definedFields({ allowPrivate: options.own === true ? true : undefined, hosts: options.hosts }),
    ...signedPolicy(text, options, ports),
  };
  const hop = await abortable(
    judgeRoute(
      text.replace(/^ws/i, "http"),
      { ...policy, secrets: othersSecrets(ports, "address", URL.parse(text)?.hostname) },
      ports,
    ),
    signal,
  );
  if (hop.kind === "blocked") throw refused(text, hop.key, hop.reason);
  const { url, address, proxy } = hop;
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).flatMap(([name, value]) =>
      OURS.has(name.toLowerCase()) || name.toLowerCase().startsWith("sec-websocket-")
        ? []
        : [[name.toLowerCase(), value]],
    ),
  );
  if (
    [...Object.values(headers), ...(options.protocols ?? [])].some((value) =>
      findInText(value, othersSecrets(ports, "header", url.hostname)),
    )
  )
    throw refused(
      text,
      "secret",
      `A header for ${url.host} contains a stored secret that this request did not declare.`,
    );
  const carries = (sent: string): boolean =>
    options.own !== true && findInText(sent, othersSecrets(ports, "body", url.hostname));
  if (carries(options.sending ?? ""))
    throw refused(text, "secret", `The data for ${url.host} contains a stored secret.`);
  const secure = url.protocol === "https:";
  const place = { url, address, port: url.port === "" ? (secure ? 443 : 80) : Number(url.port), proxy };
  const plain = await reach(place, signal);
  const [socket, head, protocol] = await shaken(url, plain, {
    headers,
    protocols: options.protocols ?? [],
    secure,
    signal,
  });
  return new SocketMessages(socket, head, {
    host: url.host,
    protocol,
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES,
    carries,
    repeats: (message) => options.signed !== undefined && findInText(message, keysIn(url)),
    keepAliveMs: options.keepAliveMs,
    signal: options.signal,
  });
}

/** The service knows the provider's secrets, so they may be in the address that it gave. */
function signedPolicy(text: string, { signed }: SocketOptions, ports: SocketGuardPorts): Pick<UrlPolicy, "signed"> {
  if (signed === undefined) return {};
  const host = URL.parse(text)?.hostname ?? "";
  return {
    signed: (ports.ofProvider?.(signed) ?? []).flatMap(({ value, hosts }) =>
      hosts === undefined || belongsTo(host, hosts) ? [value] : [],
    ),
  };
}

/** May be a session's key, and is not an ordinary word. */
function keysIn({ pathname, search, searchParams }: URL): readonly string[] {
  return [pathname, search, ...pathname.split("/"), ...searchParams.values()].filter(
    ({ length }) => length >= SHORTEST_KEY,
  );
}

interface Handshake {
  readonly headers: { readonly [name: string]: string };
  readonly protocols: readonly string[];
  readonly secure: boolean;
  readonly signal: AbortSignal;
}

/** The request that makes a WebSocket of the connection, over the judged connection alone. */
function shaken(
  url: URL,
  plain: Socket,
  { headers, protocols, secure, signal }: Handshake,
): Promise<readonly [socket: Socket, head: Buffer, protocol: string | undefined]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly [Socket, Buffer, string | undefined]>();
  const socket = secure ? overTls(url, plain) : plain;
  const failed = (cause: unknown): void => {
    plain.destroy();
    socket.destroy();
    reject(
      cause instanceof ToolFailure
        ? cause
        : signal.aborted
          ? signal.reason
          : unreachable(url, cause as NodeJS.ErrnoException),
    );
  };
  const key = randomBytes(16).toString("base64");
  const { request } = process.getBuiltinModule("node:http");
  let outgoing;
  try {
    outgoing = request({
      createConnection: () => socket,
      path: url.pathname + url.search,
      headers: {
        "user-agent": "hermes-agent",
        ...headers,
        host: url.host,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
        ...definedFields({ "sec-websocket-protocol": protocols.length === 0 ? undefined : protocols.join(", ") }),
      },
      maxHeaderSize: 65_536,
      signal,
    });
  } catch (cause) {
    failed(new ToolFailure("bad_arguments", "A header contains characters that cannot be sent.", { cause }));
    return promise;
  }
  plain.on("error", failed);
  socket.on("error", failed);
  outgoing.on("error", failed);
  outgoing.once("response", (reply) => {
    reply.destroy();
    failed(
      new ToolFailure("unreachable", `${url.host} answered ${reply.statusCode} instead of opening a WebSocket.`, {
        data: { status_code: reply.statusCode ?? 0 },
      }),
    );
  });
  outgoing.once("upgrade", (reply: IncomingMessage, upgraded, head: Buffer) => {
    const output = reply.headers;
    const protocol = output["sec-websocket-protocol"];
    const accepted = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    if (
      reply.statusCode !== 101 ||
      output.upgrade?.toLowerCase() !== "websocket" ||
      output["sec-websocket-accept"] !== accepted ||
      output["sec-websocket-extensions"] !== undefined ||
      (protocol !== undefined && !protocols.includes(protocol))
    ) {
      return failed(new ToolFailure("unreachable", `${url.host} did not accept the WebSocket as requested.`));
    }
    // The reader gets later errors.
    if (socket !== plain) socket.off("error", failed);
    resolve([upgraded as Socket, head, protocol]);
  });
  outgoing.end();
  return promise;
}

function refused(text: string, key: string, reason: string): ToolFailure {
  return new ToolFailure("blocked", `${hostOf(text)} was not connected to: ${reason}`, { data: { blocked_by: key } });
}

function hostOf(text: string): string {
  return URL.canParse(text) && new URL(text).host !== "" ? new URL(text).host : "The address";
}
