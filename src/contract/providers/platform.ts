import type { Json, JsonObject } from "../common/json.ts";

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
  readonly user_name?: string;
  readonly thread_id?: string;
  /** The platform's id of the message, unique in its chat: Hermes processes a repeated message once. */
  readonly message_id?: string;
  /** The beginning of the message that this one replies to, and earlier messages of others: untrusted content. */
  readonly reply_to_text?: string;
  readonly channel_context?: string;
  /** Instead of words: the `data` of a button that was pressed. */
  readonly pressed?: string;
  /** Files on this machine. */
  readonly media_urls?: readonly string[];
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
  send_typing?(chat_id: string): void | Promise<void>;
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
