import {
  isObject,
  UserError,
  type GuardedFetch,
  type Json,
  type JsonObject,
  type Logger,
  type PlatformAdapter,
  type PlatformConfig,
  type PluginStorage,
  type SendFileOptions,
  type SendResult,
  type WorkState,
} from "hermes-agent/plugin";
import { HttpRefusal, sendResult, type UploadedFile } from "hermes-agent/platform";
import { botApi, type BotApi } from "./bot-api.ts";
import { commandMenu } from "./command-menu.ts";
import { filesOf } from "./files-of.ts";
import { meantFor } from "./meant-for.ts";
import { asDocument, fileRequest, type FileRequest, type FileWay } from "./send-file.ts";
import type { TelegramSettings } from "./settings.ts";
import type { Bot, CallbackQuery, Message, Update } from "./telegram-types.ts";
import { toHtml } from "./to-html.ts";
import { toMessage } from "./to-message.ts";
import { ALLOWED_UPDATES, pollUpdates } from "./update-loop.ts";
import { webhookRoute } from "./webhook-route.ts";

const MAX_TEXT = 4_096;
/** The longest pause requested by Telegram that a send waits for. */
const LONGEST_WAIT_MS = 60_000;

export interface TelegramPorts extends Pick<PlatformConfig, "message" | "lost" | "commands" | "welcome" | "webhooks"> {
  readonly fetch: GuardedFetch;
  readonly storage: Pick<PluginStorage, "get" | "set">;
  /** Folder for received files. */
  readonly home: string;
  readonly log: Logger;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One bot. */
export class TelegramAdapter implements PlatformAdapter {
  readonly #settings: TelegramSettings;
  readonly #ports: TelegramPorts;
  readonly #api: BotApi;
  #bot: Bot | undefined;
  #leave: (() => Promise<void>) | undefined;
  /** Maps menu names to the original command names. */
  #spelled = new Map<string, string>();

  constructor(settings: TelegramSettings, ports: TelegramPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#api = botApi(ports.fetch, settings.baseUrl, settings.token, ports.sleep);
  }

