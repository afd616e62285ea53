/**
 * Keeps order among calls that were started side by side. One that turns out to change something waits until the others
 * have ended; such ones run one after the other, in the order of the answer, and nothing is begun meanwhile.
 */
export class SideGate<Call> {
  /** Begun, and neither ended nor waiting to be alone. */
  readonly #beside = new Set<Call>();
  readonly #waiting = new Map<Call, () => void>();
  readonly #order: readonly Call[];
  readonly #starters: (() => void)[] = [];
  #alone: Call | undefined;

  constructor(order: readonly Call[]) {
    this.#order = order;
  }

  /** Waits only while others wait to be alone, or are. */
  async begin(call: Call): Promise<void> {
    while (this.#alone !== undefined || this.#waiting.size > 0)
      await new Promise<void>((resolve) => this.#starters.push(resolve));
    this.#beside.add(call);
  }

  /** Resolves when every other call that was begun has ended. */
  alone(call: Call): Promise<void> {
    if (this.#alone === call) return Promise.resolve();
    return new Promise((resolve) => {
      this.#beside.delete(call);
      this.#waiting.set(call, resolve);
      this.#next();
    });
  }

  end(call: Call): void {
    this.#beside.delete(call);
    this.#waiting.delete(call);
    if (this.#alone === call) this.#alone = undefined;
    this.#next();
  }

  #next(): void {
    if (this.#alone !== undefined || this.#beside.size > 0) return;
    const next = this.#order.find((call) => this.#waiting.has(call));
    if (next === undefined) {
      for (const start of this.#starters.splice(0)) start();
      return;
    }
    const go = this.#waiting.get(next)!;
    this.#waiting.delete(next);
    this.#alone = next;
    go();
  }
}
