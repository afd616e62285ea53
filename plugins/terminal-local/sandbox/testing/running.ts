import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Processes of this machine with that word as their last argument. */
export function running(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").endsWith(`\0${word}\0`);
    } catch {
      return false; // Ended while we looked.
    }
  });
}

/** Resolves when at least so many have become that program; false when they did not in time. */
export async function started(word: string, count: number): Promise<boolean> {
  return until(() => running(word).length >= count);
}

/** Resolves when none is left; false when some were still there after a long time. */
export async function gone(word: string): Promise<boolean> {
  return until(() => running(word).length === 0);
}

async function until(holds: () => boolean): Promise<boolean> {
  for (const begun = performance.now(); !holds(); await wait(20)) if (performance.now() - begun > 60_000) return false;
  return true;
}
