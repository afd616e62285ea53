/** One clock for all that moves on the screen. It runs only while something does. */
export class Ticker {
  readonly #draw: () => void;
  readonly #moving = new Set<object>();
  #timer: NodeJS.Timeout | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** @returns What stops this movement. */
  start(): Disposable {
    const one = {};
    this.#moving.add(one);
    this.#timer ??= setInterval(this.#draw, 100);
    return {
      [Symbol.dispose]: () => {
        this.#moving.delete(one);
        if (this.#moving.size === 0) this.stop();
      },
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#moving.clear();
  }
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** The same turning sign everywhere, in step. */
export function spinner(): string {
  return FRAMES[Math.floor(performance.now() / 100) % FRAMES.length] ?? "";
}

/** `3s`, `1m05s`; nothing in the first second, when a number would only flicker. */
export function elapsed(since: number): string {
  const whole = Math.floor((performance.now() - since) / 1000);
  if (whole < 1) return "";
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}
