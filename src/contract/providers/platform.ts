import type { Json, JsonObject } from "../common/json.ts";
import type { PlatformOffer, TextBatch } from "./platform-offers.ts";
import type { WebhookListener } from "./webhook-route.ts";

/**
 * Slot `platform`: a place where people chat. All that are configured run, in the gateway; `register_platform` takes
 * the same keys.
 */
export interface Platform {
  /** The platform's name in the configuration, such as `telegram`. */
  readonly name: string;
  readonly label: string;
  adapter_factory(config: PlatformConfig): PlatformAdapter | Promise<PlatformAdapter>;
  /** Whether what it needs is there. No side effects. */
  check_fn?(): boolean | Promise<boolean>;
  /** False, or a `UserError` that says what lacks, when it cannot be served with these settings. */
  validate_config?(config: PlatformConfig): boolean | Promise<boolean>;
  readonly required_env?: readonly string[];
  readonly install_hint?: string;
  /**
   * Settings from the environment alone, so that it shows as configured; nothing when it is not. No adapter is made for
   * it.
   */
  env_enablement_fn?(): JsonObject | null | undefined | Promise<JsonObject | null | undefined>;
  /** The variable with the channel of `deliver=NAME`. */
  readonly cron_deliver_env_var?: string;
  readonly allowed_users_env?: string;
  readonly allow_all_env?: string;
  /** Longer texts are sent in pieces; 0 is no limit. */
  readonly max_message_length?: number;
  /** Longest caption of a file; absent: texts are sent as separate messages. */
  readonly max_caption_length?: number;
  readonly pii_safe?: boolean;
  readonly emoji?: string;
  /** Joins the system prompt of sessions there. */
  readonly platform_hint?: string;
  /** What the service and this adapter can do. Absent: unknown, and the gateway tries what the adapter's methods allow. */
  readonly offers?: readonly PlatformOffer[];
  /** The unit of `max_message_length` and `max_caption_length`. Default `utf16`: what JavaScript counts. */
  readonly length_unit?: "utf16" | "code_points" | "bytes";
  /** The largest file that the service accepts, in bytes. The chat gets the path of a larger one. */
  readonly max_file_bytes?: number;
  /** How users type commands, if the service keeps `/` for its own. Default `/`; the gateway accepts both. */
  readonly typed_command_prefix?: string;
  /** Joins quick messages of a user into one. Absent: no joining unless the user's settings ask for it. */
  readonly text_batch?: TextBatch;
  /** The least time between two edits of a message, in milliseconds. */
  readonly min_edit_interval_ms?: number;
  /** The connection or a signature identifies every sender, so the gateway checks no allowlist. */
  readonly authenticates_senders?: boolean;
  /** No user reads along: approvals are denied, and the gateway shows no progress. */
  readonly unattended?: boolean;
  /**
   * Tries the settings against the service, without receiving messages.
   * @returns the account, such as `@tea_bot`. Throws an error that says what the service refused.
   */
  test_connection?(config: Omit<PlatformConfig, "message">): string | Promise<string>;
  /** What the user does to start the first chat: a sentence for `hermes setup gateway`. */
  readonly first_step?: string;
}

/** `gateway.platforms.NAME`. */
export interface PlatformConfig {
  readonly enabled: boolean;
  readonly token?: string;
  readonly extra: JsonObject;
  /**
   * Called for each message. Once it resolves, the message is stored or was finally refused, and may be acknowledged;
   * if it rejects, the platform should deliver it again.
   */
  message(event: PlatformMessage): Promise<void>;
  /** The connection is gone: the gateway connects again, by and by, with `is_reconnect`. */
  lost?(reason: string): void;
  /** Slash commands there are, for a menu. */
  commands?(): readonly PlatformCommand[] | Promise<readonly PlatformCommand[]>;
  /** Whether its author may talk to the agent: files of others need not be fetched. */
  welcome?(event: PlatformMessage): boolean | Promise<boolean>;
  /** Where a service pushes to. Absent for a plugin in a separate process. */
  readonly webhooks?: WebhookListener;
}

export interface PlatformCommand {
  readonly name: string;
  readonly description: string;
}

