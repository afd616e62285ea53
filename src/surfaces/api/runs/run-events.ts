import type { Json } from "../../../contract/common/json.ts";

export interface RunEvent {
  /** Starts at 1. */
  readonly id: number;
  readonly name: string;
  readonly fields: { readonly [key: string]: Json | undefined };
  /** Epoch ms. */
  readonly at: number;
}

/** Events of a run. Any number of readers can read them from any position. */
export class RunEvents {
  readonly #events: RunEvent[] = [];
  #more = Promise.withResolvers<void>();
  #over = false;

  get last(): RunEvent | undefined {
    return this.#events.at(-1);
  }

  add(name: string, fields: RunEvent["fields"] = {}): void {
    this.#events.push({ id: this.#events.length + 1, name, fields, at: Date.now() });
    this.#wake();
  }

  /** No more events follow. */
  end(): void {
    this.#over = true;
    this.#wake();
  }

  /** Yields the events after `id`, past and future, until the end or the signal. */
  async *after(id: number, signal: AbortSignal): AsyncGenerator<RunEvent, void> {
    const stop = Promise.withResolvers<void>();
    const leave = (): void => stop.resolve();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for (let at = Math.max(0, id); !signal.aborted;) {
        const more = this.#more.promise;
        while (at < this.#events.length && !signal.aborted) yield this.#events[at++]!;
        if (this.#over && at >= this.#events.length) return;
        await Promise.race([more, stop.promise]);
      }
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #wake(): void {
    const { resolve } = this.#more;
    this.#more = Promise.withResolvers();
    resolve();
  }
}
