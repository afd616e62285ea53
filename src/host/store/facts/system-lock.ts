import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { UserError } from "../../../contract/common/failure.ts";
import { loadSqlite, troubleOf, type Database } from "./sqlite.ts";

/**
 * An operating system lock on a separate file, which ends with its process; `undefined` while another process has it.
 * Node has no such locks; SQLite takes one on any file, even an empty one, and writes nothing into it. Releasing
 * removes the file.
 * @throws {UserError} when the file belongs to another program.
 */
export function takeSystemLock(path: string): Disposable | undefined {
  closeSync(openSync(path, "a", 0o600));
  const opened = inodeOf(path);
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: 0 });
  // The former holder removed the file: a lock on a removed file excludes no one.
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
    throw new UserError(`${path} cannot be locked: ${(error as Error).message}.`, {
      hint: "Another program may have created that file. If no program uses it, delete it.",
      cause: error,
    });
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
