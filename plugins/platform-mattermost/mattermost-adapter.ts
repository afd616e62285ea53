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
  type PluginContext,
  type SendFileOptions,
  type SendResult,
  type WorkState,
} from "hermes-agent/plugin";
import { sendResult, SteadySocket } from "hermes-agent/platform";
import { EventSession, type EventDetails, type PostEvent } from "./event-session.ts";
import { mattermostApi, withToken, type MattermostApi } from "./mattermost-api.ts";
import type { Channel, Post, PostList, User } from "./mattermost-types.ts";
import { PostReader } from "./post-reader.ts";
import type { MattermostSettings } from "./settings.ts";
import { Threads } from "./threads.ts";

const SIGNS = { working: "eyes", done: "white_check_mark", failed: "x", cancelled: undefined } as const;
const SIGN_IN_MS = 30_000;
/** The time of the last post that was passed on, in epoch ms on the server's clock. */
const LAST_POST = "last_post_at";

export interface MattermostPorts extends Pick<PlatformConfig, "message" | "lost" | "welcome"> {
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  /** Folder for received files. */
  readonly home: string;
  readonly log: Logger;
  readonly storage: PluginContext["storage"];
  readonly firstPauseMs: number;
}

/** One bot account: events arrive over a WebSocket, answers leave over the REST API. */
export class MattermostAdapter implements PlatformAdapter {
  readonly #settings: MattermostSettings;
  readonly #ports: MattermostPorts;
  readonly #api: MattermostApi;
  readonly #threads: Threads;
  #bot: User | undefined;
  #reader: PostReader | undefined;
  #socket: SteadySocket | undefined;
  #lastPostAt: number | undefined;

  constructor(settings: MattermostSettings, ports: MattermostPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#api = mattermostApi(settings, ports.fetch);
    this.#threads = new Threads(this.#api);
  }

