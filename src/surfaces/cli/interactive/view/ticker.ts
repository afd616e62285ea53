import type { Indicator } from "../../../shared/display/display.ts";

/** One timer for all animations on the screen. It runs only while one is active. */
export class Ticker {
  readonly #draw: () => void;
  readonly #indicator: () => Indicator;
  readonly #moving = new Set<object>();
  #timer: NodeJS.Timeout | undefined;

  constructor(draw: () => void, indicator: () => Indicator) {
    this.#draw = draw;
    this.#indicator = indicator;
  }

  /** The current spinner frame, the same for all spinners. */
  sign(): string {
    const { frames, everyMs } = SIGNS[this.#indicator()];
    return frames[Math.floor(performance.now() / everyMs) % frames.length] ?? "";
  }

  /** @returns Stops this animation. */
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

/** All frames of a style have the same width, so that the text behind them does not move. */
const SIGNS: { readonly [style in Indicator]: { readonly frames: readonly string[]; readonly everyMs: number } } = {
  unicode: { frames: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], everyMs: 100 },
  ascii: { frames: ["|", "/", "-", "\\"], everyMs: 100 },
  emoji: { frames: ["🌑", "🌒", "🌓", "🌔", "🌕", "🌖", "🌗", "🌘"], everyMs: 200 },
  kaomoji: { frames: ["(•_•)", "(•‿•)", "(-‿-)", "(•‿•)"], everyMs: 400 },
};

/** `3s`, `1m05s`; nothing in the first second, when a number would only flicker. */
export function elapsed(since: number): string {
  const whole = Math.floor((performance.now() - since) / 1000);
  if (whole < 1) return "";
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}
