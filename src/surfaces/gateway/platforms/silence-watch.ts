export interface SilenceLimits {
  /** 0: never. */
  readonly endMs: number;
  /** 0: no warning. */
  readonly warnMs: number;
}

/** Clock and timers; tests substitute them. */
export interface Ticks {
  now(): number;
  every(work: () => void, ms: number): () => void;
}

const LONGEST_LOOK_MS = 5_000;

/** Watches a turn for inactivity: warns once, then ends the turn. */
export class SilenceWatch {
  readonly #limits: () => SilenceLimits;
  readonly #told: (kind: "quiet" | "over", silentMs: number) => void;
  #since = 0;
  #warned = false;
  #cancel: (() => void) | undefined;
  readonly #ticks: Ticks;

  constructor(
    limits: () => SilenceLimits,
    message: (kind: "quiet" | "over", silentMs: number) => void,
    ticks: Ticks = REAL,
  ) {
    this.#ticks = ticks;
    this.#limits = limits;
    this.#told = message;
  }

  /** Restarts the limits: the turn was active, or waits for something whose time does not count. */
  touch(): void {
    this.#since = this.#ticks.now();
    this.#warned = false;
  }

  start(): void {
    this.stop();
    this.touch();
    const limits = this.#limits();
    const set = [limits.endMs, limits.warnMs].filter((ms) => ms > 0);
    if (set.length === 0) return;
    this.#cancel = this.#ticks.every(
      () => this.#look(limits),
      Math.min(LONGEST_LOOK_MS, Math.max(20, Math.min(...set) / 5)),
    );
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look({ endMs, warnMs }: SilenceLimits): void {
    const silent = this.#ticks.now() - this.#since;
    // If a late timer finds both limits passed, warn first.
    if (warnMs > 0 && silent >= warnMs && !this.#warned && !(endMs > 0 && endMs <= warnMs)) {
      this.#warned = true;
      this.#told("quiet", silent);
    } else if (endMs > 0 && silent >= endMs) {
      this.stop();
      this.#told("over", silent);
    }
  }
}

const REAL: Ticks = {
  now: () => performance.now(),
  every(work, ms) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
