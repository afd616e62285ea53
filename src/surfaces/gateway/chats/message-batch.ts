import type { ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { batchDelayMs, type BatchTimes } from "./batch-times.ts";

export interface MessageBatchPorts {
  times(): BatchTimes;
  /** Receives messages that belong together, in order. */
  pass(messages: readonly ReceivedMessage[]): void;
}

/** A burst that does not end is passed on after this time. */
const LONGEST_HOLD_MS = 60_000;

/**
 * Holds a stored message of a chat until no other follows that belongs to it: the rest of a text that the user's client
 * split, the next picture of an album, quick short messages. A crash loses nothing, because each is in the inbox.
 */
export class MessageBatch {
  readonly #ports: MessageBatchPorts;
  #held: ReceivedMessage[] = [];
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: MessageBatchPorts) {
    this.#ports = ports;
  }

  get holds(): boolean {
    return this.#held.length > 0;
  }

  take(received: ReceivedMessage): void {
    const last = this.#held.at(-1);
    if (last !== undefined && !belongs(last.message, received.message)) this.flush();
    const waitMs = isSlashCommand(received.message.text) ? 0 : batchDelayMs(received.message, this.#ports.times());
    if (this.#held.length === 0) this.#since = performance.now();
    this.#held.push(received);
    clearTimeout(this.#timer);
    if (waitMs === 0 || performance.now() - this.#since > LONGEST_HOLD_MS) return this.flush();
    this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.#ports.pass(held);
  }

  /** Changes a held message. @returns whether it is held. */
  revise(id: number, text: string | undefined): boolean {
    const at = this.#held.findIndex((one) => one.id === id);
    if (at < 0) return false;
    const held = this.#held[at]!;
    if (text === undefined) this.#held.splice(at, 1);
    else this.#held[at] = { ...held, message: { ...held.message, text } };
    return true;
  }

  /** Passes on nothing more: the inbox keeps what is held for the next start. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#held = [];
  }
}

function belongs(before: PlatformMessage, next: PlatformMessage): boolean {
  if (before.user_id !== next.user_id || isSlashCommand(next.text) || isSlashCommand(before.text)) return false;
  return before.media_group_id === next.media_group_id;
}

/** One message with the texts and files of all. It has the id of the last, so that the answer refers to that one. */
export function joined(messages: readonly PlatformMessage[]): PlatformMessage {
  const [first, last] = [messages[0]!, messages.at(-1)!];
  const all = (list: (message: PlatformMessage) => readonly string[] | undefined): readonly string[] | undefined => {
    const found = messages.flatMap((message) => list(message) ?? []);
    return found.length === 0 ? undefined : found;
  };
  return {
    ...first,
    text: messages.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"),
    message_id: last.message_id,
    media_urls: all(({ media_urls }) => media_urls),
    voice: all(({ voice }) => voice),
  };
}
