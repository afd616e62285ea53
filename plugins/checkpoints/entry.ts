import type { Stats } from "node:fs";

/**
 * A file, folder or link of a tree as one look found it; `apart` is a folder that is left out with all below it. Times are epoch ms with what
 * fraction the file system has.
 */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "apart" | "other";
  readonly mode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** An entry whose content is kept. */
export interface SavedEntry extends Entry {
  /** sha-256 of a file's content, the target of a link; `undefined` for a folder and for what was not kept. */
  readonly content: string | undefined;
}

/** @param stats `undefined` for a name that is no text, which nothing can be asked about. */
export function entryOf(stats: Stats | undefined, apart = false): Entry {
  if (stats === undefined) return NAMELESS;
  const folder = stats.isDirectory();
  return {
    kind: apart ? "apart" : stats.isFile() ? "file" : folder ? "folder" : stats.isSymbolicLink() ? "link" : "other",
    mode: stats.mode,
    // A folder's size and times change with what is in it, which is looked at by itself.
    bytes: folder ? 0 : stats.size,
    modifiedMs: folder ? 0 : stats.mtimeMs,
    changedMs: folder ? 0 : stats.ctimeMs,
    inode: stats.ino,
  };
}

const NAMELESS: Entry = { kind: "other", mode: 0, bytes: 0, modifiedMs: 0, changedMs: 0, inode: 0 };

/** Whether a look found the entry as it was: what a file system cannot fake cheaply is compared, not the content. */
export function unchanged(entry: Entry, stats: Stats | undefined): boolean {
  if (stats === undefined) return entry.kind === "other";
  if (entry.mode !== stats.mode || entry.inode !== stats.ino) return false;
  return (
    entry.kind === "folder" ||
    (entry.changedMs === stats.ctimeMs && entry.modifiedMs === stats.mtimeMs && entry.bytes === stats.size)
  );
}

/** Whether restoring one in place of the other would change nothing a person could see. */
export function sameContent(a: SavedEntry | undefined, b: SavedEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "apart" || b.kind === "apart") return a.kind === b.kind;
  return (
    a.kind === b.kind &&
    (a.kind === "link" || permissions(a.mode) === permissions(b.mode)) &&
    a.content === b.content &&
    (a.content !== undefined ||
      a.kind === "folder" ||
      (a.inode === b.inode && a.bytes === b.bytes && a.modifiedMs === b.modifiedMs))
  );
}

export function permissions(mode: number): number {
  return mode & 0o7777;
}
