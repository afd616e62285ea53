import { readdirSync, readFileSync } from "node:fs";

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
