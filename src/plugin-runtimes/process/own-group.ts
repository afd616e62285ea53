import type { ChildProcess } from "node:child_process";

/** A program started this way leads a process group. A watcher, which the program does not see, waits beside it. */
export interface GroupLimits {
  /** Limits the data size of each process of the group, where the system supports it. */
  readonly memoryMb: number;
}

/**
 * The watcher reads descriptor 3, which carries no data and closes when the agent ends, and then kills the whole group.
 * Its parent is outside the group, so that a program that waits for all of its children does not wait for it.
 */
const SCRIPT = `
group=$$
( ( exec </dev/null >/dev/null 2>/dev/null; read -r _ <&3; sleep 1; kill -9 -"$group" ) & )
exec 3<&-
ulimit -d "$1" 2>/dev/null
shift
exec "$@"
`;

/** The command line that starts a program as the leader of a process group. */
export function inOwnGroup(
  program: string,
  args: readonly string[],
  { memoryMb }: GroupLimits,
): readonly [program: string, args: readonly string[]] {
  return ["/bin/sh", ["-c", SCRIPT, "sh", String(memoryMb * 1024), program, ...args]];
}

/** Kills a process, and the group that it leads. */
export function killAll(child: ChildProcess, leads: boolean): void {
  if (!leads) return void child.kill("SIGKILL");
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
