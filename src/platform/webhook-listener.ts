import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UserError } from "../contract/common/failure.ts";
import { isObject } from "../contract/common/is-object.ts";
import type { Json, JsonObject } from "../contract/common/json.ts";
import type { Logger } from "../contract/common/logger.ts";
import type {
  ServedRoute,
  WebhookListener,
  WebhookReply,
  WebhookRequest,
  WebhookRoute,
} from "../contract/providers/webhook-route.ts";
import { isFresh } from "./signature.ts";

export interface WebhookPorts {
  /** Where routes listen that name no other place. */
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** The reply that a delivery got; `undefined`: it is new. */
  delivered(route: string, id: string): Promise<JsonObject | undefined>;
  /** Remembers a delivery durably. */
  noteDelivery(route: string, id: string, reply: JsonObject): Promise<unknown>;
  /** Epoch ms. */
  now?(): number;
}

/** A client that sends its request slowly keeps its connection only so long. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };
const MAX_BYTES = 1_048_576;
/** Requests that are being read and handled at once; further ones get status 503. */
const MAX_OPEN = 256;

interface Place {
  readonly server: Server;
  readonly url: string;
  readonly routes: Map<string, WebhookRoute>;
}

/** The HTTP server for webhooks. It listens only while there are routes. */
export function webhookListener(ports: WebhookPorts): WebhookListener & AsyncDisposable {
  const places = new Map<string, Promise<Place>>();
  const handled = new Map<string, Promise<WebhookReply>>();
  let open = 0;

  const respond = async (routes: Place["routes"], incoming: IncomingMessage): Promise<WebhookReply> => {
    const [path = "/"] = (incoming.url ?? "/").split("?");
    if (path === "/health" && incoming.method === "GET") return { body: { status: "ok" } };
    const route = routeFor(routes, path);
    if (route === undefined) return { status: 404, body: { error: "There is no such route." } };
    const { methods = ["POST"], maxBytes = MAX_BYTES } = route;
    if (!methods.includes(incoming.method ?? "")) return { status: 405, headers: { allow: methods.join(", ") } };
    const refused = route.refuse?.(requestOf(incoming, path, NOTHING));
    if (refused !== undefined) return refused;
    if (open > MAX_OPEN) return BUSY;
    const body = await bodyOf(incoming, maxBytes);
    if (body === undefined)
      return { status: 413, headers: { connection: "close" }, body: { error: `The body exceeds ${maxBytes} bytes.` } };
    const request = requestOf(incoming, path, body);
    if (!(await verified(route, request, ports.log))) return UNSIGNED;
    const { id, at } = route.identify?.(request) ?? {};
    if (at !== undefined && !isFresh(at, (ports.now ?? Date.now)(), route.toleranceSeconds)) {
      ports.log.warning(`Refused a webhook on ${route.path}: its signed time is too far from this machine's time.`);
      return UNSIGNED;
    }
    return id === undefined || id === "" ? handle(route, request) : onceOnly(route, id, request);
  };

  /** Each id of a route is handled once: at the same time, later, and after a restart. */
  const onceOnly = (route: WebhookRoute, id: string, request: WebhookRequest): Promise<WebhookReply> => {
    const key = `${route.path}\n${id}`;
    const running = handled.get(key);
    if (running !== undefined) return running;
    const work = (async () => {
      const before = await ports.delivered(route.path, id);
      if (before !== undefined) return route.repeated ?? (before as unknown as WebhookReply);
      const reply = await handle(route, request);
      // A failed delivery may come again.
      if ((reply.status ?? 200) < 400 && reply.again !== true)
        await ports.noteDelivery(route.path, id, JSON.parse(JSON.stringify(reply)) as JsonObject);
      return reply;
    })();
    handled.set(key, work);
    return work.finally(() => handled.delete(key));
  };

  const handle = async (route: WebhookRoute, request: WebhookRequest): Promise<WebhookReply> => {
    try {
      return (await route.handle(request)) ?? {};
    } catch (cause) {
      ports.log.error(`Cannot handle a webhook on ${route.path}.`, { cause });
      return { status: statusIn(cause), headers: { "retry-after": "5" }, body: { error: "It was not accepted." } };
    }
  };

  const listen = async (host: string, port: number): Promise<Place> => {
    const { createServer } = await import("node:http");
    const routes: Place["routes"] = new Map();
    const server = createServer(LIMITS, (incoming, outgoing) => {
      open++;
      respond(routes, incoming)
        .catch((cause: unknown) => {
          ports.log.warning("Cannot read a webhook.", { cause });
          return { status: 400 };
        })
        .then((reply) => answer(outgoing, reply))
        .finally(() => open--)
        .catch((cause: unknown) => ports.log.debug("A webhook's client left before the answer.", { cause }));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, host, port)));
      server.listen(port, host, resolve);
    });
    const { port: actual } = server.address() as AddressInfo;
    return { server, routes, url: `http://${shown(host)}:${actual}` };
  };

  const close = async (key: string, { server }: Place): Promise<void> => {
    places.delete(key);
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    server.closeIdleConnections();
    const forced = setTimeout(() => server.closeAllConnections(), 2_000);
    await closed.finally(() => clearTimeout(forced));
  };

  return {
    async route(route): Promise<ServedRoute> {
      const host = route.host ?? ports.host;
      const port = route.port ?? ports.port;
      const key = `${host}:${port}`;
      const opening = places.get(key) ?? listen(host, port);
      places.set(key, opening);
      opening.catch(() => places.delete(key));
      const place = await opening;
      if (place.routes.has(route.path))
        throw new UserError(`The webhook path ${route.path} has a route already.`, {
          hint: "Two platforms use the same path on the same port. Change the path or the port of one of them.",
        });
      place.routes.set(route.path, route);
      return {
        url: `${place.url}${route.path}`,
        async [Symbol.asyncDispose]() {
          if (place.routes.get(route.path) !== route) return;
          place.routes.delete(route.path);
          if (place.routes.size === 0) await close(key, place);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const [key, opening] of places) {
        const place = await opening.catch(() => undefined);
        if (place !== undefined) await close(key, place);
      }
    },
  };
}

