import type { Clock } from "../../contract/common/clock.ts";

/**
 * Given as the reason, since an abort without one makes an exception with a stack, which costs more than a whole call.
 */
export const OVER = "over";

/** A timeout that pauses while the user is asked. Nested calls pause the timeouts around them too. */
export class Deadline implements Disposable {
  readonly #clock: Clock;
  readonly #outer: Deadline | undefined;
  readonly #expired: () => void;
  #leftMs: number;
  #startedAt = 0;
  /** Before it begins it stands still too. */
  #pauses = 1;
  #alarm: Disposable | undefined;

  /** `expired` is called at most once. */
  constructor(clock: Clock, limitMs: number, expired: () => void, outer?: Deadline) {
    this.#clock = clock;
    this.#outer = outer;
    this.#expired = expired;
    this.#leftMs = limitMs;
  }

  /** Called once. */
  begin(): void {
    if (--this.#pauses === 0) this.#start();
  }

  /** Stands still until the result is disposed; pauses may overlap. */
  pause(): Disposable {
    const outer = this.#outer?.pause();
    if (this.#pauses++ === 0) this.#stop();
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        if (--this.#pauses === 0) this.#start();
        outer?.[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    this.#startedAt = this.#clock.elapsed();
    this.#alarm = this.#clock.alarm(this.#leftMs, this.#expired);
  }

  #stop(): void {
    if (this.#alarm === undefined) return;
    this.#leftMs = Math.max(0, this.#leftMs - (this.#clock.elapsed() - this.#startedAt));
    this.#alarm[Symbol.dispose]();
    this.#alarm = undefined;
  }
}
