import { readdirSync, readFileSync } from "node:fs";

/** The variable that a program and all that it starts have in their environment. */
export const MARK = "HERMES_PROGRAM";

/**
 * Lines of `sh` that remember which processes below the leader of the group `$group` have left that group. They may have
 * cleared their environment too (`env -i setsid x`), so that only their parents still show whose they are.
 */
export const NOTE_LEFT = `
facts() { set -- $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null); echo "$3 \${20}"; }
below() { for c in $(cat /proc/"$1"/task/[0-9]*/children 2>/dev/null); do below "$c"; echo "$c $(facts "$c")"; done; }
left=$(below "$group")
`;
/** Lines of `sh` that kill what {@link NOTE_LEFT} remembered, unless its number belongs to another process now. */
export const KILL_LEFT = `
echo "$left" | while read -r p g s; do
  [ -n "$s" ] && [ "$g" != "$group" ] && [ "$(facts "$p")" = "$g $s" ] && kill -9 "$p"
done
`;

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

/** A process and when it started: another one with its number has another start. */
export interface LeftProcess {
  readonly pid: number;
  readonly start: string;
}

/**
 * The living processes below one, read from their parents: also those that left its group and cleared their
 * environment. A process whose parent ended before is not found. Only a subreaper or a cgroup would hold it, and Node
 * can set up neither. Empty where the system has no `/proc`.
 */
export function processesBelow(root: number): readonly LeftProcess[] {
  return childrenOf(root).flatMap((pid) => {
    const start = startOf(pid);
    return [...(start === undefined ? [] : [{ pid, start }]), ...processesBelow(pid)];
  });
}

/** Kills these processes, as far as they are still the same. */
export function killLeft(left: readonly LeftProcess[]): void {
  for (const { pid, start } of left) {
    if (startOf(pid) !== start) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return []; // It ended, or this is not Linux.
  }
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before may contain any character.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
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
