import type { Json, JsonObject } from "../common/json.ts";

/** Slot `platform`: a place where people chat. All that are configured run, in the gateway; `register_platform` takes the same keys. */
export interface Platform {
  /** What configuration calls it. */
  readonly name: string;
  readonly label: string;
  adapter_factory(config: PlatformConfig): PlatformAdapter | Promise<PlatformAdapter>;
  /** Whether what it needs is there. No side effects. */
  check_fn?(): boolean | Promise<boolean>;
  /** False, or a `UserError` that says what lacks, when it cannot be served with these settings. */
  validate_config?(config: PlatformConfig): boolean | Promise<boolean>;
  readonly required_env?: readonly string[];
  readonly install_hint?: string;
  /** Settings from the environment alone, so that it shows as configured; nothing when it is not. No adapter is made for it. */
  env_enablement_fn?(): JsonObject | null | undefined | Promise<JsonObject | null | undefined>;
  /** The variable with the channel of `deliver=NAME`. */
  readonly cron_deliver_env_var?: string;
  readonly allowed_users_env?: string;
  readonly allow_all_env?: string;
  /** Longer texts are sent in pieces; 0 is no limit. */
  readonly max_message_length?: number;
  /** Longest text that stands under a file; absent: texts are sent by themselves. */
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
  /** Told of each message. Once it resolves the message is kept, or was refused for good, and may be acknowledged; when it rejects it should come again. */
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
  /** Of the platform, unique in its chat: what comes twice is taken in once. */
  readonly message_id?: string;
  /** The beginning of the message that this one answers, and what others said before it: words of strangers. */
  readonly reply_to_text?: string;
  readonly channel_context?: string;
  /** Instead of words: the `data` of a button that was pressed. */
  readonly pressed?: string;
  /** Files on this machine. */
  readonly media_urls?: readonly string[];
}

/** Under a text whose `metadata.buttons` has them. An adapter without buttons leaves them out: the text says how to answer in words. */
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
   * Puts other words in the place of a message of ours: what it says once is what it says twice.
   * @param options.finalize False: more is to come soon, so that a pause which the service asks for is told (`retry_after`) and not waited for.
   */
  edit_message?(
    chat_id: string,
    message_id: string,
    text: string,
    options?: { readonly finalize?: boolean },
  ): SendResult | Promise<SendResult>;
  /**
   * Files of this machine, each in the way the service shows it. What an adapter lacks goes as a document; without any of these a chat is told
   * where a file lies. `path` is a copy that is there until this resolves.
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
