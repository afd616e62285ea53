const FREE = 3;
const STEP_MS = 250;
const LONGEST_MS = 30_000;
const FORGET_MS = 60_000;
/** Addresses remembered; the one that failed longest ago is forgotten first. */
const MAX_ADDRESSES = 1_000;

interface Failures {
  count: number;
  /** Monotonic ms at which the latest refusal is sent. */
  nextAt: number;
}

/**
 * Slows down wrong keys: after the third of an address, refusals leave one after the other, each later than the one
 * before. A correct key is never slowed.
 */
export class WrongKeys {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How long the refusal of a wrong key from this address waits, in ms. */
  delayMs(address: string): number {
    const now = this.#now();
    const known = this.#failures.get(address);
    const failures = known === undefined || now - known.nextAt > FORGET_MS ? { count: 0, nextAt: now } : known;
    this.#failures.delete(address);
    this.#failures.set(address, failures);
    if (this.#failures.size > MAX_ADDRESSES) this.#failures.delete([...this.#failures.keys()][0]!);
    failures.count++;
    if (failures.count <= FREE) return 0;
    const after = Math.max(now, failures.nextAt) + STEP_MS * (failures.count - FREE);
    failures.nextAt = Math.min(after, now + LONGEST_MS);
    return failures.nextAt - now;
  }
}
