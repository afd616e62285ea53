import type { Clock } from "../contract/clock.ts";

/** A clock that stands still until told. Wall time and monotonic time move together unless `setWall` says otherwise. */
export interface FakeClock extends Clock {
  /** Moves time on and wakes, in order, whoever slept until then; each is let run before the next wakes. */
  advance(ms: number): Promise<void>;
  /** Jumps the wall clock; nobody wakes. */
  setWall(at: number): void;
  /** How many are asleep. */
  readonly sleepers: number;
  /** Resolves when somebody sleeps (again). */
  nextSleep(): Promise<number>;
}

/** @param options.autoAdvance Every sleep ends at once and moves time by its length. */
export function fakeClock(options: { readonly startAt?: number; readonly autoAdvance?: boolean } = {}): FakeClock {
  let elapsed = 0;
  let wallOffset = options.startAt ?? Date.UTC(2030, 0, 1);
  let order = 0;
  const asleep = new Set<{ readonly wakeAt: number; readonly order: number; wake(): void }>();
  let watchers: ((ms: number) => void)[] = [];

  return {
    now: () => wallOffset + elapsed,
    elapsed: () => elapsed,
    setWall: (at) => void (wallOffset = at - elapsed),
    get sleepers() {
      return asleep.size;
    },
    nextSleep: () => new Promise((resolve) => watchers.push(resolve)),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      for (const tell of watchers) tell(ms);
      watchers = [];
      if (options.autoAdvance === true) {
        elapsed += ms;
        // A real turn of the loop, so that a sleeper in a loop cannot starve everybody else.
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const sleeper = { wakeAt: elapsed + ms, order: ++order, wake };
        function wake(): void {
          asleep.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          resolve();
        }
        function stop(): void {
          asleep.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          reject(signal?.reason);
        }
        asleep.add(sleeper);
        signal?.addEventListener("abort", stop);
      });
    },
    async advance(ms) {
      const until = elapsed + ms;
      while (true) {
        const next = [...asleep].filter((sleeper) => sleeper.wakeAt <= until).sort((a, b) => a.wakeAt - b.wakeAt || a.order - b.order)[0];
        if (next === undefined) break;
        elapsed = Math.max(elapsed, next.wakeAt);
        next.wake();
        await settle();
      }
      elapsed = until;
      await settle();
    },
  };
}

/** Lets promises that are ready run. */
async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}
