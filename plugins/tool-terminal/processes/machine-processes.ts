import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { identityOf, isAlive, type ProcessIdentity } from "./process-identity.ts";

/** A running process of this machine, with the readable information. */
export interface MachineProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Mark of the terminal in which it was started, independent of its current parent. */
  readonly terminal: string | undefined;
  /** Number of its background command in that terminal. */
  readonly run: string | undefined;
  /** The task of that terminal. */
  readonly task: string | undefined;
  /** Home of the agent that opened that terminal. */
  readonly home: string | undefined;
}

/** Linux reports process times in hundredths of a second since boot. */
const TICK_MS = 10;

/** All running processes. Empty without /proc. */
export function machineProcesses(): readonly MachineProcess[] {
  let names: readonly string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.flatMap((name) => look(Number(name)) ?? []);
}

/** A process and its descendants, parents first. */
export function treeOf(root: number, all: readonly MachineProcess[]): readonly number[] {
  const children = Map.groupBy(all, (one) => one.parent);
  const found = new Set([root]);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid);
  return [...found];
}

/** TCP ports on which these processes listen. */
export function portsOf(pids: readonly number[]): readonly number[] {
  const ports = new Set<number>();
  const tables = new Map<string, ReadonlyMap<string, number>>();
  for (const pid of pids) {
    const inodes = socketsOf(pid);
    if (inodes.length === 0) continue;
    // A sandbox may have a separate network namespace.
    const network = linkOf(`/proc/${pid}/ns/net`) ?? "";
    let listening = tables.get(network);
    if (listening === undefined) tables.set(network, (listening = listeningOf(pid)));
    for (const inode of inodes) {
      const port = listening.get(inode);
      if (port !== undefined) ports.add(port);
    }
  }
  return [...ports].sort((a, b) => a - b);
}

/**
 * Ends a process, its descendants and the rest of its background command: SIGTERM, then SIGKILL after the grace period.
 * False if one survived.
 */
export async function endMachineTree(root: ProcessIdentity, graceMs: number): Promise<boolean> {
  // A process once seen as a descendant belongs to it, even if its parent has ended since.
  const members = new Map([[root.pid, root]]);
  const living = (): readonly ProcessIdentity[] => {
    const all = machineProcesses();
    for (const { pid } of [...members.values()].filter(isAlive)) {
      for (const below of [...treeOf(pid, all), ...sameRun(pid, all)]) {
        const identity = members.has(below) ? undefined : identityOf(below);
        if (identity !== undefined) members.set(below, identity);
      }
    }
    return [...members.values()].filter(isAlive);
  };
  const graceEnds = performance.now() + graceMs;
  const message = new Set<number>();
  for (let pauseMs = 5; performance.now() < graceEnds; pauseMs = Math.min(50, pauseMs * 2)) {
    const found = living();
    if (found.length === 0) return true;
    for (const { pid } of found) if (!message.has(pid)) signal(pid, "SIGTERM");
    for (const { pid } of found) message.add(pid);
    await wait(pauseMs);
  }
  for (let round = 0; round < 20; round += 1) {
    const found = living();
    if (found.length === 0) return true;
    for (const { pid } of found) signal(pid, "SIGKILL");
    await wait(20);
  }
  return living().length === 0;
}

/** Processes of the same background command, even if they left their parent, group and session. */
function sameRun(pid: number, all: readonly MachineProcess[]): readonly number[] {
  const one = all.find((each) => each.pid === pid);
  return one?.run === undefined
    ? []
    : all.filter((each) => each.run === one.run && each.terminal === one.terminal).map((each) => each.pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already ended, or not ours: nothing more can be done.
  }
}

function look(pid: number): MachineProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      .split("\0")
      .filter((word) => word !== "");
    const environment = environmentOf(pid);
    return {
      pid,
      parent: Number(fields[1]),
      command: words.join(" "),
      startedAt: bootedAt() + Number(fields[19]) * TICK_MS,
      terminal: environment?.get("HERMES_TERMINAL"),
      run: environment?.get("HERMES_RUN"),
      task: environment?.get("HERMES_TASK_ID"),
      home: environment?.get("HERMES_AGENT_HOME"),
    };
  } catch {
    return undefined; // It ended meanwhile.
  }
}

function bootedAt(): number {
  return Date.now() - uptime() * 1_000;
}

function environmentOf(pid: number): ReadonlyMap<string, string> | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, "utf8");
    if (!text.includes("HERMES_TERMINAL=")) return undefined;
    return new Map(
      text.split("\0").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
  } catch {
    return undefined; // Owned by another user.
  }
}

function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(
      (name) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`) ?? "")?.[1] ?? [],
    );
  } catch {
    return []; // Ended, or owned by another user.
  }
}

/** Listening ports by socket inode, from tables like /proc/net/tcp. */
export function listeningIn(tables: string): ReadonlyMap<string, number> {
  const ports = new Map<string, number>();
  for (const line of tables.split("\n")) {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    if (state === "0A") ports.set(inode, Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
  }
  return ports;
}

function listeningOf(pid: number): ReadonlyMap<string, number> {
  const ports = new Map<string, number>();
  for (const table of ["tcp", "tcp6"]) {
    try {
      for (const [inode, port] of listeningIn(readFileSync(`/proc/${pid}/net/${table}`, "latin1")))
        ports.set(inode, port);
    } catch {
      // The protocol is not available.
    }
  }
  return ports;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
