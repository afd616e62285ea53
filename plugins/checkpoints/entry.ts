import type { Stats } from "node:fs";

/**
 * A file, folder or link of a tree as one snapshot found it. `apart` is a folder that is excluded with everything below
 * it. Times are epoch ms with the fraction that the file system stores.
 */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "apart" | "other";
  readonly mode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** An entry whose content is saved. */
export interface SavedEntry extends Entry {
  /**
   * SHA-256 of a file's content, or the target of a link; `undefined` for a folder and for content that was not saved.
   */
  readonly content: string | undefined;
}

/** @param stats `undefined` for a name that is not valid text, which cannot be examined. */
export function entryOf(stats: Stats | undefined, apart = false): Entry {
  if (stats === undefined) return NAMELESS;
  const folder = stats.isDirectory();
  return {
    kind: apart ? "apart" : stats.isFile() ? "file" : folder ? "folder" : stats.isSymbolicLink() ? "link" : "other",
    mode: stats.mode,
    // A folder's size and times change with its entries, which have separate rows.
    bytes: folder ? 0 : stats.size,
    modifiedMs: folder ? 0 : stats.mtimeMs,
    changedMs: folder ? 0 : stats.ctimeMs,
    inode: stats.ino,
  };
}

const NAMELESS: Entry = { kind: "other", mode: 0, bytes: 0, modifiedMs: 0, changedMs: 0, inode: 0 };

/** Whether the entry is unchanged, judged by metadata that is hard to fake rather than by content. */
export function unchanged(entry: Entry, stats: Stats | undefined): boolean {
  if (stats === undefined) return entry.kind === "other";
  if (entry.mode !== stats.mode || entry.inode !== stats.ino) return false;
  return (
    entry.kind === "folder" ||
    (entry.changedMs === stats.ctimeMs && entry.modifiedMs === stats.mtimeMs && entry.bytes === stats.size)
  );
}

/** Whether replacing one by the other would change nothing that a user could see. */
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
