/** What is pushed by one side is read by the other, in order, until the end. For one reader. */
export class EventQueue<T> {
  readonly #waiting: T[] = [];
  #ended: { readonly cause?: unknown } | undefined;
  #wake = () => {};

  push(...events: readonly T[]): void {
    this.#waiting.push(...events);
    this.#wake();
  }

  /** @param failed Thrown at the reader, after what was pushed. */
  end(failed: { readonly cause?: unknown } = {}): void {
    this.#ended = failed;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      // Taken at once: most pieces of an answer come many at a time.
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
