/**
 * What a chat service can do, and its adapter does. `platformContract` checks each declared offer, and needs a reason
 * for each that is missing.
 */
export const PLATFORM_OFFERS = {
  replies: "answers refer to the message they answer",
  threads: "conversations in threads or topics",
  groups: "chats with several users",
  mentions: "rules for when a message in a group is addressed to the agent",
  bots: "messages of other bots are recognised, and ignored",
  edits_received: "changes that users make to their messages",
  deletes_received: "messages that users delete",
  acknowledgements: "a sign on the user's message that the agent works on it",
  typing: "a typing indicator",
  files_received: "files from users",
  voice_received: "voice messages from users",
  files_sent: "files to users",
  voice_sent: "voice messages to users",
  buttons: "buttons under questions",
  command_menu: "a menu of slash commands",
  edits: "answers that grow while the model writes them",
  deletes: "deleting own messages",
  chat_list: "a list of the chats it can write to",
  history: "messages sent while the agent was away",
  accounts: "several accounts at once",
  connection: "a lasting connection, which it restores",
  pushed: "a service that pushes messages to a webhook",
  message_ids: "ids by which repeated messages are recognised",
  rate_limits: "a service that asks for a pause",
  refusals: "a service that refuses messages to unknown chats",
} as const;

export type PlatformOffer = keyof typeof PLATFORM_OFFERS;

/**
 * How quick messages of a user are joined into one. The user sets the delays with
 * `HERMES_PLATFORM_TEXT_BATCH_DELAY_SECONDS` and `HERMES_PLATFORM_TEXT_BATCH_SPLIT_DELAY_SECONDS`; a delay of 0 joins
 * none.
 */
export interface TextBatch {
  /** How long a message waits for the next one. */
  readonly delay_seconds: number;
  /** The same after a message of nearly the service's longest: its client split a long text. */
  readonly split_delay_seconds: number;
  /** A text of this length counts as split, in UTF-16 units. */
  readonly split_length?: number;
  /** Shorter delays for short texts: pairs of the longest text and its delay, shortest first. */
  readonly short_delays?: readonly (readonly [maxLength: number, seconds: number])[];
  /** The longest delays that a user may set. Default 10 and 30. */
  readonly max_delay_seconds?: number;
  readonly max_split_delay_seconds?: number;
  /** How long a message of an album waits for the others. Default 0.8. */
  readonly media_delay_seconds?: number;
}
