import type { ApiLedger } from "./api-ledger.ts";
import type { Job, JobOrigin } from "./job.ts";
import type { JsonObject } from "../common/json.ts";
import type { OutgoingFile, OutgoingFiles } from "../conversation/outgoing-file.ts";
import type { Platform, PlatformButton, PlatformMessage } from "../providers/platform.ts";

/**
 * Services of the host for a process that serves chats: the plugins' platforms, the home's single gateway lock, the
 * durable queues of messages.
 */
export interface GatewayService {
  /** Platforms of enabled plugins; listing them loads no code. */
  platforms(): readonly RegisteredPlatform[];
  /** A variable of `.env` or the process. `undefined` when unset or empty. */
  variable(name: string): string | undefined;
  /** One gateway a home; it goes with its process. `undefined` while another process has it. */
  takeSeat(): Promise<Disposable | undefined>;
  /** Whether a process serves the chats of this home now. */
  running(): Promise<boolean>;
  lanes(): Promise<ChatLanes>;
  apiLedger(): Promise<ApiLedger>;
  readonly files: OutgoingFiles;
  /** Resolves a target: `PLATFORM`, `PLATFORM:CHAT[:THREAD]`, `all`, `origin`. Empty: no such target. */
  destinations(target: string, origin: Job["origin"]): readonly Destination[];
  /**
   * Leaves a text for a platform's home channel, or for a chat of it. It waits in the store, and the gateway of this
   * home sends it, in whatever process that runs, now or when it is next started.
   * @param to.key What was left under this key once is not sent again.
   * @throws {UserError} when there is no such platform, or it has no home channel.
   */
  deliver(
    to: { readonly platform: string; readonly chatId?: string; readonly threadId?: string; readonly key: string },
    text: string,
    files?: readonly OutgoingFile[],
  ): Promise<void>;
}

/** What became of a message in the outbox. `unknown`: its process ended while it sent. */
export interface DeliveryState {
  readonly state: "waiting" | "sending" | "sent" | "failed" | "unknown";
  /** The last error. */
  readonly why?: string;
}

/** A message that is not sent, or not for certain. */
export interface PendingDelivery extends DeliveryState {
  readonly id: number;
  /** Epoch ms when it was left to be sent. */
  readonly at: number;
  readonly to: ChatAddress;
  readonly text: string;
  /** How many files go with it. */
  readonly files: number;
}

export interface RegisteredPlatform {
  readonly name: string;
  readonly label: string;
  /** Key of the plugin. */
  readonly plugin: string;
  /** The data that the platform registered. */
  readonly data: JsonObject;
  load(): Promise<Platform>;
}

/** Where a message goes. */
export interface ChatAddress {
  readonly platform: string;
  readonly chatId: string;
  readonly threadId?: string;
}

/** Where a text goes; without a chat to the platform's home channel. */
export type Destination = { readonly platform: string } & Partial<Omit<ChatAddress, "platform">>;

/** Sending to chats, for plugins. */
export type ChatPost = Pick<GatewayService, "platforms" | "running" | "destinations" | "deliver"> & {
  /** Chats that wrote lately, the latest first. */
  heard(): Promise<readonly ChatAddress[]>;
  /** The chat user of that session, if not the owner, and the chat whose message it answers now. */
  speaker(sessionId: string): Promise<{ readonly whose?: string; readonly chat?: JobOrigin }>;
};

/** A message that was taken in and is not dealt with yet. */
export interface ReceivedMessage {
  readonly id: number;
  readonly platform: string;
  readonly sessionKey: string;
  readonly message: PlatformMessage;
  /** The session that was handed it; absent: none yet. */
  readonly sessionId?: string;
}

export interface Outgoing {
  readonly to: ChatAddress;
  readonly text: string;
  readonly replyTo?: string;
  readonly buttons?: readonly PlatformButton[];
  /** They go after the words. */
  readonly files?: readonly OutgoingFile[];
  /** A message already sent under this key is not sent again. */
  readonly key: string;
}

export interface WaitingMessage extends Outgoing {
  readonly id: number;
  /** How many of its pieces the platform has confirmed. */
  readonly piece: number;
  /**
   * The message into which its beginning was written already: the first piece takes its place. Empty: that message is
   * gone.
   */
  readonly edits?: string;
}

