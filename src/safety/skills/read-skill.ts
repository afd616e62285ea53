import { posix } from "node:path";
import { type SkillFile, toSkillFile } from "./skill-file.ts";

/** The part of `node:fs/promises` that it needs. */
export interface SkillDisk {
  readdir(path: string): Promise<readonly string[]>;
  lstat(path: string): Promise<{
    readonly size: number;
    readonly mode: number;
    isDirectory(): boolean;
    isFile(): boolean;
    isSymbolicLink(): boolean;
  }>;
  readFile(path: string): Promise<Uint8Array>;
  readlink(path: string): Promise<string>;
}

const MAX_FILES = 500;
const MAX_BYTES = 2_000_000;
const MAX_DEPTH = 8;
/** Never part of what a model is shown. */
const SKIPPED = new Set([".git", "node_modules", "__pycache__"]);

/**
 * Every entry of a skill's folder, without following links. Entries that are too large to read are listed, so that they
 * do not pass as clean.
 */
export async function readSkill(root: string, disk: SkillDisk): Promise<readonly SkillFile[]> {
  const files: SkillFile[] = [];
  await visit("", 0);
  return files;

  async function visit(folder: string, depth: number): Promise<void> {
    for (const name of [...(await disk.readdir(posix.join(root, folder)))].sort()) {
      if (files.length >= MAX_FILES) {
        if (files.at(-1)?.kind !== "unread")
          files.push({ kind: "unread", path: folder || ".", why: `has more than ${MAX_FILES} files` });
        return;
      }
      const path = posix.join(folder, name);
      const full = posix.join(root, path);
      const stat = await disk.lstat(full);
      if (stat.isSymbolicLink()) files.push({ kind: "link", path, target: await disk.readlink(full) });
      else if (stat.isDirectory()) {
        if (depth >= MAX_DEPTH) files.push({ kind: "unread", path, why: `is more than ${MAX_DEPTH} folders deep` });
        else if (!SKIPPED.has(name)) await visit(path, depth + 1);
        else if (name !== ".git") files.push({ kind: "unread", path, why: "contains code from other projects" });
      } else if (!stat.isFile()) files.push({ kind: "unread", path, why: "is neither a file nor a folder" });
      else if (stat.size > MAX_BYTES)
        files.push({ kind: "unread", path, why: `has ${stat.size} bytes; the limit is ${MAX_BYTES}` });
      else files.push(toSkillFile(path, await disk.readFile(full), (stat.mode & 0o111) !== 0));
    }
  }
}
