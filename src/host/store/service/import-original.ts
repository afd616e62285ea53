import { existsSync } from "node:fs";
import type { ImportedSessions } from "../../../contract/services/session-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { maskFact, type Mask } from "../../masking/mask-fact.ts";
import { isUntrusted } from "../facts/opened-databases.ts";
import { factsOfOriginal, type OriginalRow } from "./original-facts.ts";
import { BUSY_TIMEOUT_MS } from "../facts/patience.ts";
import { loadSqlite, troubleOf, type Database } from "../facts/sqlite.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";
import { APPLICATION_ID } from "../facts/store-files.ts";

/**
 * Imports the sessions of the original's `state.db` under their own ids. Existing ones stay unchanged. Reads the file
 * like a process of the original, and never writes it.
 * @throws {UserError} for a file that is not the original's, or unreadable.
 */
export async function importOriginal(store: SqliteStore, path: string, mask: Mask): Promise<ImportedSessions> {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}.`, { exitCode: 2 });
  if (!isUntrusted(path, APPLICATION_ID))
    throw new UserError(`${path} is not a session store of the Python Hermes.`, {
      hint: "Use the file state.db of its home.",
      exitCode: 2,
    });
  const { DatabaseSync } = loadSqlite();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
    const tables = new Set(
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all()
        .map(({ name }) => String(name)),
    );
    if (!tables.has("sessions") || !tables.has("messages"))
      throw new UserError(`${path} contains no sessions of the Python Hermes.`, {
        hint: "Use the file state.db of its home.",
        exitCode: 2,
      });
    const layout = tables.has("schema_version")
      ? Number(database.prepare("SELECT max(version) AS version FROM schema_version").get()?.["version"] ?? 0)
      : 0;
    return { layout, ...(await take(database, store, mask)) };
  } catch (cause) {
    if (cause instanceof UserError || troubleOf(cause) === "other") throw cause;
    throw new UserError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      hint:
        troubleOf(cause) === "busy"
          ? "The original is writing to it. Try again."
          : "`sqlite3 FILE .recover` may save its content.",
      cause,
    });
  } finally {
    database?.close();
  }
}

async function take(database: Database, store: SqliteStore, mask: Mask): Promise<Omit<ImportedSessions, "layout">> {
  const sessions: readonly OriginalRow[] = database.prepare("SELECT * FROM sessions ORDER BY started_at, id").all();
  const ofSession = database.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY id");
  const known = new Set(sessions.map(({ id }) => String(id)));
  const here = await store.sessionIds();
  const count = { imported: 0, known: 0, empty: 0 };
  for (const session of sessions) {
    const id = String(session["id"]);
    const facts = here.has(id) ? [] : factsOfOriginal(session, ofSession.all(id), known);
    if (here.has(id)) count.known++;
    else if (facts.length === 0) count.empty++;
    else {
      await store.copyIn(
        id,
        facts.map(({ at, fact }) => ({ at, fact: maskFact(fact, mask) })),
      );
      count.imported++;
    }
  }
  return count;
}
