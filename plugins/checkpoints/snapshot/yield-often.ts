/** Longest time for which the event loop is blocked. */
const SLICE_MS = 12;

/**
 * Splits long synchronous work into slices so that other work can run in between. It ends when aborted or at its
 * deadline.
 */
export class Breath {
  readonly #signal: AbortSignal;
  #sliceEnds = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when it is time to `take`. Called often, so it is cheap. */
  get due(): boolean {
    return performance.now() > this.#sliceEnds;
  }

  /** @throws the signal's reason when the work should end. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#sliceEnds = performance.now() + SLICE_MS;
  }
}
