import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  UserError,
  type GuardedFetch,
  type JsonObject,
  type Logger,
  type OpenSocket,
  type PlatformAdapter,
  type PlatformChat,
  type PlatformConfig,
  type SendFileOptions,
  type SendResult,
  type WorkState,
} from "hermes-agent/plugin";
import { sendResult, SteadySocket, type PacedRequest } from "hermes-agent/platform";
import { answering, buttonsIn, channelOf, discordApi, withToken, type DiscordApi } from "./discord-api.ts";
import type { Channel, Interaction, Message, User } from "./discord-types.ts";
import { commandMenu } from "./command-menu.ts";
import { filesOf } from "./files-of.ts";
import { endError, GatewaySession } from "./gateway-session.ts";
import { isThread, Places } from "./places.ts";
import { meantFor, placed, toMessage } from "./read-message.ts";
import { RecentMessages } from "./recent-messages.ts";
import type { DiscordSettings } from "./settings.ts";

const SIGNS = { working: "👀", done: "✅", failed: "❌", cancelled: undefined } as const;
const SIGN_IN_MS = 30_000;

export interface DiscordPorts extends Pick<PlatformConfig, "message" | "lost" | "commands" | "welcome"> {
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  /** Folder for received files. */
  readonly home: string;
  readonly log: Logger;
  readonly firstPauseMs: number;
}

/** One bot: events arrive over Discord's gateway, answers leave over its REST API. */
export class DiscordAdapter implements PlatformAdapter {
  readonly #settings: DiscordSettings;
  readonly #ports: DiscordPorts;
  readonly #api: DiscordApi;
  readonly #recent = new RecentMessages();
  readonly #places: Places;
  /** Channels and threads that the agent wrote in; in these threads it needs no mention. */
  readonly #answered = new Set<string>();
  #bot: User | undefined;
  #socket: SteadySocket | undefined;
  #session: GatewaySession | undefined;

  constructor(settings: DiscordSettings, ports: DiscordPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#api = discordApi(settings, ports.fetch);
    this.#places = new Places(this.#api);
  }