  async connect(): Promise<boolean> {
    if (this.#leave !== undefined) return true;
    if (this.#settings.token === "")
      throw new UserError("Telegram has no bot token.", {
        hint: "Create a bot with @BotFather and set TELEGRAM_BOT_TOKEN.",
      });
    const bot = await this.#introduce();
    this.#bot = bot;
    await this.#offerCommands();
    const stop = new AbortController();
    const { webhook } = this.#settings;
    if (webhook === undefined) {
      await this.#api.call("deleteWebhook", { drop_pending_updates: false });
      const polling = pollUpdates({
        api: this.#api,
        storage: this.#ports.storage,
        key: String(bot.id),
        log: this.#ports.log,
        signal: stop.signal,
        sleep: this.#ports.sleep,
        take: (update) => this.#takeUpdate(update),
        lost: (reason) => this.#lose(reason),
      });
      const ended = polling.catch((cause: unknown) =>
        stop.signal.aborted ? undefined : this.#lose((cause as Error).message),
      );
      this.#leave = async () => {
        stop.abort();
        await ended;
      };
    } else {
      const { webhooks, log } = this.#ports;
      if (webhooks === undefined)
        throw new UserError("Telegram's webhook needs the gateway's listener, which is not here.", {
          hint: "Unset TELEGRAM_WEBHOOK_URL to poll for updates.",
        });
      const route = await webhooks.route(webhookRoute(webhook, { log, take: (update) => this.#takeUpdate(update) }));
      this.#leave = async () => route[Symbol.asyncDispose]();
      // One at a time, so that they stay in order.
      await this.#api.call("setWebhook", {
        url: webhook.url,
        secret_token: webhook.secret,
        allowed_updates: ALLOWED_UPDATES,
        max_connections: 1,
        drop_pending_updates: false,
      });
    }
    return true;
  }

  async disconnect(): Promise<void> {
    const leave = this.#leave;
    this.#leave = undefined;
    await leave?.();
  }

  async send(
    chat_id: string,
    text: string,
    { reply_to, metadata }: { readonly reply_to?: string; readonly metadata?: JsonObject },
  ): Promise<SendResult> {
    if (this.#leave === undefined) return { success: false, error: "Telegram is not connected.", retryable: true };
    if (text.trim() === "") return { success: true };
    const params = { chat_id, ...threadIn(metadata), ...buttonsIn(metadata), ...answering(reply_to) };
    return this.#say("sendMessage", params, text);
  }

  async send_document(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("document", chat_id, path, options);
  }

  async send_image_file(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("image", chat_id, path, options);
  }

  async send_voice(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("voice", chat_id, path, options);
  }

  async send_video(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("video", chat_id, path, options);
  }

  async edit_message(
    chat_id: string,
    message_id: string,
    text: string,
    { finalize = true }: { readonly finalize?: boolean } = {},
  ): Promise<SendResult> {
    const output = await this.#say(
      "editMessageText",
      { chat_id, message_id: Number(message_id) },
      text,
      finalize ? LONGEST_WAIT_MS : 0,
    );
    // The message has this text already.
    return !output.success && /message is not modified/i.test(output.error ?? "")
      ? { success: true, message_id }
      : output;
  }

  async send_typing(chat_id: string, { metadata }: { readonly metadata?: JsonObject } = {}): Promise<void> {
    await this.#api.call("sendChatAction", { chat_id, action: "typing", ...threadIn(metadata) });
  }

  /** 👀 while the agent works, then 👍 or 👎; a cancelled turn leaves none. */
  async acknowledge(chat_id: string, message_id: string, state: WorkState): Promise<void> {
    if (!this.#settings.reactions) return;
    const emoji = { working: "👀", done: "👍", failed: "👎", cancelled: undefined }[state];
    await this.#api.call("setMessageReaction", {
      chat_id,
      message_id: Number(message_id),
      reaction: emoji === undefined ? [] : [{ type: "emoji", emoji }],
    });
  }

  async delete_message(chat_id: string, message_id: string): Promise<boolean> {
    return (await this.#api.call("deleteMessage", { chat_id, message_id: Number(message_id) })) === true;
  }

  /** The bot's name. @throws {UserError} for a wrong token. */
  async account(): Promise<string> {
    return `@${(await this.#introduce()).username}`;
  }

  async get_chat_info(chat_id: string): Promise<JsonObject> {
    const { title, first_name, type } = (await this.#api.call("getChat", { chat_id })) as {
      readonly title?: string;
      readonly first_name?: string;
      readonly type?: string;
    };
    return { name: title ?? first_name ?? chat_id, type: type === "private" ? "dm" : (type ?? "dm") };
  }

  async #show(way: FileWay, chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    if (this.#leave === undefined) return { success: false, error: "Telegram is not connected.", retryable: true };
    const params = { chat_id, ...threadIn(options.metadata), ...answering(options.reply_to) };
    const request = await fileRequest(way, path, options);
    const shown = await this.#upload(request, params);
    // If Telegram refuses it as a photo, voice or video, send it as a document.
    return shown.success || shown.retryable === true || request.method === "sendDocument"
      ? shown
      : this.#upload(asDocument(request), params);
  }

  async #upload({ method, caption, file }: FileRequest, params: JsonObject): Promise<SendResult> {
    return this.#say(method, params, caption, LONGEST_WAIT_MS, file);
  }

  /** Sends with markup; if Telegram refuses the markup, sends plain text. */
  async #say(
    method: string,
    params: JsonObject,
    text: string,
    waitMs = LONGEST_WAIT_MS,
    file?: UploadedFile,
  ): Promise<SendResult> {
    const words = (content: string): JsonObject =>
      file === undefined ? { text: content } : content === "" ? {} : { caption: content };
    const say = async (content: JsonObject): Promise<SendResult> =>
      sendResult(async () => sentOf(await this.#api.call(method, { ...params, ...content }, { waitMs, file })));
    const marked = await say({ ...words(toHtml(text)), parse_mode: "HTML" });
    const unreadable = !marked.success && /parse entities|too long/i.test(marked.error ?? "");
    return unreadable && text.length <= MAX_TEXT ? say(words(text)) : marked;
  }

  async #introduce(): Promise<Bot> {
    try {
      const { id, username } = (await this.#api.call("getMe")) as unknown as Bot;
      return { id, username };
    } catch (cause) {
      if (cause instanceof HttpRefusal && (cause.status === 401 || cause.status === 404))
        throw new UserError("Telegram rejects the bot token.", {
          hint: "Set TELEGRAM_BOT_TOKEN to the current token from @BotFather; a revoked token does not work.",
          cause,
        });
      throw cause;
    }
  }

  async #offerCommands(): Promise<void> {
    const known = (await this.#ports.commands?.()) ?? [];
    this.#spelled = new Map(
      known.filter(({ name }) => name.includes("-")).map(({ name }) => [name.replaceAll("-", "_"), name]),
    );
    const commands = commandMenu(known);
    try {
      if (commands.length > 0) await this.#api.call("setMyCommands", { commands });
    } catch (cause) {
      this.#ports.log.warning(`Cannot set Telegram's command menu: ${(cause as Error).message}`);
    }
  }

  async #takeUpdate({ message, edited_message: edited, callback_query: query }: Update): Promise<void> {
    if (message !== undefined) await this.#take(message);
    if (edited !== undefined) await this.#takeEdit(edited);
    if (query !== undefined) await this.#press(query);
  }

