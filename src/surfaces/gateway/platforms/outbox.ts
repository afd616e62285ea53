import type { ChatAddress, ChatLanes, WaitingMessage } from "../../../contract/services/gateway-service.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { SendResult } from "../../../contract/providers/platform.ts";
import type { PlatformLine } from "./platform-connection.ts";
import { outgoingPieces, type OutgoingPiece } from "../answers/outgoing-pieces.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface OutboxPorts {
  readonly lanes: ChatLanes;
  readonly log: Logger;
  line(platform: string): PlatformLine | undefined;
  /** Delay before the first retry; doubles with each retry. */
  readonly retryMs: number;
  /** Deletes copies of files that are no longer needed. */
  release(files: readonly OutgoingFile[]): Promise<void>;
}

const MAX_TRIES = 8;
/** After this time the outcome of a send is unknown. */
const SEND_MS = 120_000;
const SEND_FILE_MS = 600_000;

/** Sends the stored messages: one at a time per chat, each piece once. */
export class Outbox {
  readonly #ports: OutboxPorts;
  /** Waiting messages by chat; the first of each is being sent. */
  readonly #chats = new Map<string, WaitingMessage[]>();
  readonly #working = new Map<string, Promise<void>>();
  #last = 0;
  #pulling: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** Does not resend what an earlier process was sending, but reports it to the chat. */
  async start(): Promise<void> {
    await this.#reportUnsure("I was stopped while sending an answer here");
    await this.wake();
  }