  async connect(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    const { token, url } = this.#settings;
    const { log, socket: open, storage, firstPauseMs } = this.#ports;
    this.#bot = await this.#introduce();
    this.#reader ??= new PostReader({
      bot: this.#bot,
      settings: this.#settings,
      api: this.#api,
      threads: this.#threads,
      home: this.#ports.home,
      message: this.#ports.message,
      welcome: this.#ports.welcome,
    });
    const stored = await storage.get(LAST_POST);
    this.#lastPostAt ??= typeof stored === "number" ? stored : undefined;
    const session = new EventSession({
      token,
      log,
      post: (event, post, details) => this.#take(event, post, details),
      missed: () => this.#fillGap(),
    });
    const socket: SteadySocket = new SteadySocket({
      open,
      label: "Mattermost",
      log,
      firstPauseMs,
      address: () => ({
        url: `${url.replace(/^http/, "ws")}/api/v4/websocket${session.query}`,
        // The user set this server's address.
        options: { own: true },
      }),
      async opened(live) {
        const late = setTimeout(() => live.close(), SIGN_IN_MS).unref();
        await session.opened(live).finally(() => clearTimeout(late));
      },
      message: (text, live) => session.take(typeof text === "string" ? text : Buffer.from(text).toString(), live),
      lost: (reason) => {
        this.#socket = undefined;
        this.#ports.lost?.(reason);
      },
    });
    await socket.connect();
    this.#socket = socket;
    return true;
  }

  disconnect(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  async send(
    chat_id: string,
    text: string,
    { reply_to, metadata }: { readonly reply_to?: string; readonly metadata?: JsonObject },
  ): Promise<SendResult> {
    if (text.trim() === "") return { success: true };
    return this.#post({ channel_id: chat_id, message: text, root_id: this.#rootOf(reply_to, metadata) });
  }

  /** Images, sound and videos are attachments as well: Mattermost shows them by their type. */
  async send_document(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    const { caption = "", file_name = basename(path), reply_to, metadata } = options;
    const bytes = await readFile(path);
    return sendResult(async () => {
      const { file_infos } = await this.#api.ask<{ readonly file_infos: readonly { readonly id: string }[] }>(
        "/files",
        {
          upload: { fields: { channel_id: chat_id }, files: [{ field: "files", name: file_name, bytes }] },
          what: "a file",
          // A file without a message is shown nowhere.
          repeatable: true,
        },
      );
      const root_id = this.#rootOf(reply_to, metadata);
      return this.#post({ channel_id: chat_id, message: caption, root_id, file_ids: file_infos.map(({ id }) => id) });
    });
  }

  async edit_message(
    _chat_id: string,
    message_id: string,
    text: string,
    { finalize = true }: { readonly finalize?: boolean } = {},
  ): Promise<SendResult> {
    return sendResult(async () => {
      await this.#api.ask(`/posts/${message_id}/patch`, {
        method: "PUT",
        json: { message: text },
        what: "an edit",
        bucket: "edits",
        repeatable: true,
        waitMs: finalize ? 60_000 : 0,
      });
      return { success: true, message_id };
    });
  }

  async delete_message(_chat_id: string, message_id: string): Promise<boolean> {
    await this.#api.ask(`/posts/${message_id}`, { method: "DELETE", repeatable: true });
    return true;
  }

  async send_typing(chat_id: string, { metadata }: { readonly metadata?: JsonObject } = {}): Promise<void> {
    await this.#api.ask("/users/me/typing", {
      json: { channel_id: chat_id, parent_id: this.#rootOf(undefined, metadata) ?? "" },
      waitMs: 0,
    });
  }

  /** 👀 while the agent works, then ✅ or ❌; a cancelled turn leaves none. */
  async acknowledge(_chat_id: string, message_id: string, state: WorkState): Promise<void> {
    if (!this.#settings.reactions || this.#bot === undefined) return;
    const { id: user_id } = this.#bot;
    const sign = SIGNS[state];
    if (sign !== undefined)
      await this.#api.ask("/reactions", { json: { user_id, post_id: message_id, emoji_name: sign }, repeatable: true });
    if (state !== "working")
      await this.#api.ask(`/users/${user_id}/posts/${message_id}/reactions/${SIGNS.working}`, {
        method: "DELETE",
        bucket: "reactions",
        repeatable: true,
      });
  }

  async list_chats(): Promise<readonly PlatformChat[]> {
    const bot = this.#bot ?? (await this.#introduce());
    const channels = await this.#api.ask<readonly Channel[]>("/users/me/channels");
    const other = ({ name }: Channel): string => name.split("__").find((id) => id !== bot.id) ?? bot.id;
    const ids = [...new Set(channels.filter(({ type }) => type === "D").map(other))];
    const users = ids.length === 0 ? [] : await this.#api.ask<readonly User[]>("/users/ids", { json: ids });
    const names = new Map(users.map(({ id, username }) => [id, `@${username}`]));
    return channels.map((channel) => ({
      id: channel.id,
      name: channel.type === "D" ? (names.get(other(channel)) ?? channel.id) : nameOf(channel),
      type: channel.type === "D" ? "dm" : "group",
    }));
  }

  async get_chat_info(chat_id: string): Promise<JsonObject> {
    const channel = await this.#api.ask<Channel>(`/channels/${chat_id}`);
    return { name: nameOf(channel), type: channel.type === "D" ? "dm" : "group" };
  }

  /** The bot's name. @throws {UserError} for a wrong token. */
  async account(): Promise<string> {
    return `@${(await this.#introduce()).username}`;
  }

  async #introduce(): Promise<User> {
    if (this.#settings.url === "" || this.#settings.token === "")
      throw new UserError("Mattermost has no server address or no access token.", {
        hint: "Set MATTERMOST_URL and MATTERMOST_TOKEN.",
      });
    if (!URL.canParse(this.#settings.url) || !/^https?:\/\//i.test(this.#settings.url))
      throw new UserError("The address of the Mattermost server is invalid.", {
        hint: "Set MATTERMOST_URL to an address such as https://chat.example.com.",
      });
    return withToken(() => this.#api.ask<User>("/users/me"));
  }

  async #post(json: JsonObject): Promise<SendResult> {
    if (this.#socket === undefined) return { success: false, error: "Mattermost is not connected.", retryable: true };
    return sendResult(async () => {
      const { id, root_id } = await this.#api.ask<Partial<Post>>("/posts", { json, what: "a message" });
      if ((root_id ?? "") !== "") this.#threads.joined(root_id!);
      return { success: true, message_id: id };
    });
  }

  /** The thread of an answer: that of the conversation, or in the mode `thread` the one that its message begins. */
  #rootOf(reply_to: string | undefined, metadata: JsonObject | undefined): string | undefined {
    const thread = metadata?.["thread_id"];
    if (typeof thread === "string" && thread !== "") return thread;
    if (!this.#settings.threads || reply_to === undefined) return undefined;
    return this.#reader?.rootOf(reply_to) ?? reply_to;
  }

  async #take(event: PostEvent, post: Post, details: EventDetails): Promise<void> {
    if (event === "post_edited") return this.#reader!.edited(post);
    if (event === "post_deleted") return this.#reader!.deleted(post);
    await this.#reader!.posted(post, details);
    await this.#passed(post.create_at);
  }

  async #passed(at: number): Promise<void> {
    if (at <= (this.#lastPostAt ?? 0)) return;
    this.#lastPostAt = at;
    await this.#ports.storage.set(LAST_POST, at);
  }

  /** Reads the posts since the last one, after a time without a connection. */
  async #fillGap(): Promise<void> {
    const channels = await this.#api.ask<readonly Channel[]>("/users/me/channels");
    const since = this.#lastPostAt;
    const newest = Math.max(0, ...channels.map(({ last_post_at = 0 }) => last_post_at));
    if (since !== undefined) {
      const missed: { readonly post: Post; readonly type: string }[] = [];
      for (const { id, type, last_post_at = 0 } of channels) {
        if (last_post_at <= since) continue;
        const { posts } = await this.#api.ask<PostList>(`/channels/${id}/posts?since=${since}`);
        for (const post of Object.values(posts))
          if (post.create_at > since && (post.delete_at ?? 0) === 0) missed.push({ post, type });
      }
      for (const { post, type } of missed.toSorted((one, other) => one.post.create_at - other.post.create_at))
        await this.#take("posted", post, { channelType: type });
    }
    await this.#passed(newest);
  }
}

function nameOf({ id, display_name, name }: Channel): string {
  return display_name || name || id;
}
