import type { Clock } from "../contract/common/clock.ts";

/** A clock that the test advances. Wall time and monotonic time move together unless `setWall` separates them. */
export interface FakeClock extends Clock {
  /** Advances time and wakes the sleepers in order; each runs before the next wakes. */
  advance(ms: number): Promise<void>;
  /** Jumps the wall clock without waking sleepers. */
  setWall(at: number): void;
  /** How many are asleep. */
  readonly sleepers: number;
  /** Resolves at the next sleep. */
  nextSleep(): Promise<number>;
}

/**
 * @param options.autoAdvance Advances time to the next sleeper's end whenever all wait, so that no test really waits.
 */
export function fakeClock(options: { readonly startAt?: number; readonly autoAdvance?: boolean } = {}): FakeClock {
  let elapsed = 0;
  let wallOffset = options.startAt ?? Date.UTC(2030, 0, 1);
  let order = 0;
  const asleep = new Set<Sleeper>();
  let watchers: ((ms: number) => void)[] = [];

  let running = false;
  /** Wakes the next sleeper once nothing else has happened for a while, so that work in progress reaches no limit. */
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while (asleep.size > 0) {
      const before = order;
      for (let n = 0; n < QUIET_ROUNDS; n++) await new Promise((resolve) => setImmediate(resolve));
      if (order !== before) continue;
      const next = nextOf(asleep);
      if (next === undefined) break;
      elapsed = Math.max(elapsed, next.wakeAt);
      next.wake();
    }
    running = false;
  }

  function fallAsleep(ms: number, act: () => void): Disposable {
    for (const report of watchers) report(ms);
    watchers = [];
    const sleeper: Sleeper = {
      wakeAt: elapsed + ms,
      order: ++order,
      wake() {
        asleep.delete(sleeper);
        act();
      },
    };
    asleep.add(sleeper);
    if (options.autoAdvance === true) void run();
    return { [Symbol.dispose]: () => void asleep.delete(sleeper) };
  }

  return {
    now: () => wallOffset + elapsed,
    elapsed: () => elapsed,
    setWall: (at) => void (wallOffset = at - elapsed),
    get sleepers() {
      return asleep.size;
    },
    nextSleep: () => new Promise((resolve) => watchers.push(resolve)),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeping = fallAsleep(ms, () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        });
        signal?.addEventListener("abort", stop);
        function stop(): void {
          sleeping[Symbol.dispose]();
          signal?.removeEventListener("abort", stop);
          reject(signal?.reason);
        }
      }),
    alarm: fallAsleep,
    async advance(ms) {
      const until = elapsed + ms;
      while (true) {
        const next = nextOf(asleep);
        if (next === undefined || next.wakeAt > until) break;
        elapsed = Math.max(elapsed, next.wakeAt);
        next.wake();
        await settle();
      }
      elapsed = until;
      await settle();
    },
  };
}

interface Sleeper {
  readonly wakeAt: number;
  readonly order: number;
  wake(): void;
}

const QUIET_ROUNDS = 20;

function nextOf(asleep: ReadonlySet<Sleeper>): Sleeper | undefined {
  return [...asleep].sort((a, b) => a.wakeAt - b.wakeAt || a.order - b.order)[0];
}

/** Lets promises that are ready run. */
async function settle(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}
