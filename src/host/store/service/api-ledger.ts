import type { AcceptedInput, ApiLedger } from "../../../contract/services/api-ledger.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS api_points (digest TEXT PRIMARY KEY, session_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS api_inputs (input_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, at INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS api_inputs_open ON api_inputs (at) WHERE done = 0;
`;

/** The tables are made when the API is first served; the store's format stays what it is. */
export async function openApiLedger(store: SqliteStore, now: () => number): Promise<ApiLedger> {
  const write = (work: (file: DatabaseFile) => void): Promise<void> => store.transaction(work);
  await write((file) => file.database.exec(SCHEMA));
  return {
    point: (digest) =>
      store.lookup((file) => {
        const row = file.statement("SELECT session_id, seq FROM api_points WHERE digest = ?").get(digest);
        return row === undefined ? undefined : { sessionId: String(row["session_id"]), seq: Number(row["seq"]) };
      }),
    notePoints: (digests, { sessionId, seq }) =>
      write((file) => {
        for (const digest of digests)
          file
            .statement(
              "INSERT INTO api_points VALUES (?1, ?2, ?3, ?4) ON CONFLICT (digest) DO UPDATE SET session_id = ?2, seq = ?3, at = ?4",
            )
            .run(digest, sessionId, seq, now());
      }),
    accept: (inputId, sessionId) =>
      write(
        (file) =>
          void file
            .statement(
              "INSERT INTO api_inputs (input_id, session_id, at) VALUES (?1, ?2, ?3) ON CONFLICT (input_id) DO UPDATE SET session_id = ?2, at = ?3, done = 0",
            )
            .run(inputId, sessionId, now()),
      ),
    accepted: (inputId) =>
      store.lookup((file) => {
        const row = file.statement("SELECT * FROM api_inputs WHERE input_id = ?").get(inputId);
        return row === undefined ? undefined : inputOf(row);
      }),
    finish: (inputId) =>
      write((file) => void file.statement("UPDATE api_inputs SET done = 1 WHERE input_id = ?").run(inputId)),
    unfinished: () =>
      store.lookup((file) => file.statement("SELECT * FROM api_inputs WHERE done = 0 ORDER BY at").all().map(inputOf)),
    prune: ({ inputsBefore, pointsBefore }) =>
      write((file) => {
        file.statement("DELETE FROM api_inputs WHERE done = 1 AND at < ?").run(inputsBefore);
        file.statement("DELETE FROM api_points WHERE at < ?").run(pointsBefore);
      }),
  };
}

function inputOf(row: Readonly<Record<string, unknown>>): AcceptedInput {
  return { inputId: String(row["input_id"]), sessionId: String(row["session_id"]), at: Number(row["at"]) };
}