/** The conversation that a chat is in. */
export interface ChatSession {
  readonly sessionKey: string;
  readonly sessionId: string;
  /** Epoch ms of its last message. */
  readonly at: number;
}

/**
 * Messages of chats in the store: in before they are acknowledged, out before they are sent. Each step is durable when
 * it resolves.
 */
export interface ChatLanes {
  /** `duplicate`: a message of that id of that chat was taken in before. */
  receive(message: {
    readonly platform: string;
    readonly sessionKey: string;
    readonly message: PlatformMessage;
    /** Dealt with already; only its id is kept. */ readonly done?: true;
  }): Promise<number | "duplicate">;
  /** Joins waiting messages into the first of them, which has this content from now on. */
  join(ids: readonly number[], message: PlatformMessage): Promise<void>;
  /**
   * Its author changed a message, or deleted it (`text` is `undefined`). Only a message that waits is changed.
   * @returns what had become of it; `undefined`: no such message was taken in.
   */
  revise(
    message: { readonly platform: string; readonly chatId: string; readonly messageId: string },
    text: string | undefined,
  ): Promise<{ readonly id: number; readonly state: "new" | "handed" | "done" } | undefined>;
  /**
   * Remembers a delivery of a webhook route, with the reply that it got.
   * @returns the earlier reply if the id of the route is known.
   */
  noteDelivery(route: string, id: string, reply: JsonObject): Promise<JsonObject | undefined>;
  /** The reply that a delivery got; `undefined`: it is new. */
  delivered(route: string, id: string): Promise<JsonObject | undefined>;
  /** How many messages of a platform wait or are being answered, and how many of them are of this user. */
  backlog(platform: string, sessionKeyPrefix: string): Promise<{ readonly all: number; readonly own: number }>;
  /** It is handed to a session now. */
  hand(id: number, sessionId: string): Promise<void>;
  /** Dealt with; what is to be said to it waits to be sent from the same moment on. */
  finish(id: number | undefined, answer?: Outgoing): Promise<void>;
  /**
   * Which message shows, while it is written, what goes out under this key (none: `undefined`). `finish` puts the
   * answer into it.
   */
  showing(key: string, messageId: string | undefined): Promise<void>;
  unfinished(): Promise<readonly ReceivedMessage[]>;
  /** Later than `after`, in order: what waits to be sent. */
  waiting(after: number): Promise<readonly WaitingMessage[]>;
  /** What became of the message with this key; `undefined`: there is none. */
  delivery(key: string): Promise<DeliveryState | undefined>;
  /** A piece is being sent: until it is confirmed, its delivery is unknown. */
  sending(id: number): Promise<void>;
  /** It cannot go into the message that shows its beginning: it is sent as a separate message, once. */
  apart(id: number): Promise<void>;
  /** The platform has it. */
  sent(id: number, piece: number, last: boolean): Promise<void>;
  /** It is known not to have arrived. */
  unsent(id: number, why: string, final: boolean): Promise<void>;
  /**
   * Messages that were being sent when an earlier process ended, or that one; from now on nothing sends them
   * automatically.
   * @param doubt What the chat reads about each, waiting to be sent from the same moment on.
   */
  unsure(doubt: (message: WaitingMessage) => Outgoing, id?: number): Promise<readonly WaitingMessage[]>;
  /**
   * Queues messages of unknown or failed delivery again.
   * @returns how many there were.
   */
  again(to: ChatAddress): Promise<number>;
  /** Messages that are not sent, or not for certain; the latest first, `most` of them. */
  pendingDeliveries(most: number): Promise<readonly PendingDelivery[]>;
  /**
   * Queues one message of unknown or failed delivery again, behind what waits already. The gateway sends it, in whatever
   * process that runs.
   * @returns whether there was one.
   */
  resend(id: number): Promise<boolean>;
  chat(sessionKey: string): Promise<ChatSession | undefined>;
  noteChat(chat: ChatSession): Promise<void>;
  /** Chats that wrote and are not pruned, the latest first, fifty at most. */
  recentChats(): Promise<readonly ChatAddress[]>;
  /** Removes what is over and older than this. */
  prune(beforeAt: number): Promise<void>;
}
