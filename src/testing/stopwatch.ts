import assert from "node:assert/strict";
import { cpus } from "node:os";

/** How much longer a thing may take where others kept the machine busy meanwhile. */
const BUSY_FACTOR = 10;
/** The part of the CPUs that was idle where only we worked: one thread of ours leaves half of two. A wait for a disk is not idle. */
const IDLE_ALONE = 0.4;

/** Measures a time that is promised. On a machine with room the promise itself is the limit; on a busy one the limit is generous. */
export class Stopwatch {
  readonly #startedAt = performance.now();
  readonly #idleBefore = idleMs();

  get tookMs(): number {
    return performance.now() - this.#startedAt;
  }

  isOver(promisedMs: number): boolean {
    const tookMs = this.tookMs;
    return tookMs >= promisedMs && (tookMs >= promisedMs * BUSY_FACTOR || !this.wasBusy);
  }

  /** Whether others worked here too since it began. */
  get wasBusy(): boolean {
    return (idleMs() - this.#idleBefore) / (this.tookMs * cpus().length) < IDLE_ALONE;
  }

  assertWithin(promisedMs: number, what = "this"): void {
    if (this.isOver(promisedMs)) assert.fail(`${what} took ${Math.round(this.tookMs)} ms, and ${promisedMs} ms are promised`);
  }
}

function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}
