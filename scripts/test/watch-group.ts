import { readFileSync, statSync } from "node:fs";

export interface GroupLimits {
  /** How long the process may run without a finished test. */
  readonly silentMs: number;
  /** The memory that the process may use; checked where the system shows it. */
  readonly residentBytes: number;
  readonly everyMs?: number;
}

/**
 * Watches a test process for what it cannot stop itself: a blocked event loop runs no timers, so no timeout fires, and
 * a process that takes all memory slows the whole machine.
 * @param results The file that grows when a test ends.
 * @param end Called once, with the reason, if the process must be killed.
 * @returns Stops watching.
 */
export function watchGroup(
  pid: number,
  results: string,
  { silentMs, residentBytes, everyMs = 5_000 }: GroupLimits,
  end: (why: string) => void,
): () => void {
  let size = -1;
  let grewAt = performance.now();
  const timer = setInterval(() => {
    const now = sizeOf(results);
    if (now !== size) [size, grewAt] = [now, performance.now()];
    const resident = residentBytesOf(pid);
    const why =
      resident > residentBytes
        ? `it used ${Math.round(resident / 1e6)} MB of memory`
        : performance.now() - grewAt > silentMs
          ? `no test finished for ${Math.round(silentMs / 1_000)} s`
          : undefined;
    if (why === undefined) return;
    clearInterval(timer);
    end(why);
  }, everyMs);
  return () => clearInterval(timer);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function residentBytesOf(pid: number): number {
  try {
    return 1_024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
  } catch {
    return 0; // It has ended, or the system has no such file.
  }
}
