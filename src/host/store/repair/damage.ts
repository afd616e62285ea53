import { existsSync, statSync, writeFileSync, rmSync } from "node:fs";
import { recordChecksum } from "../facts/checksum.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { metaOf, setMeta, type FactRow } from "../facts/state-schema.ts";
import { troubleOf, type Database } from "../facts/sqlite.ts";

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

/** Reads every record and compares its checksum: finds records with valid pages but changed content. */
export function findWrongRecord(database: Database): string | undefined {
  for (const row of database.prepare("SELECT * FROM facts").iterate() as Iterable<unknown> as Iterable<FactRow>) {
    if (!isWhole(row)) return `record ${row.seq} of session "${row.session_id}" does not match its checksum`;
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

/**
 * Runs the check in a separate process, so that neither work nor exit waits for a large file. No result means that it
 * could not check; the next start tries again.
 */
export function checkBeside(path: string, report: (damage: string | undefined) => void): Disposable {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(process.execPath, ["-e", CHECKER, path], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {},
    windowsHide: true,
  });
  let message = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (message += text));
  child.once("error", () => undefined);
  child.once("close", (code) => {
    if (code === 0 && message !== "") report(message === "ok" ? undefined : message);
  });
  child.unref();
  (child.stdout as unknown as { unref?(): void }).unref?.();
  return { [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

const CHECKER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1], { timeout: 5000, readOnly: true });
  let found;
  try {
    found = String(Object.values(database.prepare("PRAGMA quick_check(1)").get())[0]);
  } catch (error) {
    if (![11, 26].includes(error.errcode & 0xff)) throw error;
    found = error.message;
  }
  process.stdout.write(found);
`;
