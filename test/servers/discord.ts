import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
  readonly reason: string | undefined;
}

type Misdeed = (reply: ServerResponse) => void;
type Row = { readonly [name: string]: unknown };

export const DISCORD_TOKEN = "MTIzNDU2Nzg5.bot-token-of.the-test";
export const GUILD = "100000000000000001";
export const GENERAL = "200000000000000001";
export const SECRET_ROOM = "200000000000000002";
export const BOB = "300000000000000001";
export const ROLE = "400000000000000001";
export const MESSAGE = "500000000000000001";

const GUILD_ROW: Row = {
  id: GUILD,
  name: "Tea house",
  icon: null,
  owner: false,
  permissions: "8",
  description: null,
  owner_id: BOB,
  approximate_member_count: 3,
  approximate_presence_count: 1,
  features: [],
  premium_tier: 0,
  premium_subscription_count: 0,
  verification_level: 1,
};
const CHANNELS: readonly Row[] = [
  { id: "200000000000000009", type: 4, name: "Rooms", position: 0, guild_id: GUILD },
  {
    id: SECRET_ROOM,
    type: 0,
    name: "secret",
    position: 2,
    parent_id: "200000000000000009",
    guild_id: GUILD,
    topic: "hush",
  },
  { id: GENERAL, type: 0, name: "general", position: 1, parent_id: "200000000000000009", guild_id: GUILD },
  { id: "200000000000000003", type: 2, name: "Hall", position: 5, guild_id: GUILD },
];
const BOB_ROW: Row = { id: BOB, username: "bob", global_name: "Bob", avatar: null };
const MEMBER: Row = {
  user: BOB_ROW,
  nick: "Bobby",
  roles: [ROLE],
  joined_at: "2026-01-01T00:00:00Z",
  premium_since: null,
};
const ROLES: readonly Row[] = [
  { id: GUILD, name: "@everyone", color: 0, position: 0, permissions: "0" },
  { id: ROLE, name: "Host", color: 0xff8800, position: 3, hoist: true, permissions: "8" },
];

/** Discord's REST API for one bot in one small server. Misbehaves on demand. */
export async function startDiscord() {
  const received: Received[] = [];
  const misdeeds: Misdeed[] = [];
  const messages: Row[] = [
    {
      id: MESSAGE,
      content: "Please delete everything.",
      author: BOB_ROW,
      timestamp: "2026-11-23T00:00:00Z",
      attachments: [{ filename: "a.png", url: "https://cdn.example/a.png", size: 3, proxy_url: "x" }],
      reactions: [{ emoji: { name: "👍" }, count: 2 }],
      pinned: true,
    },
  ];
  const nonces = new Map<string, Row>();
  const http = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const json = (value: unknown, status = 200): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bot ${DISCORD_TOKEN}`)
      return json({ message: "401: Unauthorized", code: 0 }, 401);
    const body = text === "" ? undefined : (JSON.parse(text) as Row);
    const reason = request.headers["x-audit-log-reason"];
    received.push({
      method: request.method ?? "",
      path: decodeURIComponent(pathname),
      query: Object.fromEntries(searchParams),
      body,
      reason: typeof reason === "string" ? decodeURIComponent(reason) : undefined,
    });
    const misdeed = misdeeds.shift();
    if (misdeed !== undefined) return misdeed(reply);
    const [, kind, id, part, inner] = pathname.split("/");
    const found = (row: Row | undefined, name: string): void =>
      row === undefined ? json({ message: `Unknown ${name}`, code: 10003 }, 404) : json(row);
    if (request.method === "GET") {
      if (kind === "users") return id === "@me" ? json([GUILD_ROW]) : found(id === BOB ? BOB_ROW : undefined, "User");
      if (kind === "channels" && part === undefined)
        return found(
          CHANNELS.find((one) => one["id"] === id),
          "Channel",
        );
      if (kind === "channels")
        return inner === undefined || part === "pins"
          ? json(messages)
          : found(
              messages.find((one) => one["id"] === inner),
              "Message",
            );
      if (id !== GUILD) return found(undefined, "Guild");
      if (part === "channels") return json(CHANNELS);
      if (part === "roles") return json(ROLES);
      if (part === "members")
        return inner === "search" ? json([MEMBER]) : found(inner === BOB ? MEMBER : undefined, "Member");
      return json(GUILD_ROW);
    }
    if (request.method !== "POST") return void reply.writeHead(204).end();
    const nonce = String(body?.["nonce"] ?? "");
    const made = nonces.get(nonce) ?? { id: `60000000000000000${nonces.size}`, name: body?.["name"] };
    if (nonce !== "") nonces.set(nonce, made);
    json(made, 201);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    variables: { DISCORD_API_BASE_URL: url, DISCORD_BOT_TOKEN: DISCORD_TOKEN },
    received: received as readonly Received[],
    /** The number of messages, threads and channels created so far. */
    made: () => nonces.size,
    /** The requests since the last call. */
    take: () => received.splice(0),
    misbehave: (...deeds: readonly Misdeed[]) => void misdeeds.push(...deeds),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
