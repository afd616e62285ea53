import type { Clock } from "../contract/clock.ts";

/** Time as it is. Like that of the host it rings after whatever arrived while the loop was busy. */
export function realClock(): Clock {
  return {
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        let ringing: NodeJS.Immediate | undefined;
        const timer = setTimeout(() => (ringing = setImmediate(wake)), ms);
        signal?.addEventListener("abort", stop, { once: true });
        function wake(): void {
          signal?.removeEventListener("abort", stop);
          resolve();
        }
        function stop(): void {
          clearTimeout(timer);
          clearImmediate(ringing);
          reject(signal?.reason);
        }
      }),
  };
}
