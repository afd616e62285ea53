import { existsSync, renameSync, rmSync, chmodSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { UserError } from "../../../contract/common/failure.ts";
import { loadSqlite } from "../facts/sqlite.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

/**
 * A consistent copy while others read and write. Copying the files themselves would drop SQLite's locks. @throws
 * {UserError} when the target exists.
 */
export async function backupStore(store: SqliteStore, targetPath: string): Promise<string> {
  const target = resolve(targetPath);
  if (existsSync(target))
    throw new UserError(`"${target}" already exists; nothing was written.`, {
      hint: "Name a new file.",
      exitCode: 2,
    });
  if (!existsSync(dirname(target)))
    throw new UserError(`The folder "${dirname(target)}" does not exist.`, { exitCode: 2 });
  const part = `${target}.part`;
  try {
    for (let tries = 1; ; tries++) {
      try {
        await store.withFile((file) => loadSqlite().backup(file.database, part, { rate: 1000 }));
        break;
      } catch (cause) {
        if (tries === MAX_TRIES || !wasBusy(cause)) throw cause;
        discard(part);
        await setTimeout(100);
      }
    }
    chmodSync(part, 0o600);
    // A single file: the copy is not in use, so it needs no WAL beside it.
    renameSync(part, target);
  } finally {
    discard(part);
  }
  return target;
}

const MAX_TRIES = 100;

/** Another process wrote just then: Node gives up with an error of SQLite's that is none. */
function wasBusy(cause: unknown): boolean {
  return (
    typeof cause === "object" &&
    cause !== null &&
    "errcode" in cause &&
    (cause.errcode === 0 || cause.errcode === 5 || cause.errcode === 6)
  );
}

function discard(part: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(part + suffix, { force: true });
}
