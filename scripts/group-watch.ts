import { readFileSync, statSync } from "node:fs";

export interface GroupLimits {
  /** How long no test may end. */
  readonly silentMs: number;
  /** What the process may hold in memory; looked at where the system shows it. */
  readonly residentBytes: number;
  readonly everyMs?: number;
}

/**
 * Looks after a test process that can no longer do so itself: one whose event loop stands still hears no time limit, and one that takes all
 * memory takes the machine along.
 * @param results The file that grows whenever a test ends.
 * @param end Told once, with the reason.
 * @returns Ends the watch.
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
        ? `it held ${Math.round(resident / 1e6)} MB in memory`
        : performance.now() - grewAt > silentMs
          ? `no test ended for ${Math.round(silentMs / 1_000)} s`
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
