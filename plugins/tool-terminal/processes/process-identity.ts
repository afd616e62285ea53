import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

const linux = process.platform === "linux";

/** A unique identity of a process on this machine, because PIDs are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot ID, PID namespace and start time. */
  readonly born: string;
}

/** `undefined` when it has ended. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, born: `${epoch()} ${started}` };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.born === identity.born;
}

/** Whether the identity is from this boot and PID namespace, so that its end can be detected here. */
export function isOfThisMachine(identity: ProcessIdentity): boolean {
  return identity.born.startsWith(`${epoch()} `);
}

let known: string | undefined;

function epoch(): string {
  if (known === undefined) {
    const parts = [process.getBuiltinModule("node:os").hostname()];
    try {
      parts.push(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), readlinkSync("/proc/self/ns/pid"));
    } catch {
      // Not Linux: use name and start time.
    }
    known = parts.join(" ");
  }
  return known;
}

/** `undefined` for a process that has ended, including zombies. */
function startOf(pid: number): string | undefined {
  if (!linux)
    return (
      spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", timeout: 2_000 }).stdout?.trim() ||
      undefined
    );
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
