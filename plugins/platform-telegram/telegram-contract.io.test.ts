import { platformContract, type PlayedPlatform } from "hermes-agent/testing";
import type { PlatformConfig, WorkState } from "hermes-agent/plugin";
import { BOT, startBotServer } from "./test/bot-server.ts";
import { telegramBench } from "./test/telegram-bench.ts";
import type { Message } from "./telegram-types.ts";

/** The suite calls users by name; Telegram counts them. */
const USERS = new Map([
  ["ada", 7],
  ["bob", 8],
]);
const SIGNS: { readonly [emoji: string]: WorkState } = { "👀": "working", "👍": "done", "👎": "failed" };

platformContract("telegram", play, { folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const server = await startBotServer();
  const bench = await telegramBench(server.url, {
    env: { TELEGRAM_REACTIONS: "true", TELEGRAM_REQUIRE_MENTION: "true" },
  });
  const wrong = await telegramBench(server.url, { env: { TELEGRAM_BOT_TOKEN: "1:a-wrong-token" } });
  const named = (config: PlatformConfig): PlatformConfig => ({
    ...config,
    message: (event) =>
      config.message({ ...event, user_id: [...USERS].find(([, id]) => String(id) === event.user_id)?.[0] }),
  });
  const next = server.reader();
  return {
    platform: { ...bench.platform, adapter_factory: (config) => bench.platform.adapter_factory(named(config)) },
    extra: bench.extra,
    home: bench.home,
    chat: "7",
    otherChat: "9",
    group: "-5",
    async write(chat, user, text, more = {}) {
      server.write(messageOf(chat, user, text, more));
      if (more.file !== undefined) server.files.set("files/f1", Buffer.from(more.file.bytes));
    },
    async arrived() {
      const { params } = await next(({ method }) => method === "sendMessage");
      const keyboard = (
        params["reply_markup"] as { readonly inline_keyboard?: readonly (readonly { readonly text: string }[])[] }
      )?.inline_keyboard;
      const { message_id: answered } = (params["reply_parameters"] ?? {}) as { readonly message_id?: number };
      return {
        chat_id: String(params["chat_id"]),
        text: wordsOf(String(params["text"])),
        thread: params["message_thread_id"] === undefined ? undefined : String(params["message_thread_id"]),
        reply_to: answered === undefined ? undefined : String(answered),
        buttons: keyboard?.flat().map(({ text }) => text),
      };
    },
    async changed() {
      const { params } = await next(({ method }) => method === "editMessageText");
      return { message_id: String(params["message_id"]), text: wordsOf(String(params["text"])) };
    },
    async received() {
      const { method, params } = await next(({ method: one }) => /^send(?:Document|Voice|Photo)$/.test(one));
      const field = method.slice("send".length).toLowerCase();
      const { name, bytes } = params[field] as { readonly name: string; readonly bytes: string };
      return {
        name,
        bytes: Buffer.from(bytes, "latin1").toString(),
        caption: wordsOf(String(params["caption"] ?? "")),
        kind: field === "voice" ? "voice" : field === "photo" ? "image" : "document",
      };
    },
    async edit(chat, user, message_id, text) {
      const message = { ...messageOf(chat, user, text, {}), message_id: Number(message_id), date: 1_700_000_000 };
      server.give({ update_id: server.nextUpdate(), edited_message: message as Message });
    },
    async acknowledged() {
      const { params } = await next(({ method }) => method === "setMessageReaction");
      const [{ emoji = "" } = {}] = params["reaction"] as readonly { readonly emoji?: string }[];
      return { message_id: String(params["message_id"]), state: SIGNS[emoji] ?? "cancelled" };
    },
    async typing() {
      const { params } = await next(({ method }) => method === "sendChatAction");
      return { chat_id: String(params["chat_id"]) };
    },
    async press(chat, user, label) {
      const keyboard = server.of("sendMessage").at(-1)?.params["reply_markup"] as {
        readonly inline_keyboard: readonly (readonly { readonly text: string; readonly callback_data: string }[])[];
      };
      const { callback_data = "" } = keyboard.inline_keyboard.flat().find(({ text }) => text === label) ?? {};
      server.press(USERS.get(user)!, chatOf(chat), callback_data);
    },
    menu: () =>
      ((server.of("setMyCommands").at(-1)?.params["commands"] ?? []) as readonly { readonly command: string }[]).map(
        ({ command }) => command,
      ),
    async deleted() {
      const { params } = await next(({ method }) => method === "deleteMessage");
      return { message_id: String(params["message_id"]) };
    },
    async redeliver() {
      const last = server.last();
      if (last !== undefined) server.give({ ...last, update_id: server.nextUpdate() });
    },
    throttle(seconds) {
      const busy = [
        429,
        { ok: false, description: "Too Many Requests", parameters: { retry_after: seconds } },
      ] as const;
      server.mishap("sendMessage", busy);
      server.mishap("editMessageText", busy);
    },
    breakSend(how) {
      server.mishap("sendMessage", how === "error" ? [500, {}] : how);
    },
    rejected: { platform: wrong.platform, extra: wrong.extra, secret: "a-wrong-token" },
    async forge() {
      const env = {
        TELEGRAM_WEBHOOK_URL: "https://bot.example.org/hook",
        TELEGRAM_WEBHOOK_SECRET: "sesame-1",
        TELEGRAM_WEBHOOK_PORT: "0",
      };
      await using pushed = await telegramBench(server.url, { env });
      await pushed.adapter.connect({ is_reconnect: false });
      const headers = { "x-telegram-bot-api-secret-token": "sesame-2" };
      return (await fetch(pushed.served()[0]!, { method: "POST", body: "{}", headers })).status;
    },
    refusing: "404",
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await wrong[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function chatOf(chat: string): Message["chat"] {
  return chat.startsWith("-")
    ? { id: Number(chat), type: "supergroup", title: "Tea" }
    : { id: Number(chat), type: "private" };
}

function messageOf(
  chat: string,
  user: string,
  text: string,
  { mention = true, thread, quoting, answering, file, bot }: NonNullable<Parameters<PlayedPlatform["write"]>[3]>,
): Partial<Message> {
  const name = `@${BOT.username}`;
  const mentions = chat.startsWith("-") && mention;
  const words = mentions ? `${name} ${text}` : text;
  const entities = mentions ? [{ type: "mention", offset: 0, length: name.length }] : undefined;
  const stored =
    file === undefined
      ? undefined
      : { file_id: "f1", file_unique_id: "u1", file_name: file.name, file_size: file.size };
  return {
    chat: chatOf(chat),
    from: { id: USERS.get(user)!, first_name: user, is_bot: bot },
    ...(file === undefined ? { text: words, entities } : { caption: words, caption_entities: entities }),
    message_thread_id: thread === undefined ? undefined : Number(thread),
    is_topic_message: thread === undefined ? undefined : true,
    document: file?.kind === "document" ? stored : undefined,
    voice: file?.kind === "voice" ? stored : undefined,
    reply_to_message:
      quoting === undefined && answering === undefined
        ? undefined
        : {
            message_id: Number(answering ?? 3),
            date: 1,
            chat: chatOf(chat),
            text: quoting ?? "mine",
            from: answering === undefined ? { id: 8 } : { id: BOT.id, is_bot: true },
          },
  };
}

function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
