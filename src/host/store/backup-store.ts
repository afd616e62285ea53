import { existsSync, renameSync, rmSync, chmodSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "../../contract/failure.ts";
import { loadSqlite } from "./sqlite.ts";
import type { SqliteStore } from "./sqlite-store.ts";

/** A consistent copy while others read and write. Copying the files themselves would drop SQLite's locks. @throws {UserError} when the target exists. */
export async function backupStore(store: SqliteStore, targetPath: string): Promise<string> {
  const target = resolve(targetPath);
  if (existsSync(target)) throw new UserError(`"${target}" exists already; nothing was written.`, { hint: "Name a file that does not exist yet.", exitCode: 2 });
  if (!existsSync(dirname(target))) throw new UserError(`The folder "${dirname(target)}" does not exist.`, { exitCode: 2 });
  const part = `${target}.part`;
  try {
    await store.withFile((file) => loadSqlite().backup(file.database, part, { rate: 1000 }));
    chmodSync(part, 0o600);
    // A single file: the copy is not in use, so it needs no WAL beside it.
    renameSync(part, target);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(part + suffix, { force: true });
  }
  return target;
}
