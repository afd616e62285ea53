import type { Clock } from "../contract/clock.ts";

/** Time as it is. */
export function realClock(): Clock {
  return {
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = setTimeout(wake, ms);
        signal?.addEventListener("abort", stop, { once: true });
        function wake(): void {
          signal?.removeEventListener("abort", stop);
          resolve();
        }
        function stop(): void {
          clearTimeout(timer);
          reject(signal?.reason);
        }
      }),
  };
}
