import type { IncomingMessage, ServerResponse } from "node:http";
import { Transform, type Duplex } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { GuardedProxy, ProxyOptions } from "../../contract/providers/web.ts";
import { judgeHop, type Hop } from "../../safety/urls/judge-hop.ts";
import { findInText } from "../../safety/urls/secret-search.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { reach, type Place } from "./reach.ts";
import { systemLookup } from "./system-lookup.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const MAX_HEADER_BYTES = 65_536;
/** Of what was sent so far, so much is looked at again with what follows. */
const OVERLAP = 4_096;
/** Headers that a proxy does not forward, or that name another host than the checked one. */
const NOT_ONWARD = new Set([
  "host",
  "connection",
  "proxy-connection",
  "proxy-authorization",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

class Refusal extends Error {
  readonly status: 400 | 403 | 502;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * A proxy with the checks of the guarded fetch: `http://` requests directly, everything else through `CONNECT`.
 * Resolves each name once and dials the checked address. Searches readable data for stored secrets.
 */
export function createProxy(
  ports: Pick<FetchPorts, "policy" | "secrets" | "proxy" | "lookup">,
  options: ProxyOptions = {},
): GuardedProxy {
  const { createServer, request: send } = process.getBuiltinModule("node:http");
  const stop = new AbortController();
  const open = new Set<Duplex>();
  const keep = <Connection extends Duplex>(connection: Connection): Connection => {
    open.add(connection);
    connection.on("error", () => connection.destroy());
    connection.once("close", () => open.delete(connection));
    return connection;
  };

  const hopTo = async (text: string, lookUp = true): Promise<Hop> => {
    const policy = await ports.policy();
    const hosts = options.hosts?.() ?? [];
    const all = {
      ...policy,
      ...definedFields({
        allowPrivate: options.allowPrivate?.() === true ? true : undefined,
        hosts: hosts.length === 0 ? undefined : hosts,
      }),
      secrets: ports.secrets(),
    };
    return judgeHop(text, all, lookUp ? (ports.lookup ?? systemLookup) : undefined);
  };
  const judge = async (text: string): Promise<Place> => {
    const hop = await hopTo(text);
    if (hop.kind === "blocked") throw new Refusal(hop.key === "unresolved" ? 502 : 403, hop.reason);
    const { url } = hop;
    return {
      url,
      address: hop.pinned!,
      port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    };
  };
  const words = (error: unknown): Refusal => {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(
            error instanceof ToolFailure && error.code === "unreachable" ? 502 : 403,
            error instanceof ToolFailure ? error.message : "The address could not be checked.",
          );
    if (refusal.status === 403) options.refused?.(refusal.message);
    return refusal;
  };

  const forward = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const text = incoming.url ?? "";
    if (!/^http:\/\//i.test(text))
      throw new Refusal(400, "This is a proxy: send it http:// addresses, and CONNECT for all others.");
    const place = await judge(text);
    const { url } = place;
    const named = new Set((incoming.headers.connection ?? "").toLowerCase().split(/[\s,]+/));
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !NOT_ONWARD.has(name) && !named.has(name)),
    );
    if (
      Object.values(headers)
        .flat()
        .some((value) => value !== undefined && findInText(value, ports.secrets()))
    )
      throw new Refusal(403, `A header for ${url.host} contains a stored secret.`);
    const socket = keep(await reach(place, ports.proxy, stop.signal));
    const outgoing = send({
      method: incoming.method ?? "GET",
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: "close" },
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const failed = (error: unknown) => {
      outgoing.destroy();
      answer(reply, error instanceof Refusal ? words(error) : new Refusal(502, `${url.host} closed the connection.`));
    };
    outgoing.on("error", failed);
    outgoing.once("response", (output) => {
      reply.writeHead(
        output.statusCode ?? 502,
        output.statusMessage,
        Object.fromEntries(Object.entries(output.headers).filter(([name]) => !NOT_ONWARD.has(name))),
      );
      output.on("error", () => reply.destroy()).pipe(reply);
    });
    reply.once("close", () => outgoing.destroy());
    incoming.pipe(searched(ports.secrets, url.host).on("error", failed)).pipe(outgoing);
  };

  const tunnel = async (incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    const text = incoming.url ?? "";
    if (!/^(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+):\d{1,5}$/i.test(text))
      throw new Refusal(400, "CONNECT needs a host and a port.");
    const place = await judge(`https://${text}/`);
    const socket = keep(await reach(place, ports.proxy, stop.signal));
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) client.unshift(head);
    const end = () => {
      client.destroy();
      socket.destroy();
    };
    const through = searched(ports.secrets, place.url.host).on("error", (error) => {
      words(error);
      end();
    });
    client.once("close", end);
    socket.once("close", end);
    client.pipe(through).pipe(socket);
    socket.pipe(client);
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAlive: false });
  server.on(
    "request",
    (incoming: IncomingMessage, reply: ServerResponse) =>
      void forward(incoming, reply).catch((error) => answer(reply, words(error))),
  );
  server.on(
    "connect",
    (incoming: IncomingMessage, client: Duplex, head: Buffer) =>
      void tunnel(incoming, client, head).catch((error) => answerRaw(client, words(error))),
  );
  server.on("upgrade", (_: IncomingMessage, client: Duplex) =>
    answerRaw(client, new Refusal(400, "Use CONNECT for other protocols.")),
  );
  server.on("clientError", (_: Error, client: Duplex) => client.destroy());
  return {
    serve: (connection) => void server.emit("connection", keep(connection as Duplex)),
    async judge(text, { sent = "", lookUp = false } = {}) {
      try {
        const hop = await hopTo(text, lookUp);
        if (hop.kind === "blocked") return hop.reason;
        return findInText(sent, ports.secrets()) ? `The data for ${hop.url.host} contains a stored secret.` : undefined;
      } catch (cause) {
        return cause instanceof ToolFailure ? cause.message : "The address could not be checked.";
      }
    },
    [Symbol.dispose]: () => {
      stop.abort();
      for (const connection of open) connection.destroy();
    },
  };
}

/** Forwards data without stored secrets. TLS data is unreadable and is not searched. */
function searched(secrets: () => readonly string[], host: string): Transform {
  let before = "";
  let sealed: boolean | undefined;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      sealed ??= chunk[0] === 0x16 && chunk[1] === 0x03;
      if (sealed) return done(null, chunk);
      const text = before + chunk.toString("latin1");
      before = text.slice(-OVERLAP);
      if (findInText(text, secrets())) return done(new Refusal(403, `The data for ${host} contains a stored secret.`));
      done(null, chunk);
    },
  });
}

function answer(reply: ServerResponse, { status, message }: Refusal): void {
  if (reply.headersSent) return void reply.destroy();
  reply.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  reply.end(output(status, message));
}

function answerRaw(client: Duplex, { status, message }: Refusal): void {
  const body = Buffer.from(output(status, message));
  // Read on, so that its end is seen.
  client
    .resume()
    .end(
      `HTTP/1.1 ${status} ${status === 403 ? "Refused by the sandbox" : "Not done"}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.toString("latin1")}`,
      "latin1",
    );
}

function output(status: Refusal["status"], message: string): string {
  return `${status === 403 ? "Refused by the sandbox's proxy: " : ""}${message}\n`;
}
