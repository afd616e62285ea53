import { UserError } from "../../../contract/common/failure.ts";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { recordChecksum } from "./checksum.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { Database } from "./sqlite.ts";
import { APPLICATION_ID } from "./store-files.ts";

export const STATE_VERSION = 1;

/**
 * `facts` is the truth and is only ever appended to. `id` grows over all sessions and is never used twice, so a copy
 * can catch up by it. `sessions` is kept in the same transaction: where a session stands, and the turn that is open in
 * it.
 */
const SCHEMA = `
  CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    v INTEGER NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX facts_by_session ON facts (session_id, seq);
  CREATE TABLE sessions (session_id TEXT PRIMARY KEY, last_seq INTEGER NOT NULL, last_at INTEGER NOT NULL, open_turn TEXT) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_open ON sessions (session_id) WHERE open_turn IS NOT NULL;
  CREATE TABLE leases (lane TEXT PRIMARY KEY, fence INTEGER NOT NULL, holder TEXT NOT NULL, owner TEXT NOT NULL, until_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Pragmas of every connection, and the schema of a new file. */
export function prepareState(database: Database, storeId: () => string): void {
  const version = number(database, "PRAGMA user_version");
  if (version === STATE_VERSION && number(database, "PRAGMA application_id") === APPLICATION_ID) {
    // A rollback journal is what a copy made by other programs may carry.
    if (text(database, "PRAGMA journal_mode") !== "wal") database.exec("PRAGMA journal_mode = WAL");
  } else {
    makeSchema(database, storeId);
  }
  // Overwriting a WAL syncs twice as fast as growing one, so it restarts after 800 KB.
  database.exec("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 200");
}

function makeSchema(database: Database, storeId: () => string): void {
  // Refused before anything is written: the file may be another program's.
  refuseUnknownFile(database);
  // Marked before there is a WAL and with the first bytes that are ever written, so that `refuseUnknownFile` finds the mark in
  // every file of ours.
  if (number(database, "PRAGMA page_count") === 0)
    database.exec(`BEGIN; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
  database.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
  try {
    refuseUnknownFile(database);
    if (number(database, "PRAGMA user_version") === 0) {
      database.exec(SCHEMA);
      database.prepare("INSERT INTO meta VALUES ('store_id', ?), ('removals', '0')").run(storeId());
      database.exec(`PRAGMA user_version = ${STATE_VERSION}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** @throws {UserError} It is of a newer version, or another program's. */
export function refuseUnknownFile(database: Database): void {
  const version = number(database, "PRAGMA user_version");
  const ours = number(database, "PRAGMA application_id") === APPLICATION_ID;
  if (ours && version > STATE_VERSION) {
    throw new UserError(
      `A newer version of Hermes wrote the session store (format ${version}; this version reads up to ${STATE_VERSION}).`,
      { hint: "Update Hermes. Nothing was changed.", exitCode: 78 },
    );
  }
  if (!ours && number(database, "SELECT count(*) FROM sqlite_schema") > 0) {
    // Only while two programs make the file at the same moment; else ours has another name from the start.
    throw new UserError("Another program has just created its own `state.db` in the home. Nothing was changed.", {
      hint: "Start again: Hermes then stores its sessions in another file.",
      exitCode: 78,
    });
  }
}

function number(database: Database, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

function text(database: Database, sql: string): string {
  return String(Object.values(database.prepare(sql).get() ?? {})[0]);
}

/** A row of `facts`, as stored. */
export interface FactRow {
  readonly id: number;
  readonly session_id: string;
  readonly seq: number;
  readonly at: number;
  readonly v: number;
  readonly body: string;
  readonly checksum: number;
}

const INSERT = "INSERT INTO facts (session_id, seq, at, v, body, checksum) VALUES (?, ?, ?, ?, ?, ?)";

export function insertFact(file: DatabaseFile, sessionId: string, seq: number, at: number, body: string): void {
  file.statement(INSERT).run(sessionId, seq, at, 1, body, recordChecksum(sessionId, seq, at, 1, body));
}

const STAND = `
  INSERT INTO sessions (session_id, last_seq, last_at, open_turn) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (session_id) DO UPDATE SET last_seq = ?2, last_at = ?3, open_turn = iif(?5, ?4, open_turn)
`;

/** Notes where a session stands after `facts`, the last of which has `seq`. */
export function noteStand(
  file: DatabaseFile,
  sessionId: string,
  seq: number,
  at: number,
  facts: readonly Fact[],
): void {
  let turn: string | null | undefined;
  for (const fact of facts) {
    if (fact.type === "turn.started") turn = fact.turnId;
    else if (fact.type === "turn.ended") turn = null;
  }
  file.statement(STAND).run(sessionId, seq, at, turn ?? null, turn === undefined ? 0 : 1);
}

/** The facts count: a damaged file may have lost the row of a session, or all its facts. */
const LAST_SEQ = `
  SELECT coalesce((SELECT last_seq FROM sessions WHERE session_id = ?1), max(seq)) AS seq FROM facts WHERE session_id = ?1
  HAVING max(seq) IS NOT NULL
`;

export function lastSeqOf(file: DatabaseFile, sessionId: string): number {
  return Number(file.statement(LAST_SEQ).get(sessionId)?.["seq"] ?? 0);
}

export function metaOf(file: DatabaseFile, key: string): string | undefined {
  return file.statement("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] as string | undefined;
}

export function setMeta(file: DatabaseFile, key: string, value: string): void {
  file.statement("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2").run(key, value);
}

/** Whether the only later facts are titles. */
export function onlyTitlesAfter(file: DatabaseFile, sessionId: string, seq: number): boolean {
  return (
    file
      .statement(
        "SELECT 1 FROM facts WHERE session_id = ? AND seq > ? AND json_extract(body, '$.type') <> 'session.titled' LIMIT 1",
      )
      .get(sessionId, seq) === undefined
  );
}