export interface PlatformMessage {
  readonly text: string;
  readonly chat_id: string;
  readonly chat_type?: "dm" | "group" | "channel" | "thread";
  readonly chat_name?: string;
  readonly user_id?: string;
  /** Another id of the same user that allowlists may name; a conversation of a group belongs to this one. */
  readonly user_id_alt?: string;
  readonly user_name?: string;
  readonly thread_id?: string;
  /** The platform's id of the message, unique in its chat: Hermes processes a repeated message once. */
  readonly message_id?: string;
  /** The beginning of the message that this one replies to, and earlier messages of others: untrusted content. */
  readonly reply_to_text?: string;
  readonly channel_context?: string;
  /** Instead of words: the `data` of a button that was pressed. */
  readonly pressed?: string;
  /** Files on this machine. A voice message ends in `.ogg`, `.oga` or `.opus`, or `voice` lists it. */
  readonly media_urls?: readonly string[];
  /** Those of `media_urls` that the user spoke as a voice message. */
  readonly voice?: readonly string[];
  /** Messages of one group (an album) become one message. */
  readonly media_group_id?: string;
  /**
   * The user changed, or deleted, the message with this id. `text` is the new text. The gateway gives no `message_id` to
   * such an event.
   */
  readonly edits?: string;
  readonly deletes?: string;
}

/**
 * Under a text whose `metadata.buttons` has them. An adapter without buttons leaves them out: the text says how to
 * answer in words.
 */
export interface PlatformButton {
  readonly label: string;
  /** At most 60 characters; comes back as {@link PlatformMessage.pressed}. */
  readonly data: string;
}

export interface PlatformAdapter {
  /** True when it is connected now. Throws, or says false, when it cannot be. */
  connect(options: { readonly is_reconnect: boolean }): boolean | void | Promise<boolean | void>;
  disconnect(): void | Promise<void>;
  send(
    chat_id: string,
    text: string,
    options: { readonly reply_to?: string; readonly metadata?: JsonObject },
  ): SendResult | void | Promise<SendResult | void>;
  send_typing?(chat_id: string, options?: { readonly metadata?: JsonObject }): void | Promise<void>;
  /**
   * Shows on a user's message that the agent works on it, or how that ended, such as with a reaction. Repeating it
   * changes nothing. The platform decides whether and how; the gateway ignores failures.
   */
  acknowledge?(chat_id: string, message_id: string, state: WorkState): void | Promise<void>;
  /**
   * Edits one of our messages; repeating the edit changes nothing.
   * @param options.finalize False: more edits follow soon, so report a requested pause (`retry_after`) and do not wait
   * for it.
   */
  edit_message?(
    chat_id: string,
    message_id: string,
    text: string,
    options?: { readonly finalize?: boolean },
  ): SendResult | Promise<SendResult>;
  /** Deletes one of our messages. @returns whether it is gone. */
  delete_message?(chat_id: string, message_id: string): boolean | Promise<boolean>;
  /** The chats that the account can write to, for `send_message` and `--deliver`; up to a few thousand. */
  list_chats?(): readonly PlatformChat[] | Promise<readonly PlatformChat[]>;
  /**
   * Local files, each shown in the service's own way. Without the matching method, a file goes as a document; without
   * any of these, the chat gets the file's path. `path` is a copy that exists until this resolves.
   */
  send_document?(
    chat_id: string,
    path: string,
    options: SendFileOptions,
  ): SendResult | void | Promise<SendResult | void>;
  send_image_file?(
    chat_id: string,
    path: string,
    options: SendFileOptions,
  ): SendResult | void | Promise<SendResult | void>;
  send_voice?(chat_id: string, path: string, options: SendFileOptions): SendResult | void | Promise<SendResult | void>;
  send_video?(chat_id: string, path: string, options: SendFileOptions): SendResult | void | Promise<SendResult | void>;
  get_chat_info?(chat_id: string): JsonObject | Promise<JsonObject>;
}

/** `cancelled`: the turn was stopped, or the message deleted. */
export type WorkState = "working" | "done" | "failed" | "cancelled";

export interface PlatformChat {
  readonly id: string;
  readonly name: string;
  readonly type?: PlatformMessage["chat_type"];
  readonly thread_id?: string;
}

export interface SendFileOptions {
  readonly caption?: string;
  readonly file_name?: string;
  readonly reply_to?: string;
  readonly metadata?: JsonObject;
}

export interface SendResult {
  readonly success: boolean;
  readonly message_id?: string | null;
  readonly error?: string | null;
  readonly retryable?: boolean;
  /** Seconds that the service asks to be left alone. */
  readonly retry_after?: number | null;
  readonly raw_response?: Json;
}
