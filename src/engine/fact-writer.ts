import type { Fact, Recorded } from "../contract/fact.ts";
import { StoreConflict, type SessionStore } from "../contract/store.ts";

export interface FactWriterPorts {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly fence: number;
  readonly lastSeq: number;
  /** Called with what is durable now, in order, before `write` resolves. */
  written(recorded: readonly Recorded[]): void;
}

/**
 * The one writer of a session. Facts that are handed over in the same moment (calls that run side by side) share one append, so one
 * sync of the disk. Somebody else's write ends it for good; any other failure ends only the facts it concerns.
 */
export class FactWriter {
  readonly #ports: FactWriterPorts;
  #lastSeq: number;
  #waiting: { readonly facts: readonly Fact[]; readonly done: PromiseWithResolvers<void> }[] = [];
  #draining = false;
  #conflict: Error | undefined;

  constructor(ports: FactWriterPorts) {
    this.#ports = ports;
    this.#lastSeq = ports.lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Why nothing can be written any more. */
  get conflict(): Error | undefined {
    return this.#conflict;
  }

  /** Resolves when the facts are durable and applied. */
  write(facts: readonly Fact[]): Promise<void> {
    if (this.#conflict !== undefined) return Promise.reject(this.#conflict);
    if (facts.length === 0) return Promise.resolve();
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ facts, done });
    if (!this.#draining) {
      this.#draining = true;
      queueMicrotask(() => void this.#drain());
    }
    return done.promise;
  }

  /** Refuses everything from now on. */
  close(reason: Error): void {
    this.#conflict ??= reason;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#conflict !== undefined) throw this.#conflict;
        const { store, sessionId, fence, written } = this.#ports;
        const recorded = await store.append(sessionId, batch.flatMap(({ facts }) => facts), { expect: this.#lastSeq, fence });
        this.#lastSeq = recorded.at(-1)?.seq ?? this.#lastSeq;
        written(recorded);
        for (const { done } of batch) done.resolve();
      } catch (cause) {
        if (cause instanceof StoreConflict) this.#conflict ??= cause;
        for (const { done } of batch) done.reject(cause);
      }
    }
    this.#draining = false;
  }
}