const NOTHING = new Uint8Array();
const UNSIGNED: WebhookReply = { status: 401, body: { error: "The signature is missing or wrong." } };
const BUSY: WebhookReply = { status: 503, headers: { "retry-after": "2" }, body: { error: "Too many requests." } };

function routeFor(routes: Place["routes"], path: string): WebhookRoute | undefined {
  const exact = routes.get(path);
  if (exact !== undefined) return exact;
  const prefixes = [...routes.values()].filter(
    (route) => route.path.endsWith("*") && path.startsWith(route.path.slice(0, -1)),
  );
  return prefixes.toSorted((a, b) => b.path.length - a.path.length)[0];
}

async function verified(route: WebhookRoute, request: WebhookRequest, log: Logger): Promise<boolean> {
  try {
    if (await route.verify(request)) return true;
    log.warning(`Refused a webhook on ${route.path}: its signature is missing or wrong.`, { remote: request.remote });
  } catch (cause) {
    log.warning(`Refused a webhook on ${route.path}: its signature cannot be checked.`, { cause });
  }
  return false;
}

/** `undefined`: it is too long. */
async function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requestOf(incoming: IncomingMessage, path: string, body: Uint8Array): WebhookRequest {
  const target = incoming.url ?? "/";
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  return {
    method: incoming.method ?? "",
    path,
    target,
    query: new URLSearchParams(target.includes("?") ? target.slice(target.indexOf("?") + 1) : ""),
    headers: Object.fromEntries(headers) as WebhookRequest["headers"],
    body,
    remote: incoming.socket.remoteAddress ?? "",
  };
}

async function answer(outgoing: ServerResponse, { status = 200, headers = {}, body }: WebhookReply): Promise<void> {
  const json = isObject(body);
  const content = body === undefined ? "" : json ? JSON.stringify(body as Json) : String(body);
  outgoing.writeHead(status, {
    ...(content === "" ? {} : { "content-type": json ? "application/json" : "text/plain; charset=utf-8" }),
    ...headers,
  });
  await new Promise<void>((resolve) => void outgoing.end(content, () => resolve()));
}

/** A platform that is too busy says so with a status. */
function statusIn(cause: unknown): number {
  const { status } = cause as { readonly status?: unknown };
  return status === 429 || status === 503 ? status : 500;
}

function shown(host: string): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return reachable.includes(":") ? `[${reachable}]` : reachable;
}

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): UserError {
  const why =
    cause.code === "EADDRINUSE"
      ? `another program uses port ${port} of ${host}`
      : cause.code === "EACCES"
        ? `this user may not listen on port ${port}`
        : cause.message;
  return new UserError(`Cannot receive webhooks: ${why}.`, {
    hint: "Set gateway.webhooks.port, or the port of the platform, to a free port of 1024 or above.",
    cause,
  });
}
