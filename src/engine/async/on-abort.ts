/**
 * Calls `listener` when the signal is aborted, unless disposed before. One real listener serves all calls of a turn,
 * since adding and removing one each costs more than the rest of a quick call.
 */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  let waiting = shared.get(signal);
  if (waiting === undefined) {
    const own = new Set<Waiting>();
    shared.set(signal, (waiting = own));
    signal.addEventListener("abort", () => own.forEach((one) => one.listener()), { once: true });
  }
  return new Waiting(listener, waiting);
}

/** A separate object each time, so that the same function may be registered twice. */
class Waiting implements Disposable {
  readonly listener: () => void;
  readonly #all: Set<Waiting>;

  constructor(listener: () => void, all: Set<Waiting>) {
    this.listener = listener;
    this.#all = all;
    all.add(this);
  }

  [Symbol.dispose](): void {
    this.#all.delete(this);
  }
}

const shared = new WeakMap<AbortSignal, Set<Waiting>>();
