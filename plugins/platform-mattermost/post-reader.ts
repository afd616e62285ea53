import type { PlatformConfig } from "hermes-agent/plugin";
import { isAddressed, receiveFiles, withoutMentions, type ReceivedFiles } from "hermes-agent/platform";
import type { EventDetails } from "./event-session.ts";
import type { MattermostApi } from "./mattermost-api.ts";
import type { FileInfo, Post, User } from "./mattermost-types.ts";
import { RecentPosts, type Place } from "./recent-posts.ts";
import type { MattermostSettings } from "./settings.ts";
import type { Threads } from "./threads.ts";

const MAX_FILE_BYTES = 100_000_000;

export interface PostReaderOptions extends Pick<PlatformConfig, "message" | "welcome"> {
  readonly bot: User;
  readonly settings: MattermostSettings;
  readonly api: MattermostApi;
  readonly threads: Threads;
  /** Folder for received files. */
  readonly home: string;
}

/** Passes posts that are meant for the agent to the gateway. */
export class PostReader {
  readonly #options: PostReaderOptions;
  readonly #recent = new RecentPosts();

  constructor(options: PostReaderOptions) {
    this.#options = options;
  }

  /** The thread of a post that was passed on. */
  rootOf(id: string): string | undefined {
    return this.#recent.get(id)?.thread_id;
  }

  async posted(post: Post, { channelType, senderName }: EventDetails): Promise<void> {
    const { bot, settings, threads, message, welcome } = this.#options;
    if (post.user_id === bot.id || (post.type ?? "") !== "" || isAutomatic(post)) return;
    // After a new connection, a post can arrive twice.
    if (this.#recent.get(post.id) !== undefined) return;
    const direct = channelType === "D";
    const root = post.root_id || undefined;
    const thread = root === undefined ? undefined : await threads.of(root, bot.id);
    const addressed =
      direct ||
      isAddressed(
        {
          text: post.message,
          chats: [post.channel_id],
          mentioned: this.#mention().test(post.message),
          answersAgent: thread?.takesPart,
        },
        settings.mentions,
      );
    if (!addressed) return;
    const thread_id = root ?? (settings.threads && !direct ? post.id : undefined);
    const place: Place = {
      chat_id: post.channel_id,
      chat_type: direct ? "dm" : thread_id === undefined ? "group" : "thread",
      thread_id,
      user_id: post.user_id,
      user_name: senderName?.replace(/^@/, ""),
    };
    const event = {
      ...place,
      text: this.#textOf(post, direct),
      message_id: post.id,
      reply_to_text: thread?.first === true ? thread.text || undefined : undefined,
    };
    // Do not download files of unknown users.
    const files = ((await welcome?.(event)) ?? true) ? await this.#filesOf(post) : undefined;
    const text = [event.text, ...(files?.notes ?? [])].filter((one) => one !== "").join("\n");
    const paths = files?.paths ?? [];
    if (text !== "" || paths.length > 0)
      await message({ ...event, text, media_urls: paths.length === 0 ? undefined : paths });
    this.#recent.note(post.id, place);
  }

  async edited(post: Post): Promise<void> {
    const place = this.#recent.get(post.id);
    // Mattermost reports a preview of a link, or an answer in the thread, as a change, too.
    if (place === undefined || (post.edit_at ?? 0) === 0) return;
    const text = this.#textOf(post, place.chat_type === "dm");
    if (text !== "") await this.#options.message({ ...place, text, edits: post.id });
  }

  async deleted({ id }: Post): Promise<void> {
    const place = this.#recent.get(id);
    if (place !== undefined) await this.#options.message({ ...place, text: "", deletes: id });
  }

  /** `@hermes`, but not `@hermes2`, `@hermes.bot` or an address. */
  #mention(): RegExp {
    const name = this.#options.bot.username.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(String.raw`(?<![\w.-])@${name}(?![\w-]|\.\w)`, "i");
  }

  #textOf({ message }: Post, direct: boolean): string {
    return direct || !this.#mention().test(message)
      ? message.trim()
      : withoutMentions(message, [`@${this.#options.bot.username}`]);
  }

  async #filesOf(post: Post): Promise<ReceivedFiles> {
    const { api, home } = this.#options;
    const known = new Map((post.metadata?.files ?? []).map((info) => [info.id, info]));
    const infos = await Promise.all(
      (post.file_ids ?? []).map(async (id) => known.get(id) ?? (await api.ask<FileInfo>(`/files/${id}/info`))),
    );
    return receiveFiles(
      infos.map(({ id, name, size, mime_type }) => ({ id, name, size, type: mime_type })),
      {
        home,
        platform: "mattermost",
        maxBytes: MAX_FILE_BYTES,
        fetch: ({ id }, most) => api.file(id, most),
      },
    );
  }
}

function isAutomatic({ props = {} }: Post): boolean {
  return ["from_bot", "from_webhook", "from_plugin"].some((name) => String(props[name] ?? "") === "true");
}