  async #take(message: Message): Promise<void> {
    const bot = this.#bot!;
    const text = meantFor(bot, message, this.#settings.mentions);
    if (text === undefined) return;
    // Do not download files of unknown users.
    const welcome = (await this.#ports.welcome?.(toMessage(message, { text }, bot))) ?? true;
    const files = welcome ? await filesOf(message, this.#api, this.#ports.home) : undefined;
    const words = [this.#command(text), ...(files?.notes ?? [])].filter((one) => one !== "").join("\n");
    const event = toMessage(message, { text: words, files }, bot);
    if (event.text === "" && event.media_urls === undefined) return;
    await this.#ports.message(event);
  }

  /** Only the text of a message can change in a way that matters. */
  async #takeEdit(message: Message): Promise<void> {
    const text = meantFor(this.#bot!, message, this.#settings.mentions);
    if (text === undefined || text === "") return;
    const { message_id, ...event } = toMessage(message, { text: this.#command(text) }, this.#bot!);
    await this.#ports.message({ ...event, edits: message_id });
  }

  /** Passes the user who pressed the button to the gateway, which checks access. */
  async #press({ id, from, message, data = "" }: CallbackQuery): Promise<void> {
    if (message !== undefined)
      await this.#ports.message({
        ...toMessage({ ...message, from, reply_to_message: undefined }, { text: "" }, this.#bot!),
        message_id: `pressed:${id}`,
        pressed: data,
      });
    try {
      await this.#api.call("answerCallbackQuery", { callback_query_id: id });
    } catch (cause) {
      this.#ports.log.info(`Cannot confirm a button press to Telegram: ${(cause as Error).message}`); // The press is too old to confirm, but its answer counts.
    }
  }

  /**
   * Converts `/set_home@bot now` to `/set-home now`. Drops `/start`, which Telegram sends when a user opens the chat.
   */
  #command(text: string): string {
    if (/^\/start(?:@\w+)?(?:\s|$)/.test(text)) return "/help";
    return text.replace(/^\/(\w+)(?:@\w+)?/, (_, name: string) => `/${this.#spelled.get(name.toLowerCase()) ?? name}`);
  }

  #lose(reason: string): void {
    this.#leave = undefined;
    this.#ports.lost?.(reason);
  }
}

function answering(reply_to: string | undefined): JsonObject {
  return reply_to === undefined
    ? {}
    : { reply_parameters: { message_id: Number(reply_to), allow_sending_without_reply: true } };
}

function threadIn(metadata: JsonObject | undefined): JsonObject {
  const thread = Number(metadata?.["thread_id"]);
  return Number.isInteger(thread) && thread > 1 ? { message_thread_id: thread } : {};
}

/** One button a row, because the labels are long. */
function buttonsIn(metadata: JsonObject | undefined): JsonObject {
  const buttons = metadata?.["buttons"];
  return Array.isArray(buttons)
    ? {
        reply_markup: {
          inline_keyboard: (buttons as readonly JsonObject[]).map(({ label = "", data = "" }) => [
            { text: label, callback_data: data },
          ]),
        },
      }
    : {};
}

/** Telegram has it, whatever its answer says of it. */
function sentOf(message: Json): SendResult {
  const id = isObject(message) ? message["message_id"] : undefined;
  return { success: true, message_id: id === undefined ? undefined : String(id) };
}
