import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

export interface WaitOptions {
  /** The expected event, for the failure message: "the server answers". Default: the source text of the condition. */
  readonly what?: string;
  /** On a machine with nothing else to do; a busy machine gets more in proportion. */
  readonly timeoutMs?: number;
  /** Describes the state at the time of the failure. */
  readonly state?: () => unknown;
}

type Found<Value> = Exclude<Awaited<Value>, undefined | null | false>;

const TIMEOUT_MS = 10_000;
const CHECK_MS = 20;
/** With ten times as many runnable threads as processors, everything takes about ten times as long. */
const MAX_LOAD = 12;

/**
 * Checks a condition again and again until it holds, and fails the test if it does not hold in time. Prefer an event
 * where there is one.
 * @param condition Holds when it returns anything but `undefined`, `null` or `false`.
 * @returns The first value for which it holds.
 */
export async function waitFor<Value>(condition: () => Value, options: WaitOptions = {}): Promise<Found<Value>> {
  const limit = new Limit({ what: String(condition), ...options });
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value as Found<Value>;
    const failure = limit.failure();
    if (failure !== undefined) throw failure;
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}

/** Awaits a promise, and fails the test if it does not settle in time. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  options: WaitOptions & { readonly what: string },
): Promise<Value> {
  const limit = new Limit(options);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const failure = limit.failure();
      if (failure !== undefined) reject(failure);
    }, CHECK_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearInterval(timer);
  }
}

/** A time limit whose clock runs slower while the machine is busy. */
class Limit {
  readonly #options: WaitOptions;
  readonly #startedAt = performance.now();
  #checkedAt = this.#startedAt;
  #spentMs = 0;

  constructor(options: WaitOptions) {
    this.#options = options;
  }

  /** Returns the failure once the time is over. */
  failure(): assert.AssertionError | undefined {
    const now = performance.now();
    this.#spentMs += (now - this.#checkedAt) / Math.min(Math.max(load(), 1), MAX_LOAD);
    this.#checkedAt = now;
    const { what, timeoutMs = TIMEOUT_MS, state } = this.#options;
    if (this.#spentMs <= timeoutMs) return undefined;
    const shown = state?.();
    return new assert.AssertionError({
      message: [
        `Not within ${((now - this.#startedAt) / 1_000).toFixed(1)} s: ${what}`,
        ...(shown === undefined ? [] : [typeof shown === "string" ? shown : JSON.stringify(shown)]),
      ].join("\n"),
    });
  }
}

/** Runnable threads per processor: at this moment where the system shows it, over the last minute elsewhere. */
function load(): number {
  return (runnableNow() ?? loadavg()[0] ?? 0) / availableParallelism();
}

function runnableNow(): number | undefined {
  try {
    // This thread is one of them.
    return Number(/ (\d+)\/\d+ /.exec(readFileSync("/proc/loadavg", "latin1"))?.[1]) - 1;
  } catch {
    return undefined; // Not Linux.
  }
}
