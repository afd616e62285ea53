import type { Clock } from "../contract/common/clock.ts";

/** Real time. Like the host's clock, it rings after events that arrived while the loop was busy. */
export function realClock(): Clock {
  const clock: Clock = {
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const alarm = clock.alarm(ms, () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        });
        signal?.addEventListener("abort", stop, { once: true });
        function stop(): void {
          alarm[Symbol.dispose]();
          reject(signal?.reason);
        }
      }),
    alarm(ms, ring) {
      let ringing: NodeJS.Immediate | undefined;
      const timer = setTimeout(() => (ringing = setImmediate(ring)), ms);
      return {
        [Symbol.dispose]() {
          clearTimeout(timer);
          clearImmediate(ringing);
        },
      };
    },
  };
  return clock;
}
