import { readdirSync, readFileSync } from "node:fs";

/** The variable that a program and all that it starts have in their environment. */
export const MARK = "HERMES_PROGRAM";

/**
 * Lines of `sh` that kill every process with the mark `$mark`: also those that left the process group (`setsid`). Three
 * rounds, for what forks meanwhile. Does nothing where the system has no `/proc`.
 */
export const KILL_MARKED = `
for round in 1 2 3; do
  for f in $(grep -lsF "${MARK}=$mark" /proc/[0-9]*/environ); do p=\${f#/proc/}; kill -9 "\${p%/environ}"; done
done
`;

/** Kills every process with this mark at once. */
export function killMarked(mark: string): void {
  const sought = `${MARK}=${mark}`;
  for (let round = 0; round < 3; round++) {
    const found = processes().filter((pid) => environmentOf(pid).includes(sought));
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
    if (found.length === 0) return;
  }
}

function processes(): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return []; // Not Linux.
  }
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // Another user's, or gone.
  }
}
