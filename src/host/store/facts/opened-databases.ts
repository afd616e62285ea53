import { closeSync, openSync, readSync } from "node:fs";

const MAGIC = "SQLite format 3\0";
const APPLICATION_ID_AT = 68;

/** Databases that this process has open or had; a plain open and close of one of them would drop SQLite's locks. */
const opened = new Set<string>();

export function noteOpened(path: string): void {
  opened.add(path);
}

/**
 * Whether a file is a database that another program made, told from its first bytes without SQLite: nothing is locked, made or changed.
 * What is missing, empty or no database at all is not foreign: it may be ours and damaged.
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
