import assert from "node:assert/strict";

/** Room for other work, slower machines and disks: what is promised is measured by `npm run bench`. */
const ROOM_FACTOR = 20;
const MIN_ROOM_MS = 10_000;

/**
 * Distinguishes immediate results from ones that wait for a time limit or never end. It asserts no exact duration.
 */
export class Stopwatch {
  readonly #startedAt = performance.now();

  get tookMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Whether it took far more than was promised. */
  isOver(promisedMs: number): boolean {
    return this.tookMs >= Math.max(promisedMs * ROOM_FACTOR, MIN_ROOM_MS);
  }

  assertWithin(promisedMs: number, what = "this"): void {
    if (this.isOver(promisedMs))
      assert.fail(`${what} took ${Math.round(this.tookMs)} ms, and ${promisedMs} ms are promised`);
  }
}
