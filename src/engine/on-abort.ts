/**
 * Calls `listener` when the signal is aborted, unless disposed before. One real listener serves all calls of a turn, since adding and
 * removing one each costs more than the rest of a quick call.
 */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  let listeners = shared.get(signal);
  if (listeners === undefined) {
    const own = new Set<() => void>();
    shared.set(signal, (listeners = own));
    signal.addEventListener("abort", () => own.forEach((one) => one()), { once: true });
  }
  const all = listeners;
  // The same function may wait twice.
  const entry = () => listener();
  all.add(entry);
  return { [Symbol.dispose]: () => void all.delete(entry) };
}

const shared = new WeakMap<AbortSignal, Set<() => void>>();
