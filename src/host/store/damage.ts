import { existsSync, statSync, writeFileSync, rmSync } from "node:fs";
import { recordChecksum } from "./checksum.ts";
import type { DatabaseFile } from "./database-file.ts";
import { metaOf, setMeta, type FactRow } from "./state-schema.ts";
import { loadSqlite, troubleOf, type Database } from "./sqlite.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Checked while opening up to this size (some tens of ms); a larger file is checked beside the work. */
const CHECK_AT_ONCE_BYTES = 16 * 1024 * 1024;

/** What SQLite finds wrong with the structure of a file, if anything. */
export function findDamage(database: Database): string | undefined {
  try {
    const found = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    return found === "ok" ? undefined : String(found);
  } catch (error) {
    if (troubleOf(error) === "damaged") return (error as Error).message;
    throw error;
  }
}

/** Reads every record and compares its checksum: finds what lies sound in its page and says something else. */
export function findWrongRecord(database: Database): string | undefined {
  for (const row of database.prepare("SELECT * FROM facts").iterate() as Iterable<unknown> as Iterable<FactRow>) {
    if (!isWhole(row)) return `record ${row.seq} of session "${row.session_id}" does not agree with its checksum`;
  }
  return undefined;
}

export function isWhole(row: FactRow): boolean {
  return recordChecksum(row.session_id, row.seq, row.at, row.v, row.body) === row.checksum;
}

/** A file beside the store that says: check it at the next start, whatever the date. */
function markerOf(path: string): string {
  return `${path}.suspect`;
}

export function markSuspect(path: string): void {
  try {
    writeFileSync(markerOf(path), "", { mode: 0o600 });
  } catch {
    // A disk that takes no file either: the daily check will find it.
  }
}

export function isSuspect(path: string): boolean {
  return existsSync(markerOf(path));
}

export function clearSuspect(path: string): void {
  rmSync(markerOf(path), { force: true });
}

/** `now`: before anything is written. `beside`: too large to wait for. */
export function dueCheck(file: DatabaseFile, now: number): "none" | "now" | "beside" {
  const suspect = isSuspect(file.path);
  const age = now - Number(metaOf(file, "checked_at") ?? 0);
  if (!suspect && age >= 0 && age < DAY_MS) return "none";
  return suspect || statSync(file.path).size <= CHECK_AT_ONCE_BYTES ? "now" : "beside";
}

export function noteChecked(file: DatabaseFile, now: number): void {
  setMeta(file, "checked_at", String(now));
  clearSuspect(file.path);
}

/** Runs the check in a thread of its own, so that nothing waits for a large file. It ends with the process. */
export function checkBeside(path: string, tell: (damage: string | undefined) => void): Disposable {
  loadSqlite();
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(CHECKER, { eval: true, workerData: { path }, stdout: false, stderr: false });
  worker.unref();
  worker.once("message", (damage: string | undefined) => tell(damage));
  worker.once("error", () => {
    // Could not look (busy, out of memory): the next start tries again.
  });
  return { [Symbol.dispose]: () => void worker.terminate() };
}

const CHECKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(workerData.path, { timeout: 5000, readOnly: true });
  let damage;
  try {
    const found = Object.values(database.prepare("PRAGMA quick_check(1)").get())[0];
    if (found !== "ok") damage = String(found);
  } catch (error) {
    if ((error.errcode & 0xff) !== 11 && (error.errcode & 0xff) !== 26) throw error;
    damage = error.message;
  }
  database.close();
  parentPort.postMessage(damage);
`;
