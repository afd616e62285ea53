import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { UserError } from "../../../contract/common/failure.ts";
import { loadSqlite, troubleOf, type Database } from "./sqlite.ts";

/**
 * A lock of the operating system on a file of its own, which goes with the process that holds it, however that ends; `undefined` while
 * another holds it. Node has no such locks; SQLite takes one on any file, an empty one too, and writes nothing into it. Letting go removes
 * the file.
 * @throws {UserError} when the file is somebody else's.
 */
export function takeSystemLock(path: string): Disposable | undefined {
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
    throw new UserError(`${path} cannot be locked: ${(error as Error).message}.`, {
      hint: "Another program may have created that file. If no program uses it, delete it.",
      cause: error,
    });
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
