import type { Stats } from "node:fs";

/** A file, folder or link of a tree as one look found it. Times are epoch ms with what fraction the file system has. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly mode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** An entry whose content is kept. */
export interface KeptEntry extends Entry {
  /** sha-256 of a file's content, the target of a link; `undefined` for a folder and for what was not kept. */
  readonly content: string | undefined;
}

export function entryOf(stats: Stats): Entry {
  const folder = stats.isDirectory();
  return {
    kind: stats.isFile() ? "file" : folder ? "folder" : stats.isSymbolicLink() ? "link" : "other",
    mode: stats.mode,
    // A folder's size and times change with what is in it, which is looked at by itself.
    bytes: folder ? 0 : stats.size,
    modifiedMs: folder ? 0 : stats.mtimeMs,
    changedMs: folder ? 0 : stats.ctimeMs,
    inode: stats.ino,
  };
}

/** Whether a look found the entry as it was: what a file system cannot fake cheaply is compared, not the content. */
export function unchanged(entry: Entry, stats: Stats): boolean {
  if (entry.mode !== stats.mode || entry.inode !== stats.ino) return false;
  return entry.kind === "folder" || (entry.changedMs === stats.ctimeMs && entry.modifiedMs === stats.mtimeMs && entry.bytes === stats.size);
}

/** Whether restoring one in place of the other would change nothing a person could see. */
export function sameContent(a: KeptEntry | undefined, b: KeptEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && (a.kind === "link" || permissions(a.mode) === permissions(b.mode)) && a.content === b.content && (a.content !== undefined || a.kind === "folder" || (a.inode === b.inode && a.bytes === b.bytes && a.modifiedMs === b.modifiedMs));
}

export function permissions(mode: number): number {
  return mode & 0o7777;
}
