import { readdirSync, readFileSync } from "node:fs";
import { waitFor } from "hermes-agent/testing";

/** Processes of this machine that have this text as their last argument. */
export function running(word: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").endsWith(`\0${word}\0`);
    } catch {
      return false; // Ended while we looked.
    }
  });
}

/** Resolves when at least so many have become that program. */
export async function started(word: string, count: number): Promise<void> {
  await waitFor(() => running(word).length >= count);
}

/** Resolves when none is left. */
export async function gone(word: string): Promise<void> {
  await waitFor(() => running(word).length === 0);
}
