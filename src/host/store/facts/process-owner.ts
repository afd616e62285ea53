import { readFileSync, readlinkSync } from "node:fs";

/** Which process holds a lease, written so that another process of the same machine can tell whether it still lives. */
export interface ProcessOwner {
  readonly machine: string;
  readonly pid: number;
  /** Start of the process in clock ticks, so that a pid used again is not taken for it. */
  readonly started: string;
}

export function thisProcess(): ProcessOwner {
  return { machine: machineName(), pid: process.pid, started: startedAt(process.pid) };
}

/** True only when this machine can be sure; a process of another container or host counts as alive. */
export function isDead(owner: string): boolean {
  let known: Partial<ProcessOwner>;
  try {
    known = JSON.parse(owner) as Partial<ProcessOwner>;
  } catch {
    return false; // Not readable: its time will run out.
  }
  if (known.machine !== machineName() || typeof known.pid !== "number") return false;
  try {
    process.kill(known.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const started = startedAt(known.pid);
  return started !== "" && known.started !== "" && started !== known.started;
}

let machine: string | undefined;

/**
 * Containers share a kernel, so the host name alone is not enough: pids only compare within one pid namespace of one
 * boot.
 */
function machineName(): string {
  if (machine === undefined) {
    const parts = [process.getBuiltinModule("node:os").hostname()];
    try {
      parts.push(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), readlinkSync("/proc/self/ns/pid"));
    } catch {
      // Not Linux: the host name has to do.
    }
    machine = parts.join(" ");
  }
  return machine;
}

function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // A zombie has ended; only its parent has not looked yet.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
  } catch {
    return ""; // No such process, or no /proc: its start time is unknown.
  }
}
