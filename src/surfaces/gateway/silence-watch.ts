export interface SilenceLimits {
  /** 0: none. */
  readonly endMs: number;
  /** 0: nobody is told. */
  readonly warnMs: number;
}

const LONGEST_LOOK_MS = 5_000;

/** Looks after a turn that gives no sign of life: says so once, and ends it when that goes on. */
export class SilenceWatch {
  readonly #limits: () => SilenceLimits;
  readonly #told: (kind: "quiet" | "over", silentMs: number) => void;
  #since = 0;
  #warned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: () => SilenceLimits, told: (kind: "quiet" | "over", silentMs: number) => void) {
    this.#limits = limits;
    this.#told = told;
  }

  /** Something happened; or somebody else is waited for, whose time is their own. */
  touch(): void {
    this.#since = performance.now();
    this.#warned = false;
  }

  start(): void {
    this.stop();
    this.touch();
    const limits = this.#limits();
    const set = [limits.endMs, limits.warnMs].filter((ms) => ms > 0);
    if (set.length === 0) return;
    this.#timer = setInterval(() => this.#look(limits), Math.min(LONGEST_LOOK_MS, Math.max(20, Math.min(...set) / 5))).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look({ endMs, warnMs }: SilenceLimits): void {
    const silent = performance.now() - this.#since;
    if (endMs > 0 && silent >= endMs) {
      this.stop();
      this.#told("over", silent);
    } else if (warnMs > 0 && silent >= warnMs && !this.#warned) {
      this.#warned = true;
      this.#told("quiet", silent);
    }
  }
}
