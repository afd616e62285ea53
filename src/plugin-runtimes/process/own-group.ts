import type { ChildProcess } from "node:child_process";

/** What is started in its place leads a process group. Beside it waits a watcher that nothing in it knows of. */
export interface GroupLimits {
  /** Of data, of each process of the group, where the system can hold it to that. */
  readonly memoryMb: number;
}

/**
 * The watcher reads descriptor 3, on which nothing is ever said and which closes when the agent ends, however that ends; then the whole group
 * does. It has no parent in the group: a program that waits for all of its children does not wait for it.
 */
const SCRIPT = `
group=$$
( ( exec </dev/null >/dev/null 2>/dev/null; read -r _ <&3; sleep 1; kill -9 -"$group" ) & )
exec 3<&-
ulimit -d "$1" 2>/dev/null
shift
exec "$@"
`;

/** The command line that starts a program at the head of a group of its own. */
export function inOwnGroup(
  program: string,
  args: readonly string[],
  { memoryMb }: GroupLimits,
): readonly [program: string, args: readonly string[]] {
  return ["/bin/sh", ["-c", SCRIPT, "sh", String(memoryMb * 1024), program, ...args]];
}

/** Ends a process at once, and with it the group that it leads. */
export function killAll(child: ChildProcess, leads: boolean): void {
  if (!leads) return void child.kill("SIGKILL");
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}
