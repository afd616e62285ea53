import { platformContract, type PlayedPlatform } from "hermes-agent/testing";
import type { JsonObject, PlatformConfig, WorkState } from "hermes-agent/plugin";
import { discordBench } from "./test/discord-bench.ts";
import { BOT, startDiscordServer, type Call } from "./test/discord-server.ts";

/** The suite calls users by name; Discord counts them. */
const USERS = new Map([
  ["ada", "701"],
  ["bob", "702"],
]);
const SIGNS: { readonly [emoji: string]: WorkState } = { "👀": "working", "✅": "done", "❌": "failed" };

platformContract("discord", play, { folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const server = await startDiscordServer();
  const bench = discordBench(server.url);
  const wrong = discordBench(server.url, { env: { DISCORD_BOT_TOKEN: "a-wrong-token" } });
  const named = (config: PlatformConfig): PlatformConfig => ({
    ...config,
    message: (event) => config.message({ ...event, user_id: [...USERS].find(([, id]) => id === event.user_id)?.[0] }),
  });
  const sent = async (): Promise<Call> =>
    server.next(({ method, path, files }) => method === "POST" && path.endsWith("/messages") && files.length === 0);
  let last: JsonObject = {};
  let shown: Call | undefined;
  const guildOf = (channel: string): string | undefined => (channel === "41" ? undefined : "60");
  const authorOf = (user: string, bot?: boolean): JsonObject => ({ id: USERS.get(user)!, username: user, bot });
  return {
    platform: { ...bench.platform, adapter_factory: (config) => bench.platform.adapter_factory(named(config)) },
    home: bench.home,
    chat: "51",
    otherChat: "41",
    group: "52",
    async write(chat, user, text, more = {}) {
      const mention = chat === "52" && (more.mention ?? true);
      const answered = more.quoting ?? (more.answering === undefined ? undefined : "mine");
      if (more.file !== undefined) server.files.set("/files/f1", more.file.bytes);
      last = {
        id: server.newId(),
        channel_id: more.thread ?? chat,
        guild_id: guildOf(chat),
        type: answered === undefined ? 0 : 19,
        flags: more.file?.kind === "voice" ? 1 << 13 : 0,
        author: authorOf(user, more.bot),
        content: mention ? `<@${BOT.id}> ${text}` : text,
        edited_timestamp: null,
        mentions: mention ? [BOT] : [],
        attachments:
          more.file === undefined
            ? []
            : [
                {
                  id: "f1",
                  filename: more.file.name,
                  size: more.file.size ?? more.file.bytes.length,
                  url: `${server.url}/files/f1`,
                },
              ],
        referenced_message:
          answered === undefined
            ? null
            : {
                id: more.answering ?? "3",
                channel_id: chat,
                content: answered,
                author: more.answering === undefined ? authorOf("bob") : BOT,
              },
      };
      server.dispatch("MESSAGE_CREATE", last);
    },
    async arrived() {
      shown = await sent();
      const { path, body } = shown;
      const channel = path.split("/")[2]!;
      const answered = body["message_reference"] as { readonly message_id: string } | undefined;
      return {
        chat_id: channel === "17" ? "52" : channel,
        text: String(body["content"]),
        thread: channel === "17" ? channel : undefined,
        reply_to: answered?.message_id,
        buttons: buttonsOf(shown).map(({ label }) => label),
      };
    },
    async changed() {
      const { path, body } = await server.next(({ method }) => method === "PATCH");
      return { message_id: path.split("/")[4]!, text: String(body["content"]) };
    },
    async received() {
      const { body, files } = await server.next((call) => call.files.length > 0);
      return { name: files[0]!.name, bytes: files[0]!.bytes, caption: String(body["content"] ?? "") };
    },
    async edit(chat, user, id, text) {
      server.dispatch("MESSAGE_UPDATE", {
        ...last,
        id,
        content: text,
        author: authorOf(user),
        edited_timestamp: "2026-11-29T05:00:00Z",
      });
    },
    async remove(chat, _user, id) {
      server.dispatch("MESSAGE_DELETE", { id, channel_id: chat, guild_id: guildOf(chat) });
    },
    async acknowledged() {
      const { path } = await server.next(({ method, path: at }) => method === "PUT" && at.includes("/reactions/"));
      const [, , , , message_id = "", , emoji = ""] = path.split("/");
      return { message_id, state: SIGNS[emoji] ?? "cancelled" };
    },
    async typing() {
      const { path } = await server.next(({ path: at }) => at.endsWith("/typing"));
      return { chat_id: path.split("/")[2]! };
    },
    async press(chat, user, label) {
      server.dispatch("INTERACTION_CREATE", {
        id: server.newId(),
        token: "t1",
        type: 3,
        channel_id: chat,
        guild_id: guildOf(chat),
        member: { user: authorOf(user) },
        data: { custom_id: buttonsOf(shown!).find((one) => one.label === label)!.custom_id },
      });
    },
    menu: () => server.commands().map(({ name }) => name),
    async deleted() {
      const { path } = await server.next(({ method, path: at }) => method === "DELETE" && !at.includes("/reactions/"));
      return { message_id: path.split("/")[4]! };
    },
    async redeliver() {
      server.dispatch("MESSAGE_CREATE", last);
    },
    throttle(seconds) {
      server.misbehave((reply) => {
        reply.writeHead(429, { "content-type": "application/json", "retry-after": String(seconds) });
        reply.end(JSON.stringify({ message: "You are being rate limited.", retry_after: seconds, global: false }));
      });
    },
    breakSend(how) {
      server.misbehave((reply) => {
        if (how === "error") return void reply.writeHead(500).end();
        if (how === "half") reply.writeHead(200, { "content-length": "50" }).write("{");
        setTimeout(() => reply.destroy(), 20);
      });
    },
    async cut() {
      server.cut();
    },
    rejected: { platform: wrong.platform, secret: "a-wrong-token" },
    refusing: "404",
    async [Symbol.asyncDispose]() {
      bench[Symbol.dispose]();
      wrong[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function buttonsOf({ body }: Call): readonly { readonly label: string; readonly custom_id: string }[] {
  const rows = (body["components"] ?? []) as readonly {
    readonly components: readonly { readonly label: string; readonly custom_id: string }[];
  }[];
  return rows.flatMap(({ components }) => components);
}
