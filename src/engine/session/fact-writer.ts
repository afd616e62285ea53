import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import { StoreConflict, type SessionStore } from "../../contract/conversation/store.ts";
import { whenFree } from "../turn/when-free.ts";

export interface FactWriterPorts {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly fence: number;
  readonly lastSeq: number;
  /** Called with what is durable now, in order, before `write` resolves. The first `held` of them were held before. */
  written(recorded: readonly Recorded[], held: number): void;
}

/**
 * Far less than a model takes to answer, far more than we take to begin a call. Real time: it is the disk that is
 * spared.
 */
const HOLD_MS = 10;

/**
 * The only writer of a session. Facts submitted at the same time (parallel calls) share one append, so one sync of the
 * disk; deferred facts join the next. A write by another process ends the writer permanently; any other failure affects
 * only the facts it concerns, and deferred facts wait for the next attempt.
 */
export class FactWriter {
  readonly #ports: FactWriterPorts;
  #lastSeq: number;
  #waiting: { readonly facts: readonly Fact[]; readonly done: PromiseWithResolvers<void> }[] = [];
  #held: readonly Fact[] = [];
  #timer: ReturnType<typeof whenFree> | undefined;
  #draining = false;
  #newest: Promise<void> = Promise.resolve();
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
    return this.#append(facts);
  }

  /** Something is held that is not durable yet. */
  get holding(): boolean {
    return this.#held.length > 0;
  }

  /** To be stored before the next fact that is written, and soon in any case. */
  hold(facts: readonly Fact[]): void {
    this.#held = [...this.#held, ...facts];
    this.#timer ??= whenFree(HOLD_MS, () => void this.flush().catch(() => {})); // The next write meets the same failure, and its caller sees it.
  }

  /** Stores what is held. */
  flush(): Promise<void> {
    if (this.#conflict !== undefined) return Promise.reject(this.#conflict);
    return this.holding ? this.#append([]) : Promise.resolve();
  }

  /**
   * Resolves when all submitted facts are durable; rejects if the newest could not be stored. Facts deferred since then
   * stay deferred.
   */
  stored(): Promise<void> {
    return this.#newest;
  }

  #append(facts: readonly Fact[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#newest = done.promise;
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
    this.#timer?.stop();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      const held = this.#held;
      this.#waiting = [];
      this.#timer?.stop();
      this.#timer = undefined;
      try {
        if (this.#conflict !== undefined) throw this.#conflict;
        const { store, sessionId, fence, written } = this.#ports;
        const facts = [...held, ...batch.flatMap((one) => one.facts)];
        if (facts.length > 0) {
          const recorded = await store.append(sessionId, facts, { expect: this.#lastSeq, fence });
          this.#lastSeq = recorded.at(-1)?.seq ?? this.#lastSeq;
          this.#held = this.#held.slice(held.length);
          written(recorded, held.length);
        }
        for (const { done } of batch) done.resolve();
      } catch (cause) {
        if (cause instanceof StoreConflict) this.#conflict ??= cause;
        for (const { done } of batch) done.reject(cause);
      }
    }
    this.#draining = false;
  }
}