  /**
   * @param what What happened while it was sent.
   * @param id A message whose outcome became unknown in this run.
   */
  async #reportUnsure(what: string, id?: number): Promise<void> {
    const { lanes, log } = this.#ports;
    const unsure = await lanes.unsure(
      (one) => ({
        to: one.to,
        key: `unsure:${one.id}:${one.piece}`,
        text: `${what}, and I do not know whether it arrived. /resend sends it again.`,
      }),
      id,
    );
    for (const { to, id: outbox } of unsure)
      log.warning(`It is unknown whether an answer arrived: ${what}.`, { platform: to.platform, outbox });
  }

  /** Starts sending: a message waits, or a platform reconnected. */
  wake(): Promise<void> {
    this.#pulling = this.#pulling
      .then(() => this.#pull())
      .catch((cause: unknown) => this.#ports.log.error("Cannot read the outbox.", { cause }));
    return this.#pulling;
  }

  /** Resends the messages to this chat that failed or may not have arrived. */
  async again(to: ChatAddress): Promise<number> {
    const count = await this.#ports.lanes.again(to);
    this.#last = 0;
    await this.wake();
    return count;
  }

  /** Starts no more sends; resolves when pending ones have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.idle();
  }

  /** Resolves when nothing that can be sent now is pending. */
  async idle(): Promise<void> {
    await this.#pulling;
    while (this.#working.size > 0) await Promise.allSettled(this.#working.values());
  }

  async #pull(): Promise<void> {
    const known = new Set([...this.#chats.values()].flat().map(({ id }) => id));
    for (const message of await this.#ports.lanes.waiting(this.#last)) {
      this.#last = Math.max(this.#last, message.id);
      if (known.has(message.id)) continue;
      const chat = chatOf(message.to);
      const queue = this.#chats.get(chat);
      if (queue === undefined) this.#chats.set(chat, [message]);
      else queue.push(message);
    }
    for (const chat of this.#chats.keys()) this.#work(chat);
  }

  #work(chat: string): void {
    if (this.#working.has(chat) || this.#stopping.signal.aborted) return;
    const work = this.#drain(chat)
      .catch((cause: unknown) => this.#ports.log.error("Cannot send an answer.", { cause }))
      .finally(() => this.#working.delete(chat));
    this.#working.set(chat, work);
  }

  /** Pauses while the platform is not connected. */
  async #drain(chat: string): Promise<void> {
    const queue = this.#chats.get(chat) ?? [];
    for (let message = queue[0]; message !== undefined && !this.#stopping.signal.aborted; message = queue[0]) {
      const line = this.#ports.line(message.to.platform);
      if (line?.state !== "connected") return;
      if ((await this.#deliver(line, message)) === "later") return;
      queue.shift();
    }
    if (queue.length === 0) this.#chats.delete(chat);
  }

  async #deliver(line: PlatformLine, message: WaitingMessage): Promise<"over" | "later"> {
    const { lanes, log } = this.#ports;
    const pieces = outgoingPieces(message, {
      maxText: line.platform?.max_message_length ?? 0,
      maxCaption: line.takesFiles ? (line.platform?.max_caption_length ?? 0) : 0,
      unit: line.platform?.length_unit,
    });
    for (let at = message.piece; at < pieces.length; at++) {
      for (let tries = 1; ; tries++) {
        await lanes.sending(message.id);
        const result = await this.#send(line, message, pieces[at]!, {
          piece: at,
          last: at + 1 === pieces.length,
          lastTry: tries >= MAX_TRIES,
        });
        if ("unknown" in result) {
          await this.#reportUnsure(result.unknown, message.id);
          void this.wake();
          return "over";
        }
        if (result.success) {
          await lanes.sent(message.id, at + 1, at + 1 === pieces.length);
          if (at + 1 === pieces.length)
            await this.#ports
              .release(message.files ?? [])
              .catch((cause: unknown) => log.warning("Cannot delete the copies of files that were sent.", { cause }));
          break;
        }
        const final = result.retryable === false || tries >= MAX_TRIES;
        await lanes.unsent(message.id, result.error ?? "", final);
        log.warning(`Cannot send a message: ${result.error ?? "no reason given"}.`, {
          platform: line.plan.name,
          outbox: message.id,
          final,
        });
        if (final) return "over";
        if (line.state !== "connected") return this.#keepPlace(message, at);
        await pause(
          Math.max(this.#ports.retryMs * 2 ** (tries - 1), (result.retry_after ?? 0) * 1000),
          this.#stopping.signal,
        );
        if (this.#stopping.signal.aborted) return this.#keepPlace(message, at);
      }
    }
    return "over";
  }

  #keepPlace(message: WaitingMessage, piece: number): "later" {
    const queue = this.#chats.get(chatOf(message.to));
    if (queue !== undefined) queue[0] = { ...message, piece };
    return "later";
  }

  /** An edit may be repeated safely, so an unknown outcome does not matter. */
  async #edit(line: PlatformLine, { chatId }: ChatAddress, messageId: string, text: string): Promise<SendResult> {
    const late = Promise.withResolvers<SendResult>();
    const failed = (error: string): SendResult => ({ success: false, error, retryable: true });
    const timer = setTimeout(() => late.resolve(failed("no answer in time")), SEND_MS);
    const edited = line
      .edit(chatId, messageId, text, { finalize: true })
      .catch((cause: unknown) => failed(cause instanceof Error ? cause.message : String(cause)));
    return Promise.race([edited, late.promise]).finally(() => clearTimeout(timer));
  }

  async #send(
    line: PlatformLine,
    message: WaitingMessage,
    what: OutgoingPiece,
    { piece, last, lastTry }: { readonly piece: number; readonly last: boolean; readonly lastTry: boolean },
  ): Promise<SendResult | Unknown> {
    const late = Promise.withResolvers<Unknown>();
    const { label } = line.plan;
    const unconfirmed = { unknown: `${label} did not confirm in time that it has an answer that I sent here` };
    const timer = setTimeout(() => late.resolve(unconfirmed), what.kind === "file" ? SEND_FILE_MS : SEND_MS);
    const { to, replyTo, key, buttons, edits = "" } = message;
    try {
      if (piece === 0 && edits !== "") {
        const edited = what.kind === "text" && line.edits ? await this.#edit(line, to, edits, what.text) : undefined;
        // If the message is gone or too old to be edited, send a new one.
        if (edited?.success === true || (edited !== undefined && edited.retryable !== false && !lastTry)) return edited;
        await this.#ports.lanes.apart(message.id);
        // The half-written message would remain beside the new one.
        await line.remove(to.chatId, edits);
      }
      const options = definedFields({
        key: `${key}#${piece}`,
        threadId: to.threadId,
        replyTo: piece === 0 && replyTo !== undefined ? replyTo : undefined,
      });
      const sent =
        what.kind === "file"
          ? line.sendFile(to.chatId, what.file, { ...options, caption: what.caption })
          : line.send(to.chatId, what.text, {
              ...options,
              buttons: last && buttons !== undefined ? buttons : undefined,
            });
      return (await Promise.race([sent, late.promise])) ?? { success: true };
    } catch (cause) {
      const unknown = unknownOutcome(cause, label);
      if (unknown !== undefined) return unknown;
      // The copy is deleted, so a retry cannot succeed.
      const gone = (cause as NodeJS.ErrnoException).code === "ENOENT";
      return { success: false, error: cause instanceof Error ? cause.message : String(cause), retryable: !gone };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What happened to a message that the service may or may not have received. */
interface Unknown {
  readonly unknown: string;
}

function unknownOutcome(cause: unknown, label: string): Unknown | undefined {
  if (cause instanceof ToolFailure && cause.code === "plugin_gone" && cause.cause !== undefined)
    return { unknown: `The plugin that connects me to ${label} ended while it sent an answer here` };
  return cause instanceof Error && cause.name === "TimeoutError"
    ? { unknown: `The connection to ${label} failed while I sent an answer here` }
    : undefined;
}

function chatOf({ platform, chatId }: ChatAddress): string {
  return `${platform}:${chatId}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, ms);
  const stop = (): void => done.resolve();
  signal.addEventListener("abort", stop, { once: true });
  return done.promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
