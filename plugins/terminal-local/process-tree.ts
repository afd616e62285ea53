import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const linux = process.platform === "linux";

/** Every living process below `root`, parents before children, `root` itself left out. */
export function descendants(root: number): number[] {
  return linux ? below(root, linuxChildren) : below(root, tableOf(psTable()));
}

/**
 * The direct children of a process of one thread, dead ones not yet collected included. Cheap on Linux; empty
 * elsewhere.
 */
export function childrenOf(pid: number): number[] {
  if (!linux) return [];
  try {
    return numbers(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" "));
  } catch {
    return linuxChildren(pid);
  }
}

/** {@link childrenOf} of one process that is asked about often: the system's list of them stays open. */
export class ChildList implements Disposable {
  readonly #pid: number;
  #fd: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#fd = linux ? openedOrNot(`/proc/${pid}/task/${pid}/children`) : undefined;
  }

  now(): number[] {
    if (this.#fd === undefined) return childrenOf(this.#pid);
    try {
      const size = readSync(this.#fd, LIST, 0, LIST.length, 0);
      // A list that fills the space may go on.
      return size === LIST.length ? childrenOf(this.#pid) : numbers(LIST.toString("latin1", 0, size).split(" "));
    } catch {
      return []; // The process is gone.
    }
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

const LIST = Buffer.allocUnsafeSlow(4_096);

function openedOrNot(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined; // A kernel without such lists.
  }
}

/**
 * Processes whose environment holds `NAME=value`, or `NAME=` with any value: finds processes that left their parent,
 * group and session. Linux only.
 * @param unmarked Processes known to carry no mark; they are not read again, and new ones are added. A mark is
 * inherited and never gained, so this holds until a process number is reused.
 */
export function marked(marker: string, unmarked: Set<number> = new Set()): number[] {
  if (!linux) return [];
  return numbers(readdirSync("/proc")).filter((pid) => {
    if (pid === process.pid || unmarked.has(pid)) return false;
    const environment = environmentOf(pid);
    // One that is just becoming another program has none for a moment.
    if (environment !== undefined && environment.length > 2 && !holds(environment, marker)) unmarked.add(pid);
    return holds(environment, marker);
  });
}

/**
 * Processes of a group. Finds a copy of a shell that has not become its program yet and so carries no mark. Linux only.
 */
export function groupMembers(leader: number): number[] {
  if (!linux) return [];
  return numbers(readdirSync("/proc")).filter((pid) => statOf(pid)?.[2] === String(leader));
}

export function hasMark(pid: number, marker: string): boolean {
  return holds(environmentOf(pid), marker);
}

/** Each variable between two zero bytes; undefined for a process that has ended or is another user's. */
function environmentOf(pid: number): string | undefined {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    return undefined;
  }
}

function holds(environment: string | undefined, marker: string): boolean {
  return environment !== undefined && environment.includes(`\0${marker}${marker.endsWith("=") ? "" : "\0"}`);
}

/**
 * The number that this process knows another by, of which only the number inside a sandbox below `root` is known. One
 * that has ended has none: then a number that no process ever has.
 */
export function seenFromHere(root: number, inside: number): number {
  if (!linux) return inside;
  const mine = numbersOf("self")?.length ?? 1;
  for (const pid of [root, ...descendants(root)]) {
    // The process around the sandbox has no number in it, but its number may equal the one that we look for.
    const all = numbersOf(pid);
    if (all !== undefined && all.length > mine && all.at(-1) === inside) return pid;
  }
  return NO_PROCESS;
}

/** A process's numbers, from those seen here to those in its own namespace. */
function numbersOf(pid: number | "self"): readonly number[] | undefined {
  try {
    return numbers(/^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))![1]!.split("\t"));
  } catch {
    return undefined; // Ended while we looked.
  }
}

const NO_PROCESS = 0x3fff_ffff;

