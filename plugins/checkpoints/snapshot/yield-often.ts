/** Longest time that nothing else of the process gets a turn. */
const SLICE_MS = 12;

/** Lets a long synchronous work be interrupted: everything else runs between its slices, and it ends when it is told to or too late. */
export class Breath {
  readonly #signal: AbortSignal;
  #sliceEnds = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when it is time to `take`: asked often, so it costs nothing. */
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
