import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveSockets, type ServedSocket } from "../../../test/servers/socket-server.ts";
import {
  BOT,
  check,
  contentOf,
  Fault,
  paramsOf,
  TEAMS,
  tokenOf,
  USERS,
  type Call,
  type Row,
  type Team,
} from "./slack-rules.ts";

export { APP_TOKEN, BOT, BOT_TOKEN, OTHER_TOKEN, USERS, type Call } from "./slack-rules.ts";

interface Envelope {
  readonly envelope_id: string;
  readonly type: string;
  readonly payload: Row;
  readonly accepts_response_payload: boolean;
}

/** Slack's Web API and Socket Mode for one app. Checks what it receives, and misbehaves on demand. */
export async function startSlackServer() {
  const calls: Call[] = [];
  const waiting: { readonly test: (call: Call) => boolean; readonly resolve: (call: Call) => void }[] = [];
  const misdeeds: ((reply: ServerResponse) => void)[] = [];
  const sockets = new Set<ServedSocket>();
  const tickets = new Set<string>();
  /** Not confirmed; a new connection gets them again. */
  const pending = new Map<string, Envelope>();
  const confirmed: Row[] = [];
  const posted = new Map<string, { readonly channel: string; readonly text: string; readonly thread: string }>();
  const threads = new Map<string, readonly Row[]>();
  const reactions = new Set<string>();
  const files = new Map<string, string>();
  const uploads = new Map<string, { readonly name: string; readonly length: number; bytes: string }>();
  let ids = 1_000;
  let connections = 0;
  const newTs = (): string => `1700000000.${String(++ids).padStart(6, "0")}`;

  const http = createServer(async (request, reply) => {
    const json = (value: Row, status = 200): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const path = (request.url ?? "/").split("?")[0]!;
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const token = tokenOf(request, body);
    if (path.startsWith("/upload/")) {
      const upload = uploads.get(path.slice(8));
      // The address is the permission; Slack's own client sends the token as well, and the file in a form.
      const wrong = request.headers.authorization !== undefined && TEAMS[token] === undefined;
      const content = await contentOf(request, body);
      if (upload === undefined || wrong || upload.length !== content.length)
        return void reply.writeHead(400).end("invalid upload");
      upload.bytes = content.toString();
      return void reply.end(`OK - ${body.length}`);
    }
    if (path.startsWith("/files/"))
      return TEAMS[token] === undefined
        ? void reply.writeHead(302, { location: "/signin" }).end()
        : void reply.end(files.get(path) ?? "");
    const method = path.replace(/^\/api\//, "");
    if (method === "chat.postMessage" || method === "chat.update") {
      const misdeed = misdeeds.shift();
      if (misdeed !== undefined) return misdeed(reply);
    }
    try {
      const call = { team: TEAMS[token]?.id ?? "", method, params: paramsOf(request, body) };
      check(call, token);
      const answer = act(call, TEAMS[token]!);
      const at = waiting.findIndex(({ test }) => test(call));
      if (at >= 0) waiting.splice(at, 1)[0]!.resolve(call);
      else calls.push(call);
      json({ ok: true, ...answer });
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      json({ ok: false, error: cause.message });
    }
  });
  const base = (): string => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  function act({ method, params }: Call, team: Team): Row {
    const { channel = "", ts = "", text = "", thread_ts = "" } = params;
    const channels = team?.channels ?? {};
    if (params["channel"] !== undefined && channels[channel] === undefined) throw new Fault("channel_not_found");
    switch (method) {
      case "auth.test":
        return { team: team.name, team_id: team.id, user: "hermes", user_id: BOT, bot_id: "B0BOT" };
      case "apps.connections.open": {
        const ticket = `t${++ids}`;
        tickets.add(ticket);
        return { url: `${base().replace("http", "ws")}/link/?ticket=${ticket}` };
      }
      case "users.info": {
        const name = USERS[params["user"]!];
        if (name === undefined || team.id !== "T1") throw new Fault("user_not_found");
        return { user: { id: params["user"], name, profile: { display_name: "" } } };
      }
      case "users.conversations": {
        // One a page.
        const rows = Object.entries(channels).map(([id, row]) => ({ id, ...row }));
        const page = Number(params["cursor"] || 0);
        const next = page + 1 < rows.length ? String(page + 1) : "";
        return { channels: rows.slice(page, page + 1), response_metadata: { next_cursor: next } };
      }
      case "conversations.info":
        return { channel: { id: channel, ...channels[channel] } };
      case "conversations.open":
        if (params["users"] !== "U702") throw new Fault("user_not_found");
        return { channel: { id: "D41" } };
      case "conversations.replies": {
        const messages = threads.get(ts);
        if (messages === undefined) throw new Fault("thread_not_found");
        return { messages, has_more: false };
      }
      case "chat.postMessage": {
        const sent = newTs();
        posted.set(sent, { channel, text, thread: thread_ts });
        const more = { channel, channel_type: typeOf(channel), thread_ts: thread_ts === "" ? undefined : thread_ts };
        dispatch({ type: "message", ts: sent, user: BOT, bot_id: "B0BOT", text, ...more }, team.id);
        return { channel, ts: sent, message: { text } };
      }
      case "chat.update":
      case "chat.delete":
        if (posted.get(ts)?.channel !== channel) throw new Fault("message_not_found");
        return { channel, ts };
      case "reactions.add":
      case "reactions.remove": {
        const key = `${params["timestamp"]} ${params["name"]}`;
        if (method === "reactions.add" && reactions.has(key)) throw new Fault("already_reacted");
        if (method === "reactions.remove" && !reactions.delete(key)) throw new Fault("no_reaction");
        if (method === "reactions.add") reactions.add(key);
        return {};
      }
      case "files.getUploadURLExternal": {
        const id = `F${++ids}`;
        uploads.set(id, { name: params["filename"]!, length: Number(params["length"]), bytes: "" });
        return { upload_url: `${base()}/upload/${id}`, file_id: id };
      }
      case "files.completeUploadExternal": {
        const [{ id }] = JSON.parse(params["files"]!) as [{ readonly id: string }];
        if (uploads.get(id) === undefined) throw new Fault("file_not_found");
        if (channels[params["channel_id"] ?? ""] === undefined) throw new Fault("channel_not_found");
        return { files: [{ id }] };
      }
      case "files.info":
        return { file: { id: params["file"], url_private_download: `${base()}/files/f1`, mimetype: "text/plain" } };
    }
    throw new Fault("unknown_method");
  }

  serveSockets(http, "/link/", {
    opened(socket) {
      const ticket = new URL(socket.url, base()).searchParams.get("ticket") ?? "";
      // An address is for one connection.
      if (!tickets.delete(ticket)) return socket.close(1008, "invalid ticket");
      connections++;
      sockets.add(socket);
      socket.send({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } });
      for (const envelope of pending.values()) socket.send({ ...envelope, retry_attempt: 1, retry_reason: "timeout" });
    },
    closed: (socket) => void sockets.delete(socket),
    message({ envelope_id, payload, ...rest }, socket) {
      const envelope = pending.get(String(envelope_id));
      if (envelope === undefined || Object.keys(rest).length > 0) return socket.close(1008, "unknown envelope");
      const answers = payload !== undefined && Object.keys(payload as Row).length > 0;
      if (answers && !envelope.accepts_response_payload) return socket.close(1008, "no payload");
      pending.delete(String(envelope_id));
      confirmed.push({ envelope_id, payload });
    },
  });

  function envelope(type: string, payload: Row, accepts_response_payload: boolean): string {
    const one = { envelope_id: `e${++ids}`, type, payload, accepts_response_payload };
    pending.set(one.envelope_id, one);
    for (const socket of sockets) socket.send(one);
    return one.envelope_id;
  }

  function dispatch(event: Row, team = "T1"): string {
    const authorizations = [{ team_id: team, user_id: BOT, is_bot: true }];
    return envelope("events_api", { team_id: team, type: "event_callback", authorizations, event }, false);
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    /** Base of the Web API. */
    url: `${base()}/api`,
    origin: base(),
    newTs,
    files,
    /** Messages of threads that were written before. */
    threads,
    uploads,
    posted,
    /** An event of Slack. @returns the envelope's id. */
    dispatch,
    interact: (payload: Row) => envelope("interactive", payload, true),
    command: (payload: Row) => envelope("slash_commands", payload, true),
    confirmed: confirmed as readonly Row[],
    unconfirmed: () => pending.size,
    connections: () => connections,
    live: () => sockets.size,
    /** The next call that passes the test. */
    next: (test: (call: Call) => boolean): Promise<Call> => {
      const at = calls.findIndex(test);
      if (at >= 0) return Promise.resolve(calls.splice(at, 1)[0]!);
      return new Promise((resolve) => void waiting.push({ test, resolve }));
    },
    misbehave: (deed: (reply: ServerResponse) => void) => void misdeeds.push(deed),
    /** Asks for another connection: `warning`, `refresh_requested` or `link_disabled`. */
    disconnect: (reason: string) => [...sockets].forEach((socket) => socket.send({ type: "disconnect", reason })),
    cut: close,
    async [Symbol.asyncDispose]() {
      close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

export function typeOf(channel: string): "im" | "channel" {
  return channel.startsWith("D") ? "im" : "channel";
}

/** Slack's escapes. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