export function alive(pid: number): boolean {
  if (!linux) return signal(pid, 0);
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/** Sends a signal; false when there is nothing to send it to. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false; // Ended already, or not ours: either way nothing more can be done with it.
  }
}

/** How long a tree may take to end after SIGTERM before it is killed. */
export const GRACE_MS = 800;

/**
 * Ends everything `collect` finds: SIGTERM from the top down, and after `graceMs` SIGKILL, again and again until
 * nothing is found. Parents go first, so that a script does not run its next line because the line before was killed.
 * @returns false when something outlived even that.
 */
export async function endTree(collect: () => number[], graceMs: number): Promise<boolean> {
  const message = new Map<number, string | undefined>();
  const graceEnds = performance.now() + graceMs;
  for (let pauseMs = 2; performance.now() < graceEnds; pauseMs = Math.min(25, pauseMs * 2)) {
    const found = living(collect);
    if (found.length === 0) return true;
    for (const pid of found) {
      // A copy of a shell that is about to exec loses a signal, so a process with a new name gets it again.
      const name = nameOf(pid);
      if (message.has(pid) && message.get(pid) === name) continue;
      message.set(pid, name);
      signal(pid, "SIGTERM");
      signal(pid, "SIGCONT");
    }
    await wait(pauseMs);
  }
  for (let round = 0; round < 100; round += 1) {
    if (!killNow(collect)) return true;
    await wait(5);
  }
  return living(collect).length === 0;
}

/** Looks again when nothing was found: a child whose parent ended while we went through the tree was below neither. */
function living(collect: () => number[]): number[] {
  for (let look = 0; look < 3; look += 1) {
    const found = collect().filter(alive);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * One round of SIGKILL without waiting, everything stopped first so that nothing forks away. True when there was
 * something to kill.
 */
export function killNow(collect: () => number[]): boolean {
  const stopped = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const fresh = living(collect).filter((pid) => !stopped.has(pid));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      stopped.add(pid);
      signal(pid, "SIGSTOP");
    }
  }
  for (const pid of stopped) signal(pid, "SIGKILL");
  return stopped.size > 0;
}

function below(root: number, children: (pid: number) => readonly number[]): number[] {
  const found = new Set<number>();
  const queue = [root];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const child of children(next)) {
      if (found.has(child) || child === root) continue;
      found.add(child);
      queue.push(child);
    }
  }
  return [...found];
}

function linuxChildren(pid: number): number[] {
  try {
    const single = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    const threads = readdirSync(`/proc/${pid}/task`);
    if (threads.length === 1) return numbers(single.split(" "));
    return threads.flatMap((thread) =>
      numbers(readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ")),
    );
  } catch (error) {
    // The file is missing where the kernel was built without it, and when the process has just ended.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && !childrenFiles()
      ? (tableOf(procTable())(pid) as number[])
      : [];
  }
}

let childrenFilesKnown: boolean | undefined;
function childrenFiles(): boolean {
  if (childrenFilesKnown === undefined) {
    try {
      readFileSync(`/proc/${process.pid}/task/${process.pid}/children`);
      childrenFilesKnown = true;
    } catch {
      childrenFilesKnown = false;
    }
  }
  return childrenFilesKnown;
}

function procTable(): [number, number][] {
  return numbers(readdirSync("/proc")).flatMap((pid) => {
    const parent = statOf(pid)?.[1];
    return parent === undefined ? [] : [[pid, Number(parent)] as [number, number]];
  });
}

function nameOf(pid: number): string | undefined {
  if (!linux) return undefined;
  try {
    return readFileSync(`/proc/${pid}/comm`, "latin1");
  } catch {
    return undefined; // Ended while we looked.
  }
}

/** State, parent, group and what follows them. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // Ended while we looked.
  }
}

function psTable(): [number, number][] {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid="], { encoding: "latin1", timeout: 2_000 });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid && parent !== undefined ? [[pid, parent] as [number, number]] : [];
  });
}

function tableOf(rows: readonly (readonly [number, number])[]): (pid: number) => readonly number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of rows) children.set(parent, [...(children.get(parent) ?? []), pid]);
  return (pid) => children.get(pid) ?? [];
}

function numbers(texts: readonly string[]): number[] {
  return texts.flatMap((text) => (/^\d+$/.test(text.trim()) ? [Number(text)] : []));
}
