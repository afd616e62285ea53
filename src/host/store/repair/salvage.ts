import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Fact } from "../../../contract/conversation/fact.ts";
import { clearSuspect, isWhole } from "./damage.ts";
import { DatabaseFile, inTransaction } from "../facts/database-file.ts";
import { ExchangeGuard } from "./exchange-guard.ts";
import { salvageBeside } from "./salvage-beside.ts";
import { loadSqlite, type Database } from "../facts/sqlite.ts";
import { insertFact, noteStand, prepareState, type FactRow } from "../facts/state-schema.ts";

export interface Salvaged {
  readonly damagedFile: string;
  readonly facts: number;
  /** Records that could not be read; a note replaces each. */
  readonly lost: number;
}

/**
 * Copies every readable record of a damaged store into a new file that replaces it. The damaged file stays under
 * another name.
 * @param damage.inode The damaged file; another one at the path is left alone.
 * @throws when nothing can be read: an empty store must never replace a full one.
 */
export function salvage(
  path: string,
  damage: { readonly inode: number | undefined; readonly stamp: string },
  storeId: string,
): Salvaged {
  const { DatabaseSync } = loadSqlite();
  const fresh = `${path}.salvage-${process.pid}`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(fresh + suffix, { force: true });
  const damaged = new DatabaseSync(path, { timeout: 2000, defensive: false });
  try {
    // A file that was cut short is not read at all without this; nothing is written to it.
    damaged.exec("PRAGMA writable_schema = ON");
    lockOut(damaged);
    requireSame(path, damage.inode);
    const rows = readable(damaged);
    if (rows.length === 0) throw new Error(`no record of "${path}" could be read`);
    const lost = writeFresh(fresh, storeId, rows, damaged);
    using _guard = ExchangeGuard.put(path);
    requireSame(path, damage.inode);
    const saved = `${path}.damaged-${damage.stamp}`;
    // Links first, so that at no point the path leads to nothing; the old WAL must not be replayed into the new file.
    linkSync(path, saved);
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${saved}-wal`);
    rmSync(`${path}-shm`, { force: true });
    renameSync(fresh, path);
    // Left by a process that opened it in between and has closed it, or will.
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    clearSuspect(path);
    return { damagedFile: saved, facts: rows.length, lost };
  } finally {
    // The file was moved, so SQLite neither checkpoints nor deletes anything by its path here.
    damaged.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(fresh + suffix, { force: true });
  }
}

const DAMAGED_COPIES = 3;

/** Damaged files are as large as the store; a disk that keeps damaging it must not be filled with them. */
export function keepNewestDamaged(path: string): void {
  for (const name of damagedFiles(path).slice(0, -DAMAGED_COPIES))
    for (const suffix of ["", "-wal"]) rmSync(join(dirname(path), name + suffix), { force: true });
}

/** Names of the damaged files that are kept beside a store, the oldest first. */
export function damagedFiles(path: string): readonly string[] {
  const start = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .sort();
}

/** The file at the path is a new one; open it again. */
export class SalvagedByOther extends Error {}

/** Another process was quicker; what was written since must not be replaced by our copy. */
function requireSame(path: string, inode: number | undefined): void {
  if (statSync(path).ino !== inode) throw new SalvagedByOther();
}

/** Other writers wait; after it they find the new file by its inode. */
function lockOut(damaged: Database): void {
  try {
    damaged.exec("BEGIN IMMEDIATE");
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 5) throw error;
    // Too damaged for a lock; then no other process can write either.
  }
}

/** Every row that can be read and whose checksum agrees, found by halving the ranges that cannot. */
function readable(damaged: Database): readonly FactRow[] {
  const rows: FactRow[] = [];
  const select = damaged.prepare("SELECT * FROM facts WHERE id BETWEEN ? AND ?");
  const scan = (low: number, high: number): void => {
    try {
      // Checked before any is copied: a failing range is read again in halves. Past the end of a file, rows are
      // empty.
      const sound = (select.all(low, high) as unknown as FactRow[]).filter(
        (row) => typeof row.body === "string" && isWhole(row),
      );
      for (const row of sound) rows.push(row);
    } catch {
      if (low === high) return;
      const middle = Math.floor((low + high) / 2);
      scan(low, middle);
      scan(middle + 1, high);
    }
  };
  const last = lastId(damaged);
  for (let low = 1; low <= last; low += 512) scan(low, Math.min(low + 511, last));
  return rows;
}

function lastId(damaged: Database): number {
  const counts = [
    "SELECT seq FROM sqlite_sequence WHERE name = 'facts'",
    "SELECT max(id) FROM facts",
    "SELECT sum(last_seq) FROM sessions",
  ];
  let last = 0;
  for (const sql of counts) {
    try {
      last = Math.max(last, Number(Object.values(damaged.prepare(sql).get() ?? {})[0] ?? 0));
    } catch {
      // That page is gone; another count will do.
    }
  }
  return last;
}

/** Returns how many records are missing between those that were found, and behind them. */
function writeFresh(path: string, storeId: string, rows: readonly FactRow[], damaged: Database): number {
  const file = new DatabaseFile(path, (database) => prepareState(database, () => storeId));
  let lost = 0;
  file.open();
  try {
    inTransaction(file, () => {
      const stands = new Map<string, number>();
      // In order of id, so a session's records come in order of seq.
      for (const row of rows) {
        let seq = stands.get(row.session_id) ?? 0;
        while (seq + 1 < row.seq) {
          lost++;
          write(file, row.session_id, ++seq, row.at, standIn(seq));
        }
        write(file, row.session_id, row.seq, row.at, JSON.parse(row.body) as Fact, row.body);
        stands.set(row.session_id, row.seq);
      }
      for (const { session_id: sessionId, last_seq: last, last_at: at } of standsOf(damaged)) {
        for (let seq = stands.get(sessionId) ?? 0; seq < last; lost++) write(file, sessionId, ++seq, at, standIn(seq));
      }
    });
    salvageBeside(damaged, file);
    file.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    file.close();
  }
  return lost;
}

interface Stand {
  readonly session_id: string;
  readonly last_seq: number;
  readonly last_at: number;
}

/** How far each session had come, as far as that can be read and can be true. */
function standsOf(damaged: Database): readonly Stand[] {
  const most = lastId(damaged);
  try {
    return (damaged.prepare("SELECT session_id, last_seq, last_at FROM sessions").all() as unknown as Stand[]).filter(
      ({ session_id: id, last_seq: last, last_at: at }) =>
        typeof id === "string" && typeof at === "number" && last <= most,
    );
  } catch {
    return []; // That page is gone.
  }
}

function write(
  file: DatabaseFile,
  sessionId: string,
  seq: number,
  at: number,
  fact: Fact,
  body: string = JSON.stringify(fact),
): void {
  insertFact(file, sessionId, seq, at, body);
  noteStand(file, sessionId, seq, at, [fact]);
}

/** Keeps the numbers without gaps, so that everything that refers to a later one still does. */
function standIn(seq: number): Fact {
  if (seq === 1) return { type: "session.started", surface: "salvaged", cwd: "/" };
  return { type: "state.set", key: "store.lost", value: { seq } };
}
