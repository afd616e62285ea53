import type { JsonObject } from "../../contract/common/json.ts";
import type { PlatformOffer } from "../../contract/providers/platform-offers.ts";
import type { Platform, PlatformCommand, WorkState } from "../../contract/providers/platform.ts";

/**
 * A platform with its other end: a real server, or a double of the service on this machine that checks what it receives
 * as strictly as the service does. A member that belongs to an offer (see `PLATFORM_OFFERS`) is required if the platform
 * declares that offer. Ids and texts are what the service shows; the suite does not know how it writes them.
 */
export interface PlayedPlatform extends AsyncDisposable {
  readonly platform: Platform;
  /** `extra` of its configuration. */
  readonly extra?: JsonObject;
  /** The home where received files go: `ctx.home` of the plugin. */
  readonly home?: string;
  /** A chat that users write in. Default `chat_1`. */
  readonly chat?: string;
  /** Another direct chat, if the service has several. */
  readonly otherChat?: string;
  /** Limits the content of one message there, if there are limits. */
  readonly sayable?: (text: string) => boolean;
  /** A user writes in that chat, to the agent. `ada` and `bob` may write; both are people. */
  write(chat_id: string, user_id: string, text: string, more?: WrittenMore): Promise<void>;
  /** The next text that arrives at the other end; a long one may come in several. */
  arrived(): Promise<ArrivedText>;
  /** The next change of a message that arrives at the other end. Offer `edits`. */
  changed?(): Promise<{ readonly message_id: string; readonly text: string }>;
  /** The next file that arrives there. Offers `files_sent`, `voice_sent`. */
  received?(): Promise<ReceivedFile>;
  /** The service ends the connection. Resolves when it is ended there. Offer `connection`. */
  cut?(): Promise<void>;
  /** A chat to which the service takes no message. Offer `refusals`. */
  readonly refusing?: string;
  /** A chat with several users, in which the agent needs a mention. Offers `groups`, `mentions`. */
  readonly group?: string;
  /** A user changes, or deletes, the message with this id. Offers `edits_received`, `deletes_received`. */
  edit?(chat_id: string, user_id: string, message_id: string, text: string): Promise<void>;
  remove?(chat_id: string, user_id: string, message_id: string): Promise<void>;
  /** The next sign that arrives on a user's message. Offer `acknowledgements`. */
  acknowledged?(): Promise<{ readonly message_id: string; readonly state: WorkState }>;
  /** The next typing indicator. Offer `typing`. */
  typing?(): Promise<{ readonly chat_id: string }>;
  /** A user presses a button of the last message that arrived, by its label. Offer `buttons`. */
  press?(chat_id: string, user_id: string, label: string): Promise<void>;
  /** Names in the command menu now. Offer `command_menu`. */
  menu?(): Promise<readonly string[]> | readonly string[];
  /** The next of our messages that is deleted. Offer `deletes`. */
  deleted?(): Promise<{ readonly message_id: string }>;
  /** The service delivers its last message to the agent again. Offer `message_ids`. */
  redeliver?(): Promise<void>;
  /** The next request that sends a message is answered with a request for this pause. Offer `rate_limits`. */
  throttle?(seconds: number): void;
  /** The next request that sends a message ends so: no answer, or half of one. The service has not received it. */
  breakSend?(how: "drop" | "half" | "error"): void;
  /** The platform with credentials that the service rejects; `secret` is the wrong one. */
  readonly rejected?: { readonly platform: Platform; readonly extra?: JsonObject; readonly secret: string };
  /** A delivery with a wrong signature. @returns the status of the answer. Offer `pushed`. */
  forge?(): Promise<number>;
}

/** What a message has besides its text. */
export interface WrittenMore {
  readonly thread?: string;
  /** In a group: whether it mentions the agent. Default true. */
  readonly mention?: boolean;
  /** The text of a message of another user that this one answers. */
  readonly quoting?: string;
  /** It answers this message of the agent. */
  readonly answering?: string;
  readonly file?: {
    readonly name: string;
    readonly bytes: string;
    readonly kind: "document" | "voice" | "image";
    /** The service says that the file has this size. */ readonly size?: number;
  };
  /** A bot wrote it. */
  readonly bot?: boolean;
}

export interface ArrivedText {
  readonly chat_id: string;
  readonly text: string;
  readonly thread?: string;
  /** The message that it answers. */
  readonly reply_to?: string;
  /** Labels of its buttons. */
  readonly buttons?: readonly string[];
}

export interface ReceivedFile {
  readonly name: string;
  readonly bytes: string;
  readonly caption: string;
  readonly kind?: "document" | "voice" | "image" | "video";
}

/** `contract.json` of a platform's plugin, which its suite and the reference table read. */
export interface ContractFacts {
  /** What the suite runs against. */
  readonly against: "server" | "double";
  /** Its name, such as `ngircd`, or the documentation that the double follows. */
  readonly with: string;
  /** The reason for each feature that the platform does not offer. */
  readonly notOffered: { readonly [Offer in PlatformOffer]?: string };
  /** Why the other end cannot play something that no offer covers. */
  readonly notPlayed?: { readonly [Member in keyof PlayedPlatform]?: string };
}

export const COMMANDS: readonly PlatformCommand[] = [
  { name: "help", description: "Show the commands" },
  { name: "new", description: "Start a new conversation" },
];
