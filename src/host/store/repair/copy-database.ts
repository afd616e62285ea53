import { loadSqlite } from "../facts/sqlite.ts";

/** A consistent copy of a database of a plugin or of the original, which may be in use. */
export async function copyDatabase(path: string, copy: string): Promise<void> {
  const { DatabaseSync, backup } = loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // Reading fails here if the file is no database.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(database, copy);
  } finally {
    database.close();
  }
}
