import type { SendResult } from "../../../contract/providers/platform.ts";

export interface LiveMessagePorts {
  send(text: string): Promise<SendResult | void>;
  edit(messageId: string, text: string): Promise<SendResult>;
  /** Between two changes of it. */
  readonly everyMs: number;
}

/** Refusals after which it is left as it is. */
const MAX_REFUSALS = 3;
/** A request that is on its way is waited for this long before somebody else may write in its place. */
const LAST_WORD_MS = 30_000;

/**
 * One message of a chat that is written again in place while something goes on. It is a show: what is not shown in time is not shown, a service
 * that asks for patience gets it, and one that refuses is left alone.
 */
export class LiveMessage {
  readonly #ports: LiveMessagePorts;
  #id: string | undefined;
  #wanted = "";
  #shown = "";
  #everyMs: number;
  #nextAt = 0;
  #refusals = 0;
  /** Nothing is written any more. */
  #over = false;
  #working: Promise<void> | undefined;
  #stopWaiting: (() => void) | undefined;

  /** @param id Of a message that is there already. */
  constructor(ports: LiveMessagePorts, id?: string) {
    this.#ports = ports;
    this.#everyMs = ports.everyMs;
    this.#id = id;
  }

  /** Of the message, once the platform has told it. */
  get id(): string | undefined {
    return this.#id;
  }

  show(text: string): void {
    this.#wanted = text;
    if (this.#over || text.trim() === "") return;
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  /**
   * Nothing is written after this resolves.
   * @param last What it is to say in the end, where nobody else says it.
   * @returns whether that is certain: false when a request is still out there.
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
        // Nobody knows whether it is there: a message that was perhaps sent is not sent again.
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
      // One that cannot be named cannot be written again.
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
