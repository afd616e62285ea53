import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { UserError } from "../../contract/failure.ts";
import { loadSqlite, troubleOf, type Database } from "../store/sqlite.ts";
import { systemClock } from "../system-clock.ts";

const PATIENCE_MS = 5_000;

/**
 * Runs `change` while no other process of ours changes the same file. The file beside it carries a lock of the operating system, which goes
 * with the process that held it, so none is ever left behind. Looking again in between is the only way: such a lock tells nobody when it goes.
 */
export async function withFileLock<T>(file: string, change: () => T): Promise<T> {
  const beside = `${file}.lock`;
  const giveUpAt = systemClock.elapsed() + PATIENCE_MS;
  for (;;) {
    using lock = take(beside);
    if (lock !== undefined) return change();
    if (systemClock.elapsed() > giveUpAt) throw new UserError(`${file} is being changed by another process.`, { hint: "Nothing was changed. Try again when that one is done." });
    await wait(15);
  }
}

/** Node has no locks of the system; SQLite takes one on any file, an empty one too, and writes nothing into it. */
function take(path: string): Disposable | undefined {
  closeSync(openSync(path, "a", 0o600));
  const opened = inodeOf(path);
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: 0 });
  // Whoever held it took the file away: a lock on what no longer lies there keeps nobody out.
  if (lockWhole(database, path) && opened !== undefined && inodeOf(path) === opened) {
    return {
      [Symbol.dispose]: () => {
        rmSync(path, { force: true });
        database.close();
      },
    };
  }
  database.close();
  return undefined;
}

function lockWhole(database: Database, path: string): boolean {
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (troubleOf(error) === "busy") return false;
    database.close();
    throw new UserError(`${path} cannot be locked: ${(error as Error).message}.`, { hint: "Another program may have made that file. If none uses it, delete it.", cause: error });
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
