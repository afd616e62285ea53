import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { Transform, type Duplex } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { GuardedProxy, ProxyOptions } from "../../contract/providers/web.ts";
import { judgeHop, type Hop } from "../../safety/urls/judge-hop.ts";
import { findInText } from "../../safety/urls/secret-search.ts";
import type { UrlPolicy } from "../../safety/urls/judge-url.ts";
import type { FetchPorts, WebPolicy } from "./fetch-ports.ts";
import { judgeRoute, type Route } from "./judge-route.ts";
import { reach, type Place } from "./reach.ts";
import { answer, answerRaw, Refusal, refusalOf } from "./proxy-refusal.ts";
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

type Ports = Pick<FetchPorts, "policy" | "secrets" | "proxy" | "lookup">;

/**
 * A proxy with the checks of the guarded fetch: `http://` requests directly, everything else through `CONNECT`.
 * Resolves each name once and dials the checked address. Searches readable data for stored secrets.
 */
export function createProxy(ports: Ports, options: ProxyOptions = {}): GuardedProxy {
  return new CheckingProxy(ports, options);
}

class CheckingProxy implements GuardedProxy {
  readonly #ports: Ports;
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #stop = new AbortController();
  readonly #open = new Set<Duplex>();

  constructor(ports: Ports, options: ProxyOptions) {
    this.#ports = ports;
    this.#options = options;
    const { createServer } = process.getBuiltinModule("node:http");
    this.#server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAlive: false });
    this.#server.on(
      "request",
      (incoming: IncomingMessage, reply: ServerResponse) =>
        void this.#forward(incoming, reply).catch((error) => answer(reply, this.#refused(error))),
    );
    this.#server.on(
      "connect",
      (incoming: IncomingMessage, client: Duplex, head: Buffer) =>
        void this.#tunnel(incoming, client, head).catch((error) => answerRaw(client, this.#refused(error))),
    );
    this.#server.on("upgrade", (_: IncomingMessage, client: Duplex) =>
      answerRaw(client, new Refusal(400, "Use CONNECT for other protocols.")),
    );
    this.#server.on("clientError", (_: Error, client: Duplex) => client.destroy());
  }

  serve(connection: Parameters<GuardedProxy["serve"]>[0]): void {
    this.#server.emit("connection", this.#track(connection as Duplex));
  }

  async judge(
    text: string,
    { sent = "", lookUp = false }: NonNullable<Parameters<GuardedProxy["judge"]>[1]> = {},
  ): Promise<string | undefined> {
    try {
      const hop = await this.#hopTo(text, lookUp);
      if (hop.kind === "blocked") return hop.reason;
      return findInText(sent, this.#ports.secrets())
        ? `The data for ${hop.url.host} contains a stored secret.`
        : undefined;
    } catch (cause) {
      return cause instanceof ToolFailure ? cause.message : "The address could not be checked.";
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    for (const connection of this.#open) connection.destroy();
  }

  async #forward(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const text = incoming.url ?? "";
    if (!/^http:\/\//i.test(text))
      throw new Refusal(400, "This is a proxy: send it http:// addresses, and CONNECT for all others.");
    const place = await this.#check(text);
    const { url } = place;
    const headers = forwardedHeaders(incoming);
    if (
      Object.values(headers)
        .flat()
        .some((value) => value !== undefined && findInText(value, this.#ports.secrets()))
    )
      throw new Refusal(403, `A header for ${url.host} contains a stored secret.`);
    const socket = await this.#connect(place);
    const outgoing = process.getBuiltinModule("node:http").request({
      method: incoming.method ?? "GET",
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: "close" },
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const failed = (error: unknown) => {
      outgoing.destroy();
      answer(
        reply,
        error instanceof Refusal ? this.#refused(error) : new Refusal(502, `${url.host} closed the connection.`),
      );
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
    incoming.pipe(searched(this.#ports.secrets, url.host).on("error", failed)).pipe(outgoing);
  }

  async #tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const text = incoming.url ?? "";
    if (!/^(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+):\d{1,5}$/i.test(text))
      throw new Refusal(400, "CONNECT needs a host and a port.");
    const place = await this.#check(`https://${text}/`);
    const socket = await this.#connect(place);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) client.unshift(head);
    const end = () => {
      client.destroy();
      socket.destroy();
    };
    const through = searched(this.#ports.secrets, place.url.host).on("error", (error) => {
      this.#refused(error);
      end();
    });
    client.once("close", end);
    socket.once("close", end);
    client.pipe(through).pipe(socket);
    socket.pipe(client);
  }

  /** @throws {Refusal} if the address is blocked or does not resolve. */
  async #check(text: string): Promise<Place> {
    const route = await judgeRoute(text, await this.#policy(), this.#ports);
    if (route.kind === "blocked") throw new Refusal(route.key === "unresolved" ? 502 : 403, route.reason);
    const { url, address, proxy } = route;
    return {
      url,
      address,
      proxy,
      port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    };
  }

  async #hopTo(text: string, lookUp: boolean): Promise<Hop | Route> {
    const policy = await this.#policy();
    return lookUp ? judgeRoute(text, policy, this.#ports) : judgeHop(text, policy, undefined);
  }

  async #policy(): Promise<UrlPolicy & WebPolicy> {
    const hosts = this.#options.hosts?.() ?? [];
    return {
      ...(await this.#ports.policy()),
      ...definedFields({
        allowPrivate: this.#options.allowPrivate?.() === true ? true : undefined,
        hosts: hosts.length === 0 ? undefined : hosts,
      }),
      secrets: this.#ports.secrets(),
    };
  }

  async #connect(place: Place): Promise<Duplex> {
    return this.#track(await reach(place, this.#stop.signal));
  }

  /** Closes the connection with the proxy. */
  #track<Connection extends Duplex>(connection: Connection): Connection {
    this.#open.add(connection);
    connection.on("error", () => connection.destroy());
    connection.once("close", () => this.#open.delete(connection));
    return connection;
  }

  /** The refusal to answer with. Reports a blocked request to the owner of the proxy. */
  #refused(error: unknown): Refusal {
    const refusal = refusalOf(error);
    if (refusal.status === 403) this.#options.refused?.(refusal.message);
    return refusal;
  }
}

/** The request's headers without those of the connection to the proxy. */
function forwardedHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_ONWARD.has(name) && !named.has(name)));
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
