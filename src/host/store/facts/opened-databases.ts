import { closeSync, openSync, readSync } from "node:fs";

const MAGIC = "SQLite format 3\0";
const APPLICATION_ID_AT = 68;

/** Databases that this process has open or had; a plain open and close of one of them would drop SQLite's locks. */
const opened = new Set<string>();

export function noteOpened(path: string): void {
  opened.add(path);
}

/**
 * Whether a file is another program's database, judged by its first bytes without SQLite, so nothing is locked,
 * created or changed. A missing, empty or invalid file does not count: it may be ours and damaged.
 */
export function isUntrusted(path: string, applicationId: number): boolean {
  if (opened.has(path)) return false;
  const head = Buffer.alloc(APPLICATION_ID_AT + 4);
  try {
    const file = openSync(path, "r");
    try {
      if (readSync(file, head, 0, head.length, 0) < head.length) return false;
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // Missing, or not ours to read: opening it says which.
  }
  return head.toString("latin1", 0, MAGIC.length) === MAGIC && head.readUInt32BE(APPLICATION_ID_AT) !== applicationId;
}
