/** Ends a wait: time, or a signal. */
export interface StopRequest extends Disposable {
  /** Resolves when time is up or the signal is aborted. The first reason stays. */
  readonly asked: Promise<void>;
  readonly reason: "timeout" | "cancelled" | undefined;
}

export function stopRequest(options: { readonly signal: AbortSignal; readonly timeoutMs: number }): StopRequest {
  const asked = Promise.withResolvers<void>();
  let reason: "timeout" | "cancelled" | undefined;
  const ask = (why: "timeout" | "cancelled") => {
    reason ??= why;
    asked.resolve();
  };
  const cancel = () => ask("cancelled");
  const timer = setTimeout(ask, Math.min(options.timeoutMs, 2_147_483_647), "timeout");
  options.signal.addEventListener("abort", cancel, { once: true });
  if (options.signal.aborted) cancel();
  return {
    asked: asked.promise,
    get reason() {
      return reason;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", cancel);
    },
  };
}
