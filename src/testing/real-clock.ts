import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../contract/clock.ts";

/** Time as it is. */
export function realClock(): Clock {
  return { now: Date.now, elapsed: () => performance.now(), sleep: async (ms, signal) => void (await wait(ms, undefined, signal === undefined ? {} : { signal })) };
}
