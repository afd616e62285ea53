import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const IDLE_MS = 500;
/** Fewer answers leave little to collect. */
const FEW = 100;
/** After so many answers without a pause, the next one does not wait for one. */
const MANY = 2_000;

/**
 * Collects garbage when the gateway has nothing to do. V8 collects late while there is memory, and keeps what it once
 * needed: a busy hour would cost memory for days. A full collection takes some tens of milliseconds.
 */
export class IdleCollector implements Disposable {
  readonly #busy: () => boolean;
  readonly #collect: () => void;
  #answers = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param busy Whether a chat is working. */
  constructor(busy: () => boolean, collect = fullCollection()) {
    this.#busy = busy;
    this.#collect = collect;
  }

  answered(): void {
    this.#answers++;
    if (this.#answers >= FEW) this.#wait();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => this.#look(), IDLE_MS).unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#busy() && this.#answers < MANY) return this.#wait();
    this.#answers = 0;
    this.#collect();
  }
}

function fullCollection(): () => void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options: { readonly type: string; readonly flavor: string }) => void;
  return () => gc({ type: "major", flavor: "last-resort" });
}
