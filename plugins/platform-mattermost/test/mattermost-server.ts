import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveSockets, type ServedSocket } from "../../../test/servers/socket-server.ts";

export const TOKEN = "bot-access-token-of-the-test";
export const BOT = { id: "botbot", username: "hermes" };
const USERS = [
  { id: "u-ada", username: "ada" },
  { id: "u-bob", username: "bob" },
];

interface ChannelRow {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly display_name: string;
}

/** A direct chat and two channels. */
const CHANNELS: readonly ChannelRow[] = [
  { id: "41", type: "D", name: "botbot__u-ada", display_name: "" },
  { id: "51", type: "O", name: "free", display_name: "Free" },
  { id: "52", type: "P", name: "team", display_name: "Team" },
];

type Row = { readonly [name: string]: unknown };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Row;
  readonly files: readonly { readonly name: string; readonly bytes: string }[];
}

interface PostRow extends Row {
  readonly id: string;
  readonly channel_id: string;
  readonly user_id: string;
  readonly message: string;
  readonly root_id: string;
  readonly create_at: number;
}

/** What a test gives of a post. */
export interface GivenPost extends Row {
  readonly channel_id: string;
  readonly user_id: string;
  readonly message: string;
}

/** Mattermost's REST API and WebSocket for one bot. Checks what it receives, and misbehaves on demand. */
export async function startMattermostServer() {
  const calls: Call[] = [];
  const waiting: { readonly test: (call: Call) => boolean; readonly resolve: (call: Call) => void }[] = [];
  const misdeeds: ((reply: ServerResponse) => void)[] = [];
  const posts = new Map<string, PostRow>();
  const uploads = new Map<string, { readonly name: string; readonly bytes: string }>();
  /** Of the current connection id. */
  let events: { readonly event: string; readonly seq: number; readonly data: Row }[] = [];
  const sockets = new Set<ServedSocket>();
  const sessions: { begun: number; resumed: number } = { begun: 0, resumed: 0 };
  let connection = "";
  let ids = 1_000;
  let at = Date.now();
  let tokenWorks = true;

  const http = createServer(async (request, reply) => {
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const refuse = (status: number, message: string): void =>
      json(status, { id: "api.error", message, status_code: status });
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const bytes = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    if (request.headers.authorization !== `Bearer ${TOKEN}` || !tokenWorks)
      return refuse(401, "Invalid or expired session, please login again.");
    if (!pathname.startsWith("/api/v4/")) return refuse(404, "Sorry, we could not find the page.");
    const path = pathname.slice("/api/v4".length);
    const call: Call = { method: request.method ?? "", path, ...contentOf(request, bytes) };
    const [, kind, id = "", part = "", inner = ""] = path.split("/");
    const sends = call.method === "POST" && path === "/posts";
    const edits = call.method === "PUT" && part === "patch";
    if (sends || edits) {
      const misdeed = misdeeds.shift();
      if (misdeed !== undefined) return misdeed(reply);
    }
    const wrong = sends ? faultOf(call.body, posts, uploads) : undefined;
    if (wrong !== undefined) return refuse(wrong.status, wrong.message);
    if (edits && posts.get(id)?.user_id !== BOT.id) return refuse(403, "You do not have the appropriate permissions.");
    const place = waiting.findIndex(({ test }) => test(call));
    if (place >= 0) waiting.splice(place, 1)[0]!.resolve(call);
    else calls.push(call);
    if (sends) {
      const post = written({ ...call.body, user_id: BOT.id } as unknown as GivenPost);
      return json(201, post);
    }
    if (edits) {
      const post = { ...posts.get(id)!, message: String(call.body["message"]), edit_at: ++at };
      posts.set(id, post);
      emit("post_edited", { post: JSON.stringify(post) });
      return json(200, post);
    }
    if (call.method === "DELETE") return json(200, { status: "OK" });
    if (path === "/users/me") return json(200, BOT);
    if (path === "/users/ids")
      return json(
        200,
        USERS.filter((user) => (call.body as unknown as string[]).includes(user.id)),
      );
    if (path === "/users/me/typing")
      return known(call.body["channel_id"]) ? json(200, { status: "OK" }) : refuse(403, "no");
    if (path === "/reactions") {
      const { user_id, post_id, emoji_name } = call.body;
      if (user_id !== BOT.id || !posts.has(String(post_id))) return refuse(403, "no permission to react");
      return /^[\w+-]+$/.test(String(emoji_name)) ? json(201, call.body) : refuse(400, "Invalid emoji name");
    }
    if (path === "/users/me/channels")
      return json(
        200,
        CHANNELS.map((channel) => ({ ...channel, last_post_at: lastPostAt(channel.id) })),
      );
    if (kind === "channels" && part === "") {
      const channel = CHANNELS.find((one) => one.id === id);
      return channel === undefined ? refuse(404, "Unable to find the channel.") : json(200, channel);
    }
    if (kind === "channels" && part === "posts") {
      const since = Number(searchParams.get("since"));
      return json(200, listOf([...posts.values()].filter((one) => one.channel_id === id && one.create_at > since)));
    }
    if (kind === "posts" && part === "thread") {
      const all = [...posts.values()].filter((one) => one.id === id || one.root_id === id);
      return all.length === 0 ? refuse(404, "Unable to get the post.") : json(200, listOf(all));
    }
    if (path === "/files") {
      if (!known(call.body["channel_id"])) return refuse(403, "no permission to upload");
      const made = call.files.map((file) => {
        const name = `f${++ids}`;
        uploads.set(name, file);
        return { id: name, name: file.name };
      });
      return made.length === 0 ? refuse(400, "no files") : json(201, { file_infos: made, client_ids: [] });
    }
    if (kind === "files" && inner === "") {
      const file = uploads.get(id);
      if (file === undefined) return refuse(404, "Unable to get the file info.");
      if (part === "info") return json(200, { id, name: file.name, size: Buffer.byteLength(file.bytes) });
      return void reply.end(file.bytes);
    }
    refuse(404, "Sorry, we could not find the page.");
  });

  serveSockets(http, "/api/v4/websocket", {
    closed: (socket) => void sockets.delete(socket),
    message({ seq, action, data }, socket) {
      if (action !== "authentication_challenge" || seq !== 1) return socket.close(1008, "not authenticated");
      if ((data as Row)["token"] !== TOKEN || !tokenWorks)
        return socket.send({ status: "FAIL", error: { message: "Invalid session" }, seq_reply: seq });
      socket.send({ status: "OK", seq_reply: seq });
      const { searchParams } = new URL(socket.url, "http://127.0.0.1");
      const next = Number(searchParams.get("sequence_number"));
      const resumes = connection !== "" && searchParams.get("connection_id") === connection && next <= events.length;
      sockets.add(socket);
      if (resumes) {
        sessions.resumed++;
        for (const event of events.filter((one) => one.seq >= next)) socket.send(event);
        return;
      }
      sessions.begun++;
      connection = `connection-${++ids}`;
      events = [];
      emit("hello", { connection_id: connection, server_version: "10.5.0" });
    },
  });

  function emit(event: string, data: Row): void {
    const message = { event, data, broadcast: {}, seq: events.length };
    events.push(message);
    for (const socket of sockets) socket.send(message);
  }

  function written(given: GivenPost): PostRow {
    at = Math.max(at + 1, Date.now());
    const post: PostRow = {
      type: "",
      root_id: "",
      edit_at: 0,
      delete_at: 0,
      file_ids: [],
      props: {},
      ...given,
      id: String(++ids),
      create_at: at,
    };
    posts.set(post.id, post);
    announce(post);
    return post;
  }

  function announce(post: PostRow): void {
    const channel = CHANNELS.find(({ id }) => id === post.channel_id)!;
    const sender = [BOT, ...USERS].find(({ id }) => id === post.user_id)?.username ?? "";
    emit("posted", { channel_type: channel.type, sender_name: `@${sender}`, post: JSON.stringify(post) });
  }

  const lastPostAt = (channel: string): number =>
    Math.max(0, ...[...posts.values()].filter((one) => one.channel_id === channel).map((one) => one.create_at));

  // The thread that the contract suite names.
  posts.set("17", { id: "17", channel_id: "52", user_id: "u-bob", message: "a thread", root_id: "", create_at: 1 });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    sessions,
    uploads,
    /** A user writes a post. */
    write: written,
    /** A post without an event, as one that was written before. */
    store(given: GivenPost): PostRow {
      const post = { root_id: "", ...given, id: String(++ids), create_at: 2 };
      posts.set(post.id, post);
      return post;
    },
    repeat: (id: string) => announce(posts.get(id)!),
    edit(id: string, message: string) {
      const post = { ...posts.get(id)!, message, edit_at: ++at };
      posts.set(id, post);
      emit("post_edited", { post: JSON.stringify(post) });
    },
    remove(id: string) {
      const post = { ...posts.get(id)!, delete_at: ++at };
      posts.delete(id);
      emit("post_deleted", { post: JSON.stringify(post) });
    },
    /** The next request that passes the test. */
    next(test: (call: Call) => boolean): Promise<Call> {
      const found = calls.findIndex(test);
      if (found >= 0) return Promise.resolve(calls.splice(found, 1)[0]!);
      return new Promise((resolve) => void waiting.push({ test, resolve }));
    },
    misbehave: (deed: (reply: ServerResponse) => void) => void misdeeds.push(deed),
    /** The server no longer knows the connection, as after its restart. */
    forget: () => void (connection = ""),
    /** Skips an event, as an overloaded server does. */
    skip: () => void events.push({ event: "status_change", data: {}, seq: events.length }),
    revoke: () => void (tokenWorks = false),
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

function known(channel: unknown): boolean {
  return CHANNELS.some(({ id }) => id === channel);
}

function listOf(posts: readonly PostRow[]): Row {
  const newestFirst = posts.toSorted((one, other) => other.create_at - one.create_at);
  return { order: newestFirst.map(({ id }) => id), posts: Object.fromEntries(posts.map((one) => [one.id, one])) };
}

function contentOf(request: IncomingMessage, bytes: Buffer): Pick<Call, "body" | "files"> {
  const boundary = /boundary=(\S+)/.exec(request.headers["content-type"] ?? "")?.[1];
  if (boundary === undefined)
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Row), files: [] };
  const body: { [name: string]: string } = {};
  const files: { name: string; bytes: string }[] = [];
  for (const part of bytes.toString().split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const content = rest.join("\r\n\r\n").replace(/\r\n$/, "");
    const name = /filename="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) body[/name="([^"]*)"/.exec(head)?.[1] ?? ""] = content;
    else if (/name="files"/.test(head)) files.push({ name, bytes: content });
  }
  return { body, files };
}

/** What Mattermost would refuse about a new post. */
function faultOf(
  body: Row,
  posts: ReadonlyMap<string, PostRow>,
  uploads: ReadonlyMap<string, unknown>,
): { readonly status: number; readonly message: string } | undefined {
  const { channel_id, message = "", root_id = "", file_ids = [] } = body;
  const odd = Object.keys(body).find((key) => !["channel_id", "message", "root_id", "file_ids"].includes(key));
  if (odd !== undefined) return { status: 400, message: `Invalid field ${odd}` };
  if (!known(channel_id)) return { status: 403, message: "You do not have the appropriate permissions." };
  if (typeof message !== "string" || [...message].length > 16_383) return { status: 400, message: "Invalid message." };
  const files = file_ids as readonly string[];
  if (message === "" && files.length === 0) return { status: 400, message: "A post needs a message or files." };
  if (files.some((id) => !uploads.has(id))) return { status: 400, message: "Invalid file id." };
  const root = posts.get(String(root_id));
  if (root_id !== "" && (root === undefined || root.channel_id !== channel_id || root.root_id !== ""))
    return { status: 400, message: "Invalid RootId parameter." };
  return undefined;
}
