import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  type JsonObject,
  type PlatformAdapter,
  type PlatformChat,
  type SendFileOptions,
  type SendResult,
  type WorkState,
} from "hermes-agent/plugin";
import { HttpRefusal, sendResult, SteadySocket } from "hermes-agent/platform";
import { blocksWith } from "./blocks.ts";
import { Inbox } from "./inbox.ts";
import { isDirect } from "./read-message.ts";
import { RecentMessages } from "./recent-messages.ts";
import { botTokens, type SlackSettings } from "./settings.ts";
import { CONFIGURED, slackApi, slackError, withToken } from "./slack-api.ts";
import type { SlackPorts } from "./slack-ports.ts";
import type { Conversation } from "./slack-types.ts";
import { SocketSession } from "./socket-session.ts";
import { Threads } from "./threads.ts";
import { toMessages, toMrkdwn } from "./to-mrkdwn.ts";
import { Workspaces, type Workspace } from "./workspaces.ts";

const SIGNS = { working: "eyes", done: "white_check_mark", failed: "x", cancelled: undefined } as const;
const GREETED_IN_MS = 30_000;
const ABSENT: SendResult = { success: false, error: "Slack is not connected.", retryable: true };

/** One app: events arrive in Socket Mode, answers leave over the Web API of each workspace. */
export class SlackAdapter implements PlatformAdapter {
  readonly #settings: SlackSettings;
  readonly #ports: SlackPorts;
  readonly #threads: Threads;
  readonly #recent = new RecentMessages();
  /** Direct chats by user. */
  readonly #direct = new Map<string, string>();
  #workspaces = new Workspaces([]);
  #socket: SteadySocket | undefined;

  constructor(settings: SlackSettings, ports: SlackPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#threads = new Threads(ports.log);
  }

