import type { SendResult } from "../../../contract/providers/platform.ts";

export interface LiveMessagePorts {
  send(text: string): Promise<SendResult | void>;
  edit(messageId: string, text: string): Promise<SendResult>;
  /** Time between two edits. */
  readonly everyMs: number;
}

/** The message is no longer edited after this many refusals. */
const MAX_REFUSALS = 3;
/** Closing waits this long for a pending request before the outbox may edit the message. */
const LAST_WORD_MS = 30_000;

/**
 * One message of a chat that is edited while a turn runs. It is only a preview: outdated texts are dropped, edits pause
 * when the service asks for it, and stop when the service refuses them.
 */
export class LiveMessage {
  readonly #ports: LiveMessagePorts;
  #id: string | undefined;
  #wanted = "";
  #shown = "";
  #everyMs: number;
  #nextAt = 0;
  #refusals = 0;
  /** No more edits. */
  #over = false;
  #working: Promise<void> | undefined;
  #stopWaiting: (() => void) | undefined;

  /** @param id The message to edit, if it exists already. */
  constructor(ports: LiveMessagePorts, id?: string) {
    this.#ports = ports;
    this.#everyMs = ports.everyMs;
    this.#id = id;
  }

  /** The message id, once the platform has returned it. */
  get id(): string | undefined {
    return this.#id;
  }

  show(text: string): void {
    this.#wanted = text;
    if (this.#over || text.trim() === "") return;
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  /**
   * Stops editing.
   * @param last The final text, if the outbox does not write it.
   * @returns whether no edit can follow: false if a request is still pending.
   */
  async close(last?: string): Promise<boolean> {
    this.#over = true;
    this.#stopWaiting?.();
    const quiet = await inTime(this.#working);
    const patience = this.#nextAt - performance.now() > this.#ports.everyMs;
    if (
      !quiet ||
      last === undefined ||
      last === this.#shown ||
      this.#id === undefined ||
      this.#refusals >= MAX_REFUSALS ||
      patience
    )
      return quiet;
    return inTime(this.#write(last).catch(() => undefined));
  }

  async #work(): Promise<void> {
    while (!this.#over && this.#wanted !== this.#shown) {
      await this.#wait(this.#nextAt - performance.now());
      if (this.#over) return;
      try {
        await this.#write(this.#wanted);
      } catch {
        // The message may have been sent, so do not send it again.
        this.#refusals++;
        if (this.#id === undefined) this.#over = true;
      }
      if (this.#refusals >= MAX_REFUSALS) this.#over = true;
      this.#nextAt = Math.max(this.#nextAt, performance.now() + this.#everyMs);
    }
  }

  async #write(text: string): Promise<void> {
    const result = (await (this.#id === undefined ? this.#ports.send(text) : this.#ports.edit(this.#id, text))) ?? {
      success: true,
    };
    if (result.success) {
      this.#id ??= result.message_id ?? undefined;
      this.#shown = text;
      this.#refusals = 0;
      // A message without an id cannot be edited.
      if (this.#id === undefined) this.#over = true;
      return;
    }
    this.#refusals++;
    this.#everyMs *= 2;
    this.#nextAt = performance.now() + (result.retry_after ?? 0) * 1000;
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    const done = Promise.withResolvers<void>();
    const timer = setTimeout(done.resolve, ms);
    this.#stopWaiting = done.resolve;
    await done.promise;
    clearTimeout(timer);
  }
}

async function inTime(work: Promise<void> | undefined): Promise<boolean> {
  if (work === undefined) return true;
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), LAST_WORD_MS);
  return Promise.race([work.then(() => true), late.promise]).finally(() => clearTimeout(timer));
}
