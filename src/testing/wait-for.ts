import assert from "node:assert/strict";
import { availableParallelism, loadavg } from "node:os";

export interface WaitOptions {
  /** The expected event, for the failure message: "the server answers". */
  readonly what: string;
  /** On a machine that is otherwise idle. */
  readonly timeoutMs?: number;
  /** Describes the state at the time of the failure. */
  readonly state?: () => unknown;
}

type Found<Value> = Exclude<Awaited<Value>, undefined | null | false>;

const TIMEOUT_MS = 10_000;
const CHECK_MS = 20;
/** On a machine with ten times as many runnable processes as processors, each takes about ten times as long. */
const MAX_LOAD_FACTOR = 12;

/**
 * Checks a condition again and again until it holds, and fails the test if it does not hold in time. Prefer an event where there is one.
 * @param condition Holds when it returns anything but `undefined`, `null` or `false`.
 * @returns The first value for which it holds.
 */
export async function waitFor<Value>(condition: () => Value, options: WaitOptions): Promise<Found<Value>> {
  const startedAt = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value as Found<Value>;
    if (performance.now() - startedAt > limitMs(options)) fail(options, startedAt);
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
}

/** Awaits a promise, and fails the test if it does not settle in time. */
export async function withTimeout<Value>(promise: Promise<Value>, options: WaitOptions): Promise<Value> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (performance.now() - startedAt <= limitMs(options)) return;
      try {
        fail(options, startedAt);
      } catch (error) {
        reject(error as Error);
      }
    }, CHECK_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearInterval(timer);
  }
}

function limitMs({ timeoutMs = TIMEOUT_MS }: WaitOptions): number {
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  return timeoutMs * Math.min(Math.max(load, 1), MAX_LOAD_FACTOR);
}

function fail({ what, state }: WaitOptions, startedAt: number): never {
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const shown = state?.();
  assert.fail(
    `Not within ${seconds} s: ${what}${shown === undefined ? "" : `\n${typeof shown === "string" ? shown : JSON.stringify(shown)}`}`,
  );
}
