/** An event of the stream. `id`: the position to resume from. */
export interface LiveEvent {
  readonly id?: number;
  readonly event: string;
  readonly data: unknown;
}

/** A page that reads slower loses its events and loads everything again. */
const MOST = 1_000;

/** The events that one page has not received yet. */
export class EventQueue implements AsyncIterable<LiveEvent> {
  readonly #signal: AbortSignal;
  #events: LiveEvent[] = [];
  #woken = Promise.withResolvers<void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#woken.resolve(), { once: true });
  }

  push(event: LiveEvent): void {
    if (this.#signal.aborted) return;
    if (this.#events.length >= MOST) this.#events = [{ id: event.id, event: "reset", data: {} }];
    else this.#events.push(event);
    this.#woken.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent, void, undefined> {
    while (!this.#signal.aborted) {
      const next = this.#events.shift();
      if (next !== undefined) yield next;
      else {
        this.#woken = Promise.withResolvers();
        await this.#woken.promise;
      }
    }
  }
}
