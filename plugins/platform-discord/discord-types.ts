export interface User {
  readonly id: string;
  readonly username?: string;
  readonly global_name?: string | null;
  readonly bot?: boolean;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly content_type?: string;
}

export interface Message {
  readonly id: string;
  readonly channel_id: string;
  readonly guild_id?: string;
  readonly type?: number;
  readonly flags?: number;
  readonly author?: User;
  readonly content?: string;
  readonly edited_timestamp?: string | null;
  readonly mentions?: readonly User[];
  readonly attachments?: readonly Attachment[];
  readonly referenced_message?: Message | null;
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  /** 2: a slash command; 3: a button. */
  readonly type: number;
  readonly channel_id?: string;
  readonly guild_id?: string;
  readonly member?: { readonly user: User };
  readonly user?: User;
  readonly data?: {
    readonly custom_id?: string;
    readonly name?: string;
    readonly options?: readonly { readonly value?: unknown }[];
  };
}

export interface Channel {
  readonly id: string;
  readonly type: number;
  readonly name?: string | null;
  readonly parent_id?: string | null;
}

/** Where a message is: a thread is a channel below another one. */
export interface Place {
  readonly chat: string;
  readonly thread?: string;
  readonly direct: boolean;
}
