import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { keepVersion, versionFolder, versions } from "../history.ts";
import { digestOf, readHub, writeHub, type Hub, type LockEntry } from "./hub-state.ts";

const WHY = "install";

/**
 * Moves a downloaded and checked skill to the path in its record, then writes the record. The previous content
 * becomes a version. A process that is killed in between leaves its plan next to the records, for `endLeft`.
 */
export function putInPlace(skills: string, name: string, entry: LockEntry, from: string): void {
  const { installed, pending } = readHub(skills);
  writeHub(skills, { installed, pending: { ...pending, [name]: { entry, pid: process.pid } } });
  try {
    const target = join(skills, entry.install_path);
    if (existsSync(target)) keepVersion(skills, entry.install_path, WHY, true);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(from, target);
  } finally {
    end(skills, name);
  }
}

/** Ends what processes that are gone had begun: the new skill with its record, or the old one with its own. */
export function endLeft(skills: string): void {
  for (const [name, { pid }] of Object.entries(begun(skills))) if (!runs(pid)) end(skills, name);
}

function begun(skills: string): Hub["pending"] {
  try {
    return readHub(skills).pending;
  } catch {
    return {}; // The code that needs the records reports this.
  }
}

function end(skills: string, name: string): void {
  const { installed, pending } = readHub(skills);
  const { [name]: mine, ...others } = pending;
  if (mine === undefined) return;
  const { entry } = mine;
  const target = join(skills, entry.install_path);
  const arrived = existsSync(target) && digestOf(target).full === entry.metadata.digest;
  const before =
    existsSync(target) || installed[name] === undefined
      ? undefined
      : versions(skills).find(({ path, why }) => path === entry.install_path && why === WHY);
  if (before !== undefined) renameSync(versionFolder(skills, before), target);
  writeHub(skills, { installed: arrived ? { ...installed, [name]: entry } : installed, pending: others });
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}
