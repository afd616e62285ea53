import type { Chance, Clock, Ids } from "../contract/clock.ts";

/** The machine's own time. */
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
      let ringing: NodeJS.Immediate | undefined;
      // Whatever arrived while the loop was busy is heard before a limit that ran out meanwhile.
      const timer = setTimeout(() => (ringing = setImmediate(done)), Math.min(ms, 0x7fffffff));
      signal?.addEventListener("abort", stopped, { once: true });
      function done(): void {
        signal?.removeEventListener("abort", stopped);
        resolve();
      }
      function stopped(): void {
        clearTimeout(timer);
        clearImmediate(ringing);
        reject(signal?.reason);
      }
    }),
};

/** `call_9f2c51d03a7b4e60`: 64 random bits. They tell things apart and guard nothing, so chance is enough and node:crypto stays unloaded. */
export const randomIds: Ids = (kind) => `${kind}_${bits()}${bits()}`;

function bits(): string {
  return Math.floor(Math.random() * 0x1_0000_0000).toString(16).padStart(8, "0");
}

export const chance: Chance = Math.random;
