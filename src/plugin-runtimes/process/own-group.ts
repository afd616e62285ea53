import type { ChildProcess } from "node:child_process";
import {
  KILL_LEFT,
  KILL_MARKED,
  killLeft,
  killMarked,
  MARK,
  NOTE_LEFT,
  processesBelow,
  type LeftProcess,
} from "../../terminal/program/marked-processes.ts";

/** A program started this way leads a process group. A watcher, which the program does not see, waits beside it. */
export interface GroupLimits {
  /** Limits the data size of each process of the group, where the system supports it. */
  readonly memoryMb: number;
}

/**
 * The watcher reads descriptor 3, which carries no data and closes when the agent ends, and then kills the whole group
 * and what left it. Its parent is outside the group, so that a program that waits for all of its children does not wait
 * for it.
 */
const SCRIPT = `
group=$$ mark=$1
( ( exec </dev/null >/dev/null 2>/dev/null; read -r _ <&3; ${NOTE_LEFT} sleep 1; ${KILL_MARKED} ${KILL_LEFT} kill -9 -"$group" ) & )
exec 3<&-
ulimit -d "$2" 2>/dev/null
shift 2
export ${MARK}="$mark"
exec "$@"
`;

/**
 * The command line that starts a program as the leader of a process group.
 * @param mark Identifies in the environment what the program starts, also if it leaves the group.
 */
export function inOwnGroup(
  program: string,
  args: readonly string[],
  { memoryMb }: GroupLimits,
  mark: string,
): readonly [program: string, args: readonly string[]] {
  return ["/bin/sh", ["-c", SCRIPT, "sh", mark, String(memoryMb * 1024), program, ...args]];
}

/**
 * Kills a process, and with a mark the group that it leads, every process with that mark and what is below it.
 * @param known Processes that were below it earlier: its own end makes them children of another process.
 */
export function killAll(child: ChildProcess, mark: string | undefined, known: readonly LeftProcess[] = []): void {
  if (mark === undefined) return void child.kill("SIGKILL");
  const below = [...known, ...processesBelow(child.pid ?? -1)];
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
  killMarked(mark);
  killLeft(below);
}
