import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { isProjectEnv } from "hermes-agent/plugin";
import { join } from "node:path";

const DEPTH = 3;
const MAX_FOLDERS = 400;
const SKIPPED = new Set([
  "node_modules",
  ".git",
  "target",
  "dist",
  "build",
  "vendor",
  ".venv",
  "venv",
  "__pycache__",
  ".next",
  ".cache",
]);

/** A folder of the task: what in it holds secrets, and whether it is a git working tree. */
export interface Seen {
  readonly folder: string;
  readonly git: boolean;
  readonly secrets: readonly string[];
}

/**
 * The folder and those below it, three levels and some hundred folders at most, of all that are looked at among each
 * other.
 */
export function walk(root: string, among = 1): readonly Seen[] {
  const seen: Seen[] = [];
  const queue: { readonly folder: string; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  for (let next = queue.shift(); next !== undefined && seen.length < MAX_FOLDERS / among; next = queue.shift()) {
    const { folder, depth } = next;
    const entries = list(folder);
    const secrets = entries.filter(
      (entry) => entry.name !== ".envrc" && isProjectEnv(entry.name) && !entry.isDirectory(),
    );
    seen.push({
      folder,
      git: entries.some((entry) => entry.name === ".git"),
      secrets: secrets.map((entry) => join(folder, entry.name)),
    });
    if (depth === DEPTH) continue;
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name))
        queue.push({ folder: join(folder, entry.name), depth: depth + 1 });
  }
  return seen;
}

/** The path with all links followed; `undefined` when nothing is there. */
export function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // Missing, or not for us to see: commands cannot see it either.
  }
}

export function look(path: string): "file" | "folder" | undefined {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return undefined; // Nothing there.
  }
}

/** Something is there under this very name, be it a link to nowhere. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A small file's text. */
export function readShort(path: string): string | undefined {
  try {
    return statSync(path).size > 65_536 ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined; // Not readable: to be treated as unknown.
  }
}

export function subfolders(folder: string): readonly string[] {
  return list(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not readable, so commands see nothing in it either.
  }
}
