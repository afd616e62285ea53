/** A turn may run until this is disposed. */
export type Slot = Disposable;

/**
 * Limits how many turns of a platform run at once. Users take turns: one who sends a thousand messages delays another
 * user's message by one turn at most.
 */
export class FairSlots {
  #free: number;
  /** Waiting requests by user; the first user is next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves when the user may start a turn; `undefined`: the signal was aborted first. */
  async take(user: string, signal: AbortSignal): Promise<Slot | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) {
      this.#free--;
      return this.#slot();
    }
    const granted = Promise.withResolvers<Slot | undefined>();
    const grant = (): void => granted.resolve(this.#slot());
    const queue = this.#waiting.get(user) ?? [];
    this.#waiting.set(user, queue);
    queue.push(grant);
    const stop = (): void => {
      const at = queue.indexOf(grant);
      if (at >= 0) queue.splice(at, 1);
      granted.resolve(undefined);
    };
    signal.addEventListener("abort", stop, { once: true });
    return granted.promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #slot(): Slot {
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        this.#next();
      },
    };
  }

  #next(): void {
    for (const [user, queue] of this.#waiting) {
      this.#waiting.delete(user);
      const grant = queue.shift();
      // Others come first now.
      if (queue.length > 0) this.#waiting.set(user, queue);
      if (grant !== undefined) return grant();
    }
    this.#free++;
  }
}
