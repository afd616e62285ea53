/** The parts of the Bot API's objects that this plugin reads. */
export interface Update {
  readonly update_id: number;
  readonly message?: Message;
  /** The new state of a message that its author changed. */
  readonly edited_message?: Message;
  readonly callback_query?: CallbackQuery;
}

/** A button press. */
export interface CallbackQuery {
  readonly id: string;
  readonly from: NonNullable<Message["from"]>;
  /** The message with the button. */
  readonly message?: Message;
  readonly data?: string;
}

export interface Message {
  readonly message_id: number;
  /** Unix time in seconds. */
  readonly date: number;
  readonly chat: {
    readonly id: number;
    readonly type: "private" | "group" | "supergroup" | "channel";
    readonly title?: string;
    readonly is_forum?: boolean;
  };
  readonly from?: {
    readonly id: number;
    readonly is_bot?: boolean;
    readonly first_name?: string;
    readonly last_name?: string;
    readonly username?: string;
  };
  readonly text?: string;
  readonly caption?: string;
  readonly entities?: readonly Entity[];
  readonly caption_entities?: readonly Entity[];
  readonly message_thread_id?: number;
  readonly is_topic_message?: boolean;
  readonly reply_to_message?: Message;
  readonly media_group_id?: string;
  readonly photo?: readonly FileOf[];
  readonly document?: FileOf;
  readonly video?: FileOf;
  readonly animation?: FileOf;
  readonly audio?: FileOf;
  readonly voice?: FileOf;
  readonly sticker?: FileOf;
  readonly location?: { readonly latitude: number; readonly longitude: number };
}

export interface FileOf {
  readonly file_id: string;
  readonly file_unique_id: string;
  readonly file_name?: string;
  readonly file_size?: number;
  readonly mime_type?: string;
}

export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly user?: { readonly id: number };
}

/** The bot's account. */
export interface Bot {
  readonly id: number;
  readonly username: string;
}
