import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../src/contract/common/json.ts";
import { startOwn } from "../end-to-end/support/browsing.ts";

export const SERVICE_KEY = "key-of-a-browser-service-0123";
export const SERVICE_PROJECT = "a-project";

/** A service's misbehaviour. */
export interface Misbehaviour {
  /** Answers to the next requests for a session, one each. */
  readonly answers?: { readonly status: number; readonly body?: JsonObject }[];
  /** The delay before it answers a request for a session. */
  beginAfterMs?: number;
  /** Fails to end a session, which continues. */
  endStatus?: number;
  /** For the connection: 410, as for a session that is over. */
  connectStatus?: number;
  /** Also part of a session's address. */
  also?: string;
}

interface Session {
  readonly id: string;
  readonly token: string;
  readonly browser: Awaited<ReturnType<typeof startOwn>>;
  readonly sockets: Set<Socket>;
}

/**
 * The REST API of Browserbase, Browser Use and Firecrawl on loopback. Each session is a separate Chromium behind an
 * address with a token. On
 * request it refuses, hangs, or breaks a connection.
 */
export async function startBrowserServices(flags: readonly string[] = []) {
  const open = new Map<string, Session>();
  const asked: { readonly method: string; readonly url: string; readonly body: JsonObject }[] = [];
  const does: Misbehaviour & { answers: { status: number; body?: JsonObject }[] } = { answers: [] };
  /** Called before it accepts a connection. */
  const watch: { connecting?: (id: string) => void } = {};
  const all: Promise<unknown>[] = [];
  let count = 0;

  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()));
  const connections = new Set<Socket>();
  server.on("connection", (connection) => void connections.add(connection));
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    const url = new URL(request.url ?? "/", "http://service");
    const session = open.get(url.pathname.slice("/cdp/".length));
    const status =
      does.connectStatus ??
      (session === undefined || url.searchParams.get("token") !== session.token ? 403 : undefined);
    if (session === undefined || status !== undefined)
      return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    watch.connecting?.(session.id);
    const inner = new URL(session.browser.socket);
    const upstream = connect(Number(inner.port), "127.0.0.1");
    for (const one of [socket, upstream]) {
      session.sockets.add(one);
      one
        .on("error", () => one.destroy())
        .on("close", () => void (socket.destroy(), upstream.destroy(), session.sockets.delete(one)));
    }
    const headers = Object.entries(request.headers)
      .filter(([name]) => name !== "host")
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join("");
    upstream.write(`GET ${inner.pathname} HTTP/1.1\r\nhost: ${inner.host}\r\n${headers}\r\n`);
    socket.pipe(upstream);
    upstream.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { method = "", url = "", headers } = request;
    const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
    const say = (status: number, message: JsonObject = {}): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(message));
    if (url.startsWith("/json/version")) {
      const session = open.get(new URL(url, "http://service").searchParams.get("session") ?? "");
      return session === undefined
        ? say(404)
        : say(200, { webSocketDebuggerUrl: `ws://${host}/cdp/${session.id}?token=${session.token}` });
    }
    asked.push({ method, url, body });
    const given =
      headers["x-bb-api-key"] ?? headers["x-browser-use-api-key"] ?? headers.authorization?.replace("Bearer ", "");
    if (given !== SERVICE_KEY) return say(401, { message: "Unknown key." });
    const begins = method === "POST" && ["/v1/sessions", "/browsers", "/v2/browser"].includes(url);
    if (begins) {
      const refused = does.answers.shift();
      if (refused !== undefined) return say(refused.status, refused.body);
      const session = await begin();
      if (does.beginAfterMs !== undefined) await wait(does.beginAfterMs);
      if (url === "/v1/sessions")
        return say(201, { id: session.id, status: "RUNNING", connectUrl: addressOf(session) });
      if (url === "/browsers")
        return say(201, { id: session.id, status: "active", cdpUrl: `http://${host}/?session=${session.id}` });
      return say(200, { success: true, id: session.id, cdpUrl: addressOf(session) });
    }
    const id = url.split("/").at(-1) ?? "";
    const ends =
      (method === "POST" &&
        url.startsWith("/v1/sessions/") &&
        body["status"] === "REQUEST_RELEASE" &&
        body["projectId"] === SERVICE_PROJECT) ||
      (method === "PATCH" && url.startsWith("/browsers/") && body["action"] === "stop") ||
      (method === "DELETE" && url.startsWith("/v2/browser/"));
    if (!ends) return say(404, { message: "No such address." });
    if (does.endStatus !== undefined) return say(does.endStatus);
    return say((await end(id)) ? 200 : 404, { id });
  }

  const addressOf = ({ id, token }: Session): string => `ws://${host}/cdp/${id}?token=${token}${does.also ?? ""}`;

  async function begin(): Promise<Session> {
    const id = `session-${(count += 1)}`;
    const folder = mkdtempSync(join(tmpdir(), "hermes-service-"));
    const starting = startOwn(folder, flags);
    all.push(
      starting.then(async (browser) => ({
        async [Symbol.asyncDispose]() {
          await browser[Symbol.asyncDispose]();
          rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        },
      })),
    );
    const session = { id, token: `token-of-${id}`, browser: await starting, sockets: new Set<Socket>() };
    open.set(id, session);
    return session;
  }

  async function end(id: string): Promise<boolean> {
    const session = open.get(id);
    if (session === undefined) return false;
    open.delete(id);
    cut(id, session);
    session.browser.stop();
    return true;
  }

  function cut(id: string, session: Session | undefined = open.get(id)): void {
    for (const socket of session?.sockets ?? []) socket.destroy();
  }

  return {
    url: `http://${host}`,
    asked,
    does,
    watch,
    /** Sessions that currently cost money. */
    get open(): readonly string[] {
      return [...open.keys()];
    },
    cut,
    /** Its time is over. */
    expire: end,
    async [Symbol.asyncDispose]() {
      for (const one of await Promise.all(all)) await (one as AsyncDisposable)[Symbol.asyncDispose]();
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
