/** Time, ids and chance come in from outside, so that a whole conversation can be a golden file. */
export interface Clock {
  /** Wall time, epoch ms. */
  now(): number;
  /** Monotonic ms, for measuring and waiting; jumps of the wall clock do not move it. */
  elapsed(): number;
  /** Resolves after `ms` of monotonic time, rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `ring` once, after `ms` of monotonic time, unless the result is disposed before. For limits that are seldom
   * reached: a sleep costs several times as much.
   */
  alarm(ms: number, ring: () => void): Disposable;
}

/** Fresh identifiers: `ids("call")` → `call_9f2c…`. */
export type Ids = (kind: string) => string;

/** A number in [0, 1). */
export type Chance = () => number;