  async connect(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    const { appToken, baseUrl } = this.#settings;
    const { log, socket: open, firstPauseMs, fetch } = this.#ports;
    this.#workspaces = await this.#introduce();
    const app = slackApi(baseUrl, appToken, fetch);
    const known = { threads: this.#threads, workspaces: this.#workspaces, recent: this.#recent };
    const inbox = new Inbox(this.#settings, this.#ports, known);
    const session = new SocketSession((type, payload) => inbox.take(type, payload));
    const socket: SteadySocket = new SteadySocket({
      open,
      label: "Slack",
      log,
      firstPauseMs,
      async address() {
        const { url } = await withToken("SLACK_APP_TOKEN", () =>
          app.call<{ readonly url: string }>("apps.connections.open", {}, { repeatable: true }),
        );
        // The user set this server's address, so its socket may be in the user's network.
        const own = new URL(url).hostname === new URL(baseUrl).hostname;
        return { url, options: own ? { own } : {} };
      },
      async opened(live) {
        const late = setTimeout(() => live.close(), GREETED_IN_MS).unref();
        await session.opened().finally(() => clearTimeout(late));
      },
      message: (text, live) => session.take(typeof text === "string" ? text : Buffer.from(text).toString(), live),
      ended: () => session.ended(),
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
    if (this.#socket === undefined) return ABSENT;
    if (text.trim() === "") return { success: true };
    return sendResult(async () => {
      const { workspace, channel } = await this.#at(chat_id);
      const thread_ts = this.#threadOf(channel, reply_to, metadata);
      let first: string | undefined;
      const pieces = toMessages(text);
      for (const [at, piece] of pieces.entries()) {
        const { ts } = await workspace.api
          .call<{ readonly ts: string }>(
            "chat.postMessage",
            {
              channel,
              text: piece,
              thread_ts,
              reply_broadcast: thread_ts !== undefined && this.#settings.broadcasts ? true : undefined,
              blocks: at === pieces.length - 1 ? blocksWith(piece, metadata) : undefined,
            },
            { what: "a message" },
          )
          .catch((cause: unknown) => {
            // A part has arrived: do not send the whole again.
            throw at > 0 && cause instanceof HttpRefusal
              ? new HttpRefusal(cause.message, { status: cause.status, unsure: true, cause })
              : cause;
          });
        this.#threads.join(channel, thread_ts ?? ts);
        first ??= ts;
      }
      return { success: true, message_id: first };
    });
  }

  /** Slack shows images, sound and videos by their type. */
  async send_document(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    if (this.#socket === undefined) return ABSENT;
    const { caption = "", file_name = basename(path), reply_to, metadata } = options;
    const bytes = await readFile(path);
    return sendResult(async () => {
      const { workspace, channel } = await this.#at(chat_id);
      const thread_ts = this.#threadOf(channel, reply_to, metadata);
      const { upload_url, file_id } = await workspace.api.call<{
        readonly upload_url: string;
        readonly file_id: string;
      }>("files.getUploadURLExternal", { filename: file_name, length: bytes.length }, { repeatable: true });
      const headers = { "content-type": "application/octet-stream" };
      // The address is the permission: its server needs no token.
      const reply = await this.#ports
        .fetch(upload_url, { method: "POST", headers, body: bytes, timeoutMs: 300_000, configured: CONFIGURED })
        .catch((cause: unknown) => {
          throw new HttpRefusal(`Slack cannot be reached for a file: ${(cause as Error).message}`, {
            status: 0,
            cause,
          });
        });
      if (reply.status !== 200)
        throw new HttpRefusal(`Slack refused a file: status ${reply.status}`, { status: reply.status });
      await workspace.api.call(
        "files.completeUploadExternal",
        {
          files: [{ id: file_id, title: file_name }],
          channel_id: channel,
          thread_ts,
          initial_comment: caption === "" ? undefined : toMrkdwn(caption),
        },
        { what: "a file" },
      );
      if (thread_ts !== undefined) this.#threads.join(channel, thread_ts);
      return { success: true };
    });
  }

  async edit_message(
    chat_id: string,
    message_id: string,
    text: string,
    { finalize = true }: { readonly finalize?: boolean } = {},
  ): Promise<SendResult> {
    return sendResult(async () => {
      const { workspace, channel } = await this.#at(chat_id);
      await workspace.api.call(
        "chat.update",
        // An empty list removes the buttons.
        { channel, ts: message_id, text: toMrkdwn(text), blocks: [] },
        { what: "an edit", repeatable: true, waitMs: finalize ? 60_000 : 0 },
      );
      return { success: true, message_id };
    });
  }

  async delete_message(chat_id: string, message_id: string): Promise<boolean> {
    const { workspace, channel } = await this.#at(chat_id);
    await quietly("message_not_found", async () =>
      workspace.api.call("chat.delete", { channel, ts: message_id }, { repeatable: true }),
    );
    return true;
  }

  /** 👀 while the agent works, then ✅ or ❌; a cancelled turn leaves none. */
  async acknowledge(chat_id: string, message_id: string, state: WorkState): Promise<void> {
    if (!this.#settings.reactions || !isTimestamp(message_id)) return;
    const { workspace, channel } = await this.#at(chat_id);
    const react = async (method: "add" | "remove", name: string): Promise<void> =>
      quietly(method === "add" ? "already_reacted" : "no_reaction", async () =>
        workspace.api.call(`reactions.${method}`, { channel, timestamp: message_id, name }, { repeatable: true }),
      );
    const sign = SIGNS[state];
    if (sign !== undefined) await react("add", sign);
    if (state !== "working") await react("remove", SIGNS.working);
  }

  async list_chats(): Promise<readonly PlatformChat[]> {
    const { all } = this.#workspaces;
    const chats: PlatformChat[] = [];
    for (const workspace of all) {
      const prefix = all.length > 1 ? `${workspace.name} ` : "";
      for (const { id, name, user, is_im } of await workspace.conversations()) {
        const shown = is_im === true ? `@${(await workspace.nameOf(user ?? "")) ?? user ?? id}` : `#${name ?? id}`;
        this.#workspaces.of([workspace.team], id);
        chats.push({ id, name: `${prefix}${shown}`, type: is_im === true ? "dm" : "group" });
      }
    }
    return chats;
  }

  async get_chat_info(chat_id: string): Promise<JsonObject> {
    const { workspace, channel } = await this.#at(chat_id);
    const { channel: found } = await workspace.api.call<{ readonly channel: Conversation }>(
      "conversations.info",
      { channel },
      { repeatable: true },
    );
    if (found.is_im !== true) return { name: found.name ?? chat_id, type: "group" };
    return { name: (await workspace.nameOf(found.user ?? "")) ?? chat_id, type: "dm" };
  }

  /** The bot in each workspace. @throws {UserError} for a wrong token. */
  async account(): Promise<string> {
    const { all } = await this.#introduce();
    const { appToken, baseUrl } = this.#settings;
    const app = slackApi(baseUrl, appToken, this.#ports.fetch);
    await withToken("SLACK_APP_TOKEN", () => app.call("apps.connections.open", {}, { repeatable: true }));
    return all.map(({ botName, name }) => `@${botName} in ${name}`).join(", ");
  }

  async #introduce(): Promise<Workspaces> {
    const { fetch, home, log } = this.#ports;
    const tokens = await botTokens(this.#settings, home);
    return Workspaces.open(tokens, { baseUrl: this.#settings.baseUrl, fetch, log });
  }

  /** The workspace and the channel of a chat; opens a direct chat with a user. */
  async #at(chat_id: string): Promise<{ readonly workspace: Workspace; readonly channel: string }> {
    const workspace = await this.#workspaces.ofChannel(chat_id);
    if (!/^[UW][A-Z0-9]+$/.test(chat_id)) return { workspace, channel: chat_id };
    let channel = this.#direct.get(chat_id);
    if (channel === undefined) {
      const opened = await workspace.api.call<{ readonly channel: Conversation }>(
        "conversations.open",
        { users: chat_id },
        { repeatable: true },
      );
      channel = opened.channel.id;
      this.#workspaces.of([workspace.team], channel);
      this.#direct.set(chat_id, channel);
    }
    return { workspace, channel };
  }

  #threadOf(channel: string, reply_to: string | undefined, metadata: JsonObject | undefined): string | undefined {
    const thread = metadata?.["thread_id"];
    if (typeof thread === "string" && thread !== "") return thread;
    const answers = reply_to !== undefined && isTimestamp(reply_to) && this.#settings.replyInThread;
    return answers && !isDirect({ channel }) ? reply_to : undefined;
  }
}

/** Slack's ids of messages; presses and commands have others. */
function isTimestamp(id: string): boolean {
  return /^\d+\.\d+$/.test(id);
}

/** Ignores one error of Slack, which says that nothing is left to do. */
async function quietly(error: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (slackError(cause) !== error) throw cause;
  }
}
