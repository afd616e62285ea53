import type { Chance } from "../../../contract/common/clock.ts";
import { troubleOf } from "./sqlite.ts";
import { systemClock } from "../../app/system-clock.ts";

export interface Patience {
  /** Wall time over all tries. */
  readonly budgetMs: number;
  readonly random: Chance;
}

/** SQLite itself waits this long inside a try, which blocks the event loop; the rest is waited outside. */
export const BUSY_TIMEOUT_MS = 15;

/**
 * Retries until the lock is free or the budget is spent; then rejects with the last error. Rejects with other errors
 * at once.
 */
export async function patiently<T>(attempt: () => T, patience: Patience): Promise<T> {
  const startedAt = systemClock.elapsed();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (troubleOf(error) !== "busy") throw error;
      const leftMs = patience.budgetMs - (systemClock.elapsed() - startedAt);
      if (leftMs <= 0) throw error;
      const maxMs = Math.min(120, 8 * 1.5 ** tries, leftMs);
      await new Promise((resolve) => setTimeout(resolve, maxMs * (0.3 + 0.7 * patience.random())));
    }
  }
}
