import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveSockets, type ServedSocket } from "./socket-server.ts";

interface Entity {
  readonly entity_id: string;
  state: string;
  readonly attributes: { readonly [name: string]: unknown };
}

/** A notification that Home Assistant shows or passes on. */
export interface Notice {
  /** `persistent_notification`, or `notify.NAME`. */
  readonly to: string;
  readonly message: string;
  readonly title?: string;
  readonly notification_id?: string;
}

export const HASS_TOKEN = "token-of-the-house-1234";

/** Breaks one answer. */
export type HouseMisdeed = "drop" | "half" | "error";

interface Event {
  readonly event_type: string;
  readonly data: { readonly [name: string]: unknown };
  readonly user?: string | null;
}

/**
 * Home Assistant's REST and WebSocket API over a small house. Misbehaves on demand.
 * @param options.notify Names of services of `notify`, such as `mobile_app_phone`.
 * @param options.entities Ids of more entities.
 * @param options.admin Whether the token belongs to an administrator. Default true.
 */
export async function startHomeAssistant({
  notify = [],
  entities = [],
  admin = true,
}: { readonly notify?: readonly string[]; readonly entities?: readonly string[]; readonly admin?: boolean } = {}) {
  let token = HASS_TOKEN;
  const house: Entity[] = [
    { entity_id: "light.kitchen", state: "off", attributes: { friendly_name: "Kitchen light", brightness: 0 } },
    { entity_id: "sensor.cellar", state: "12.5", attributes: { friendly_name: "Cellar temperature", area: "Kitchen" } },
    { entity_id: "lock.front_door", state: "locked", attributes: { friendly_name: "Front door" } },
    ...entities.map((entity_id) => ({ entity_id, state: "unknown", attributes: {} })),
  ];
  const received: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
  const http = createServer(async (request, reply) => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const path = request.url ?? "/";
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${token}`)
      return void reply.writeHead(401, { "content-type": "text/plain" }).end("401: Unauthorized");
    received.push({
      method: request.method ?? "",
      path,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    });
    const [, api, kind, ...rest] = path.split("/");
    if (api !== "api") return json(404, {});
    if (kind === "config") return json(200, { location_name: "Tea house", version: "2026.11.1", state: "RUNNING" });
    if (kind === "states" && rest.length === 0) return json(200, house);
    if (kind === "states") {
      const found = house.find(({ entity_id }) => entity_id === rest[0]);
      return found === undefined
        ? json(404, { message: "Entity not found." })
        : json(200, {
            ...found,
            last_changed: "2026-11-23T00:00:00+00:00",
            last_updated: "2026-11-23T00:00:01+00:00",
            context: { id: "x" },
          });
    }
    if (kind === "services" && request.method === "GET")
      return json(200, [
        {
          domain: "light",
          services: {
            turn_on: {
              name: "Turn on",
              description: "Turns it on.",
              fields: { brightness: { description: "How bright.", selector: {} } },
            },
          },
        },
        { domain: "shell_command", services: { reboot: {} } },
        ...(notify.length === 0
          ? []
          : [{ domain: "notify", services: Object.fromEntries(notify.map((name) => [name, { fields: {} }])) }]),
      ]);
    const [domain, service] = rest;
    if (domain === "persistent_notification" || domain === "notify")
      return tell(reply, domain, service ?? "", JSON.parse(text) as { readonly [name: string]: unknown });
    if (service === "explode") return json(400, { message: "Service light.explode not found" });
    const ids = [
      (JSON.parse(text || "{}") as { readonly entity_id?: string | readonly string[] }).entity_id ?? [],
    ].flat();
    const touched = house.filter(({ entity_id }) => ids.includes(entity_id));
    for (const one of touched)
      one.state = service === "unlock" ? "unlocked" : service === "turn_on" ? "on" : `${domain}.${service}`;
    json(200, touched);
  });
  const sockets = new Map<ServedSocket, Map<string, number>>();
  const misdeeds: HouseMisdeed[] = [];
  let notices: ((notice: Notice) => void) | undefined;
  const kept: Notice[] = [];
  let events = 0;
  let visits = 0;

  /** Checks the fields of a notification as strictly as the service's schema. */
  function tell(
    reply: ServerResponse,
    domain: string,
    service: string,
    data: { readonly [name: string]: unknown },
  ): void {
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const misdeed = misdeeds.shift();
    if (misdeed === "drop") return void reply.destroy();
    if (misdeed === "half") {
      reply.writeHead(200, { "content-type": "application/json", "content-length": "50" }).write("[");
      return void setTimeout(() => reply.destroy(), 20);
    }
    if (misdeed === "error") return json(500, { message: "Server got itself in trouble" });
    const exists = domain === "notify" ? service === "send_message" || notify.includes(service) : service === "create";
    if (!exists) return json(400, { message: `Service ${domain}.${service} not found.` });
    const known = new Set(
      domain === "notify"
        ? ["message", "title", ...(service === "send_message" ? ["entity_id"] : ["data", "target"])]
        : ["message", "title", "notification_id"],
    );
    const wrong = Object.entries(data).find(([name, value]) => !known.has(name) || typeof value !== "string");
    if (wrong !== undefined || typeof data["message"] !== "string" || data["message"] === "")
      return json(400, { message: `extra keys not allowed or wrong @ data['${wrong?.[0] ?? "message"}']` });
    const notice = {
      to: service === "send_message" ? data["entity_id"] : domain === "notify" ? `notify.${service}` : domain,
      ...data,
    } as Notice;
    if (notices === undefined) kept.push(notice);
    else notices(notice);
    notices = undefined;
    json(200, []);
  }

  serveSockets(http, "/api/websocket", {
    opened(socket) {
      visits++;
      socket.send({ type: "auth_required", ha_version: "2026.11.1" });
    },
    closed: (socket) => void sockets.delete(socket),
    message(message, socket) {
      const subscribed = sockets.get(socket);
      if (subscribed === undefined) {
        const right = message["type"] === "auth" && message["access_token"] === token;
        socket.send(
          right
            ? { type: "auth_ok", ha_version: "2026.11.1" }
            : { type: "auth_invalid", message: "Invalid access token or password" },
        );
        if (right) sockets.set(socket, new Map());
        else socket.close(1000);
        return;
      }
      const { id, type, event_type } = message;
      const refuse = (code: string, words: string): void =>
        socket.send({ id, type: "result", success: false, error: { code, message: words } });
      if (typeof id !== "number") return refuse("invalid_format", "Message incorrectly formatted.");
      if (id <= Math.max(0, ...subscribed.values())) return refuse("id_reuse", "Identifier values have to increase.");
      if (type === "ping") return socket.send({ id, type: "pong" });
      if (type !== "subscribe_events" || typeof event_type !== "string")
        return refuse("unknown_command", "Unknown command.");
      // Only an administrator may subscribe to events that Home Assistant does not list as harmless.
      if (!admin && event_type !== "state_changed") return refuse("unauthorized", "Unauthorized");
      subscribed.set(event_type, id);
      socket.send({ id, type: "result", success: true, result: null });
    },
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  let last: (() => void) | undefined;
  const fire = ({ event_type, data, user = null }: Event): void => {
    const at = events++;
    const event = {
      event_type,
      data,
      origin: "LOCAL",
      time_fired: new Date(1_790_000_000_000 + at).toISOString(),
      context: { id: `01HOUSE${String(at).padStart(6, "0")}`, parent_id: null, user_id: user },
    };
    last = () => {
      for (const [socket, subscribed] of sockets) {
        const id = subscribed.get(event_type);
        if (id !== undefined) socket.send({ id, type: "event", event });
      }
    };
    last();
  };
  return {
    fire,
    /** Sends the last event again. */
    repeat: () => last?.(),
    /** An entity changes from one state to another; `undefined`: it did not exist. */
    change(
      entity_id: string,
      from: string | undefined,
      to: string | undefined,
      attributes: { readonly [name: string]: unknown } = {},
    ) {
      const state = (value: string | undefined) =>
        value === undefined ? null : { entity_id, state: value, attributes };
      fire({ event_type: "state_changed", data: { entity_id, old_state: state(from), new_state: state(to) } });
    },
    /** The next notification. */
    notified: (): Promise<Notice> =>
      kept.length > 0 ? Promise.resolve(kept.shift()!) : new Promise((resolve) => (notices = resolve)),
    misbehave: (how: HouseMisdeed) => void misdeeds.push(how),
    /** Event types that clients are subscribed to now. */
    subscriptions: (): readonly string[] => [...sockets.values()].flatMap((one) => [...one.keys()]).toSorted(),
    connections: () => sockets.size,
    /** Connections so far. */
    visits: () => visits,
    /** The user deletes the token. */
    revoke: () => void (token = "another-token"),
    /** Breaks every connection. */
    cut() {
      for (const socket of sockets.keys()) socket.destroy();
      sockets.clear();
    },
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    received: received as readonly (typeof received)[number][],
    stateOf: (id: string) => house.find(({ entity_id }) => entity_id === id)?.state,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.keys()) socket.destroy();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