  async connect(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    const { token, baseUrl } = this.#settings;
    const { log, socket: open, firstPauseMs } = this.#ports;
    this.#bot = await this.#introduce();
    const { url } = await withToken(() => this.#api.ask<{ readonly url: string }>("/gateway/bot"));
    await this.#offerCommands(this.#bot);
    const session = new GatewaySession({ token, log, event: (name, data) => this.#event(name, data) });
    const socket: SteadySocket = new SteadySocket({
      open,
      label: "Discord",
      log,
      firstPauseMs,
      address() {
        const address = `${(session.resumeUrl || url).replace(/\/+$/, "")}/?v=10&encoding=json`;
        // The user set this server's address, so its gateway may be in the user's network.
        const own = new URL(address).hostname === new URL(baseUrl).hostname;
        return { url: address, options: own ? { own } : {} };
      },
      async opened(live) {
        const late = setTimeout(() => live.close(), SIGN_IN_MS).unref();
        await session.opened().finally(() => clearTimeout(late));
      },
      message: (text, live) => session.take(typeof text === "string" ? text : Buffer.from(text).toString(), live),
      ended: (end) => session.ended(end),
      lost: (reason) => {
        this.#socket = undefined;
        this.#ports.lost?.(reason);
      },
    });
    try {
      await socket.connect();
    } catch (cause) {
      session.stop();
      throw endError((cause as { readonly end?: Parameters<typeof endError>[0] }).end) ?? cause;
    }
    this.#session = session;
    this.#socket = socket;
    return true;
  }

  disconnect(): void {
    this.#session?.stop();
    this.#socket?.close();
    this.#socket = undefined;
  }

  async send(
    chat_id: string,
    text: string,
    { reply_to, metadata }: { readonly reply_to?: string; readonly metadata?: JsonObject },
  ): Promise<SendResult> {
    if (text.trim() === "") return { success: true };
    return this.#post(channelOf(chat_id, metadata), {
      json: {
        content: text,
        allowed_mentions: this.#settings.notifies,
        ...answering(reply_to),
        ...buttonsIn(metadata),
      },
    });
  }

  /** Images, sound and videos are attachments as well: Discord shows them by their type. */
  async send_document(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    const { caption, file_name = basename(path), reply_to, metadata } = options;
    const bytes = await readFile(path);
    const payload = {
      content: caption,
      allowed_mentions: this.#settings.notifies,
      attachments: [{ id: 0, filename: file_name }],
      ...answering(reply_to),
    };
    return this.#post(channelOf(chat_id, metadata), {
      upload: {
        fields: { payload_json: JSON.stringify(payload) },
        files: [{ field: "files[0]", name: file_name, bytes }],
      },
    });
  }

  async edit_message(
    chat_id: string,
    message_id: string,
    text: string,
    { finalize = true }: { readonly finalize?: boolean } = {},
  ): Promise<SendResult> {
    return sendResult(async () => {
      await this.#api.ask(`/channels/${this.#channelOfMessage(chat_id, message_id)}/messages/${message_id}`, {
        method: "PATCH",
        json: { content: text, allowed_mentions: this.#settings.notifies },
        what: "an edit",
        repeatable: true,
        waitMs: finalize ? 60_000 : 0,
      });
      return { success: true, message_id };
    });
  }

  async delete_message(chat_id: string, message_id: string): Promise<boolean> {
    await this.#api.ask(`/channels/${this.#channelOfMessage(chat_id, message_id)}/messages/${message_id}`, {
      method: "DELETE",
      repeatable: true,
    });
    return true;
  }

  async send_typing(chat_id: string, { metadata }: { readonly metadata?: JsonObject } = {}): Promise<void> {
    await this.#api.ask(`/channels/${channelOf(chat_id, metadata)}/typing`, { method: "POST", waitMs: 0 });
  }

  /** 👀 while the agent works, then ✅ or ❌; a cancelled turn leaves none. */
  async acknowledge(chat_id: string, message_id: string, state: WorkState): Promise<void> {
    if (!this.#settings.reactions) return;
    const channel = this.#channelOfMessage(chat_id, message_id);
    const react = async (method: "PUT" | "DELETE", emoji: string): Promise<unknown> =>
      this.#api.ask(`/channels/${channel}/messages/${message_id}/reactions/${encodeURIComponent(emoji)}/@me`, {
        method,
        repeatable: true,
      });
    const sign = SIGNS[state];
    if (sign !== undefined) await react("PUT", sign);
    if (state !== "working") await react("DELETE", SIGNS.working);
  }

  async list_chats(): Promise<readonly PlatformChat[]> {
    const guilds = await this.#api.ask<readonly { readonly id: string; readonly name: string }[]>("/users/@me/guilds");
    const chats: PlatformChat[] = [];
    for (const guild of guilds) {
      const channels = await this.#api.ask<readonly Channel[]>(`/guilds/${guild.id}/channels`);
      // Texts and announcements.
      for (const { id, name, type } of channels)
        if (type === 0 || type === 5) chats.push({ id, name: `${guild.name} #${name ?? id}`, type: "group" });
    }
    return chats;
  }

  async get_chat_info(chat_id: string): Promise<JsonObject> {
    const { name, type } = await this.#api.ask<Channel>(`/channels/${chat_id}`);
    return { name: name ?? chat_id, type: type === 1 ? "dm" : isThread(type) ? "thread" : "group" };
  }

  /** The bot's name. @throws {UserError} for a wrong token. */
  async account(): Promise<string> {
    return `@${(await this.#introduce()).username ?? ""}`;
  }

  async #introduce(): Promise<User> {
    if (this.#settings.token === "")
      throw new UserError("Discord has no bot token.", {
        hint: "Create a bot at https://discord.com/developers/applications and set DISCORD_BOT_TOKEN.",
      });
    return withToken(() => this.#api.ask<User>("/users/@me"));
  }

  async #post(channel: string, request: PacedRequest): Promise<SendResult> {
    if (this.#socket === undefined) return { success: false, error: "Discord is not connected.", retryable: true };
    return sendResult(async () => {
      const path = `/channels/${channel}/messages`;
      const { id } = await this.#api.ask<Partial<Message>>(path, { what: "a message", ...request });
      if (id !== undefined) this.#recent.note(id, { channel });
      this.#answered.add(channel);
      return { success: true, message_id: id };
    });
  }

  #channelOfMessage(chat_id: string, message_id: string): string {
    return this.#recent.get(message_id)?.channel ?? chat_id;
  }

  async #offerCommands({ id }: User): Promise<void> {
    if (!this.#settings.registersCommands) return;
    const commands = commandMenu((await this.#ports.commands?.()) ?? []);
    if (commands.length === 0) return;
    try {
      await this.#api.ask(`/applications/${id}/commands`, { method: "PUT", json: commands, waitMs: 0 });
    } catch (cause) {
      this.#ports.log.warning(`Cannot register Discord's slash commands: ${(cause as Error).message}`);
    }
  }

  async #event(name: string, data: JsonObject): Promise<void> {
    if (name === "MESSAGE_CREATE") await this.#take(data as unknown as Message);
    if (name === "MESSAGE_UPDATE") await this.#takeEdit(data as unknown as Message);
    if (name === "MESSAGE_DELETE") await this.#takeDeletion(String(data["id"]));
    if (name === "INTERACTION_CREATE") await this.#interact(data as unknown as Interaction);
  }

  async #take(message: Message): Promise<void> {
    const bot = this.#bot!;
    if (message.author?.id === bot.id) return;
    const place = await this.#places.of(message.channel_id, message.guild_id);
    const text = meantFor(
      bot,
      message,
      place,
      place.thread !== undefined && this.#answered.has(place.thread),
      this.#settings,
    );
    if (text === undefined) return;
    this.#recent.note(message.id, { channel: message.channel_id, place, author: message.author });
    const event = toMessage(message, place, text);
    // Do not download files of unknown users.
    const welcome = (await this.#ports.welcome?.(event)) ?? true;
    const { fetch, home } = this.#ports;
    const { maxFileBytes: maxBytes } = this.#settings;
    const files = welcome ? await filesOf(message, { fetch, home, maxBytes }) : undefined;
    const words = [text, ...(files?.notes ?? [])].filter((one) => one !== "").join("\n");
    if (words === "" && (files?.paths ?? []).length === 0) return;
    await this.#ports.message({
      ...event,
      text: words,
      media_urls: files === undefined || files.paths.length === 0 ? undefined : files.paths,
      voice: files?.voice,
    });
  }

  async #takeEdit(message: Message): Promise<void> {
    const known = this.#recent.get(message.id);
    // Discord reports a preview of a link as an update, too.
    if (known?.place === undefined || message.edited_timestamp === undefined || message.edited_timestamp === null)
      return;
    const text = meantFor(this.#bot!, message, known.place, true, { ...this.#settings, threadsNeedMention: false });
    if (text !== undefined && text !== "")
      await this.#ports.message({ ...placed(known.place, known.author), text, edits: message.id });
  }

  async #takeDeletion(id: string): Promise<void> {
    const known = this.#recent.get(id);
    if (known?.place !== undefined)
      await this.#ports.message({ ...placed(known.place, known.author), text: "", deletes: id });
  }

  /** Passes a button or a slash command to the gateway, which checks access, and confirms it to Discord. */
  async #interact({ id, token, type, channel_id, guild_id, member, user, data = {} }: Interaction): Promise<void> {
    if (channel_id === undefined || (type !== 2 && type !== 3)) return;
    const words = `/${data.name ?? ""} ${String(data.options?.[0]?.value ?? "")}`.trim();
    // Discord waits three seconds for it.
    const json = type === 3 ? { type: 6 } : { type: 4, data: { content: words.slice(0, 2_000), flags: 64 } };
    await this.#api
      .ask(`/interactions/${id}/${token}/callback`, { json, waitMs: 0 })
      .catch((cause: unknown) => this.#ports.log.info(`Cannot confirm to Discord: ${(cause as Error).message}`));
    const place = await this.#places.of(channel_id, guild_id);
    const event = { ...placed(place, member?.user ?? user), message_id: `interaction:${id}` };
    await this.#ports.message(type === 3 ? { ...event, text: "", pressed: data.custom_id } : { ...event, text: words });
  }
}
