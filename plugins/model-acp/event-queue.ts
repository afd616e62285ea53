/** An ordered queue of events for one reader. */
export class EventQueue<T> {
  readonly #waiting: T[] = [];
  #ended: { readonly cause?: unknown } | undefined;
  #wake = () => {};

  push(...events: readonly T[]): void {
    this.#waiting.push(...events);
    this.#wake();
  }

  /** @param failed Its cause is thrown at the reader after the queued events. */
  end(failed: { readonly cause?: unknown } = {}): void {
    this.#ended = failed;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      // Read all queued events together, because pieces of an answer arrive in batches.
      for (const event of this.#waiting.splice(0)) yield event;
      if (this.#waiting.length > 0) continue;
      if (this.#ended !== undefined) {
        if ("cause" in this.#ended) throw this.#ended.cause;
        return;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
