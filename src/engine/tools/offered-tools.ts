/** Names of the tools that a model may call. A `Set` of them is one too. */
export interface Offered extends Iterable<string> {
  readonly size: number;
  has(name: string): boolean;
}

/** The tools that requests carry, and the deferred ones: computed only when one is requested, as few calls do. */
export class OfferedTools implements Offered {
  readonly #carried: ReadonlySet<string>;
  readonly #held: () => readonly string[];
  #all: ReadonlySet<string> | undefined;

  constructor(carried: ReadonlySet<string>, held: () => readonly string[]) {
    this.#carried = carried;
    this.#held = held;
  }

  has(name: string): boolean {
    return this.#carried.has(name) || this.#whole.has(name);
  }

  get size(): number {
    return this.#whole.size;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#whole[Symbol.iterator]();
  }

  get #whole(): ReadonlySet<string> {
    return (this.#all ??= new Set([...this.#carried, ...this.#held()]));
  }
}
