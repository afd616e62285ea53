import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A unique identity of a process, because PIDs are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot ID and start time, in the format of the starter script. */
  readonly born: string;
}

export function isAlive({ pid, born }: ProcessIdentity): boolean {
  return bornOf(pid) === born;
}

/** `undefined` for a process that has ended, including zombies. */
function bornOf(pid: number): string | undefined {
  if (process.platform !== "linux")
    return (
      spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", timeout: 2_000 }).stdout?.trim() ||
      undefined
    );
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X"
      ? undefined
      : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
