export interface SlackFile {
  readonly id: string;
  readonly name?: string;
  readonly mimetype?: string;
  readonly size?: number;
  /** `slack_audio`: recorded in Slack. */
  readonly subtype?: string;
  readonly url_private?: string;
  readonly url_private_download?: string;
  /** `check_file_info`: the rest comes from `files.info`. */
  readonly file_access?: string;
}

export interface SlackMessage {
  readonly ts: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly text?: string;
  readonly thread_ts?: string;
  readonly files?: readonly SlackFile[];
  /** Shared messages, and previews of links. */
  readonly attachments?: readonly { readonly text?: string; readonly is_share?: boolean }[];
  readonly edited?: object;
}

/** An event of the types `message` and `app_mention`. */
export interface MessageEvent extends SlackMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly channel: string;
  /** `im`, `mpim`, `channel` or `group`. */
  readonly channel_type?: string;
  readonly deleted_ts?: string;
  readonly message?: SlackMessage;
  readonly previous_message?: SlackMessage;
}

export interface EventPayload {
  readonly team_id?: string;
  readonly authorizations?: readonly { readonly team_id?: string | null }[];
  readonly event?: MessageEvent;
}

/** A press of a button. */
export interface ActionPayload {
  readonly type: string;
  readonly team?: { readonly id: string } | null;
  readonly user: { readonly id: string; readonly username?: string; readonly team_id?: string };
  readonly channel?: { readonly id: string };
  readonly message?: { readonly ts: string; readonly thread_ts?: string };
  readonly actions?: readonly { readonly value?: string; readonly action_ts?: string }[];
}

export interface CommandPayload {
  readonly team_id?: string;
  readonly command: string;
  readonly text?: string;
  readonly user_id: string;
  readonly user_name?: string;
  readonly channel_id: string;
  readonly trigger_id: string;
}

export interface Conversation {
  readonly id: string;
  readonly name?: string;
  /** The other user of a direct chat. */
  readonly user?: string;
  readonly is_im?: boolean;
}
