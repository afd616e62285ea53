import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveSockets, type ServedSocket } from "../../../test/servers/socket-server.ts";

export const TOKEN = "bot-token-of.the-test";
export const BOT = { id: "900", username: "hermes", bot: true };
/** Channels by id: a direct chat, two channels of a server, and a thread of the second. */
const CHANNELS: { readonly [id: string]: object } = {
  "41": { id: "41", type: 1 },
  "51": { id: "51", type: 0, name: "free" },
  "52": { id: "52", type: 0, name: "team" },
  "17": { id: "17", type: 11, name: "a thread", parent_id: "52" },
};

type Row = { readonly [name: string]: unknown };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Row;
  readonly files: readonly { readonly name: string; readonly bytes: string }[];
}

/** Discord's gateway and REST API for one bot. Checks what it receives, and misbehaves on demand. */
export async function startDiscordServer() {
  const calls: Call[] = [];
  const waiting: { readonly test: (call: Call) => boolean; readonly resolve: (call: Call) => void }[] = [];
  const misdeeds: ((reply: ServerResponse) => void)[] = [];
  const sockets = new Set<ServedSocket>();
  const events: { readonly t: string; readonly s: number; readonly d: Row }[] = [];
  const sessions: { identified: number; resumed: number } = { identified: 0, resumed: 0 };
  const mine = new Set<string>();
  const files = new Map<string, string>();
  let ids = 1_000;
  let heartbeats = 0;
  let silent = false;
  let valid = false;

  const http = createServer(async (request, reply) => {
    const json = (status: number, value?: unknown): void =>
      void reply
        .writeHead(status, { "content-type": "application/json" })
        .end(value === undefined ? "" : JSON.stringify(value));
    const path = decodeURIComponent((request.url ?? "/").split("?")[0]!);
    const bytes = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    if (path.startsWith("/files/")) {
      if (request.headers.authorization !== undefined) return json(400, { message: "a token for another server" });
      return void reply.end(files.get(path) ?? "");
    }
    if (request.headers.authorization !== `Bot ${TOKEN}`) return json(401, { message: "401: Unauthorized", code: 0 });
    const call = { method: request.method ?? "", path, ...contentOf(request, bytes) };
    const sends = call.method === "POST" && /^\/channels\/\w+\/messages$/.test(path);
    const edits = call.method === "PATCH";
    if (sends || edits) {
      const misdeed = misdeeds.shift();
      if (misdeed !== undefined) return misdeed(reply);
    }
    const [, kind, id = "", part, inner = ""] = path.split("/");
    if (kind === "channels" && CHANNELS[id] === undefined)
      return json(404, { message: "Unknown Channel", code: 10003 });
    if (edits && !mine.has(inner)) return json(404, { message: "Unknown Message", code: 10008 });
    const wrong = sends ? faultOf(call) : undefined;
    if (wrong !== undefined) return json(400, { message: `Invalid Form Body: ${wrong}`, code: 50035 });
    calls.push(call);
    const at = waiting.findIndex(({ test }) => test(call));
    if (at >= 0) {
      calls.pop();
      waiting.splice(at, 1)[0]!.resolve(call);
    }
    if (path === "/users/@me") return json(200, BOT);
    if (path === "/gateway/bot") return json(200, { url: gatewayUrl(), shards: 1, session_start_limit: {} });
    if (path === "/users/@me/guilds") return json(200, [{ id: "60", name: "Tea house" }]);
    if (path === "/guilds/60/channels")
      return json(
        200,
        Object.values(CHANNELS).filter((one) => (one as Row)["type"] === 0),
      );
    if (kind === "applications") return json(200, call.body);
    if (kind === "channels" && part === undefined) return json(200, CHANNELS[id]);
    if (!sends && !edits) return json(204);
    const message = { id: edits ? inner : String(++ids), channel_id: id, author: BOT, content: call.body["content"] };
    mine.add(message.id);
    if (sends) dispatch("MESSAGE_CREATE", { ...message, guild_id: id === "41" ? undefined : "60", type: 0 });
    json(200, message);
  });
  const gatewayUrl = (): string => `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;

  serveSockets(http, "/", {
    opened: (socket) => socket.send({ op: 10, d: { heartbeat_interval: 50 } }),
    closed: (socket) => void sockets.delete(socket),
    // A client that closes with these codes leaves its session.
    closing: (code) => void (valid &&= code !== 1000 && code !== 1001),
    message({ op, d }, socket) {
      const data = (d ?? {}) as Row;
      if (op === 1) {
        heartbeats++;
        return silent ? undefined : socket.send({ op: 11 });
      }
      if (sockets.has(socket)) return socket.close(4005, "Already authenticated.");
      if (data["token"] !== TOKEN) return socket.close(4004, "Authentication failed.");
      if (op === 2) {
        if (data["intents"] !== 37_377) return socket.close(4014, "Disallowed intents.");
        sessions.identified++;
        valid = true;
        sockets.add(socket);
        events.length = 0;
        events.push({ t: "READY", s: 1, d: { session_id: "s1", resume_gateway_url: gatewayUrl(), user: BOT } });
        return socket.send({ op: 0, ...events[0]! });
      }
      if (op !== 6) return socket.close(4001, "Unknown opcode.");
      if (!valid || data["session_id"] !== "s1" || typeof data["seq"] !== "number")
        return socket.send({ op: 9, d: false });
      sessions.resumed++;
      sockets.add(socket);
      for (const event of events.filter(({ s }) => s > (data["seq"] as number))) socket.send({ op: 0, ...event });
      const s = events.length + 1;
      events.push({ t: "RESUMED", s, d: {} });
      socket.send({ op: 0, t: "RESUMED", s, d: {} });
    },
  });

  function dispatch(t: string, d: Row): void {
    const event = { t, s: events.length + 1, d };
    events.push(event);
    for (const socket of sockets) socket.send({ op: 0, ...event });
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    sessions,
    heartbeats: () => heartbeats,
    connections: () => sockets.size,
    dispatch,
    newId: () => String(++ids),
    files,
    /** The next request that passes the test. */
    next: (test: (call: Call) => boolean): Promise<Call> => {
      const at = calls.findIndex(test);
      if (at >= 0) return Promise.resolve(calls.splice(at, 1)[0]!);
      return new Promise((resolve) => void waiting.push({ test, resolve }));
    },
    /** The last command menu. */
    commands: () =>
      calls.findLast(({ path }) => path.endsWith("/commands"))?.body as unknown as readonly { name: string }[],
    misbehave: (deed: (reply: ServerResponse) => void) => void misdeeds.push(deed),
    /** Asks the client to connect again. */
    askToReconnect: () => [...sockets].forEach((socket) => socket.send({ op: 7, d: null })),
    /** Stops answering heartbeats. */
    fallSilent: (value: boolean) => void (silent = value),
    close: (code: number) => [...sockets].forEach((socket) => socket.close(code)),
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function contentOf(request: IncomingMessage, bytes: Buffer): Pick<Call, "body" | "files"> {
  const type = request.headers["content-type"] ?? "";
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  if (boundary === undefined)
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Row), files: [] };
  const parts = bytes.toString().split(`--${boundary}`).slice(1, -1);
  let body: Row = {};
  const files: { name: string; bytes: string }[] = [];
  for (const part of parts) {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const content = rest.join("\r\n\r\n").replace(/\r\n$/, "");
    const name = /filename="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) body = JSON.parse(content) as Row;
    else files.push({ name, bytes: content });
  }
  return { body, files };
}

/** What Discord would refuse about a message. */
function faultOf({ body, files }: Call): string | undefined {
  const known = ["content", "allowed_mentions", "message_reference", "components", "attachments"];
  const strange = Object.keys(body).find((key) => !known.includes(key));
  if (strange !== undefined) return strange;
  const content = String(body["content"] ?? "");
  if (content === "" && files.length === 0) return "Cannot send an empty message";
  if (content.length > 2_000) return "content must be 2000 or fewer in length";
  const rows = (body["components"] ?? []) as readonly { readonly components: readonly Row[] }[];
  const buttons = rows.flatMap((row) => row.components);
  if (rows.some((row) => row.components.length > 5) || rows.length > 5) return "components";
  if (buttons.some(({ custom_id, label }) => String(custom_id).length > 100 || String(label).length > 80))
    return "components: too long";
  return undefined;
}
