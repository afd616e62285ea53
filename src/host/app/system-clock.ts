import type { Chance, Clock, Ids } from "../../contract/common/clock.ts";

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now: the global costs two milliseconds at its first use.
  elapsed: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const alarm = systemClock.alarm(ms, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
      function stop(): void {
        alarm[Symbol.dispose]();
        reject(signal?.reason);
      }
    }),
  // Events that arrived while the loop was busy are handled before a timeout that expired meanwhile.
  alarm(ms, ring) {
    let ringing: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => (ringing = setImmediate(ring)), Math.min(ms, 0x7fffffff));
    return {
      [Symbol.dispose]() {
        clearTimeout(timer);
        clearImmediate(ringing);
      },
    };
  },
};

/**
 * `call_9f2c51d03a7b4e60`: 64 random bits. They tell things apart and guard nothing, so chance is enough and
 * node:crypto stays unloaded.
 */
export const randomIds: Ids = (kind) => `${kind}_${bits()}${bits()}`;

function bits(): string {
  return Math.floor(Math.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
}

export const chance: Chance = Math.random;
