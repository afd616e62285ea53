/** Limits concurrent subagents for each session, across its calls; the others wait in order. */
export class Rooms {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @throws the signal's reason when it is aborted first. */
  async take(session: string, most: number, signal: AbortSignal): Promise<Disposable> {
    while ((this.#taken.get(session) ?? 0) >= most) await this.#next(session, signal);
    // Aborted after it was admitted but before it started: admit the next one.
    if (signal.aborted) this.#callNext(session);
    signal.throwIfAborted();
    this.#taken.set(session, (this.#taken.get(session) ?? 0) + 1);
    return { [Symbol.dispose]: () => this.#leave(session) };
  }

  #next(session: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(session) ?? [];
    this.#waiting.set(session, [...queue, resolve]);
    const stop = () => {
      this.#waiting.set(
        session,
        (this.#waiting.get(session) ?? []).filter((one) => one !== resolve),
      );
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", stop));
  }

  #leave(session: string): void {
    const left = (this.#taken.get(session) ?? 1) - 1;
    if (left > 0) this.#taken.set(session, left);
    else this.#taken.delete(session);
    this.#callNext(session);
  }

  #callNext(session: string): void {
    const [first, ...rest] = this.#waiting.get(session) ?? [];
    if (rest.length > 0) this.#waiting.set(session, rest);
    else this.#waiting.delete(session);
    first?.();
  }
}
