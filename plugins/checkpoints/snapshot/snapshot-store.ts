import { hash as hashOf } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { UserError } from "hermes-agent/plugin";
import type { Breath } from "./yield-often.ts";
import type { Entry, SavedEntry } from "../entry.ts";

/** One turn's checkpoint of one tree. */
export interface Checkpoint {
  readonly id: number;
  readonly root: string;
  /** Absent for the whole tree. */
  readonly only?: readonly string[];
  readonly sessionId: string;
  readonly turnId: string;
  /** Epoch ms. */
  readonly at: number;
  /** Describes the first change of the turn. */
  readonly label: string;
  /** Number of the snapshot before the turn's first change. */
  readonly before: number;
  /** Number of the snapshot after the turn; absent while the turn runs and if the process ended first. */
  readonly after: number | undefined;
  /** Paths that were changed during the turn, but not by its calls. */
  readonly byOthers: readonly string[];
  /** Set for a rollback: the session that was open before. */
  readonly cameFrom: string | undefined;
}

export interface Change {
  readonly path: string;
  /** The current entry; `undefined` when the path no longer exists. */
  readonly entry: SavedEntry | undefined;
  /** Whether the newest snapshot has the path. */
  readonly replaces: boolean;
}

/** SQLite's error code for a full disk. */
const FULL = 13;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA auto_vacuum = INCREMENTAL;
  CREATE TABLE IF NOT EXISTS trees (tree INTEGER PRIMARY KEY, root TEXT NOT NULL UNIQUE, last INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    tree INTEGER NOT NULL, path TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
    kind TEXT NOT NULL, mode INTEGER NOT NULL, bytes INTEGER NOT NULL, modified REAL NOT NULL, changed REAL NOT NULL, inode INTEGER NOT NULL, content TEXT,
    PRIMARY KEY (tree, path, since)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS objects (hash TEXT PRIMARY KEY, packed INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS checkpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tree INTEGER NOT NULL, only_paths TEXT, session TEXT NOT NULL, turn TEXT NOT NULL, at INTEGER NOT NULL,
    label TEXT NOT NULL, before INTEGER NOT NULL, after INTEGER, came_from TEXT, by_others TEXT
  ) STRICT;
`;

/**
 * The states of trees, in a separate SQLite file: entries with the range of snapshots they belong to, contents by hash,
 * and checkpoints that name snapshots. Each change is one transaction, so a crash leaves the last complete state.
 */
export class SnapshotStore implements Disposable {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#db = new DatabaseSync(file, { timeout: 5_000 });
    this.#db.exec(SCHEMA);
    if (this.#db.prepare("SELECT 1 FROM pragma_table_info('checkpoints') WHERE name = 'by_others'").get() === undefined)
      this.#db.exec("ALTER TABLE checkpoints ADD COLUMN by_others TEXT");
    chmodSync(file, 0o600);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  treeOf(root: string): number {
    this.#run("INSERT INTO trees (root) VALUES (?) ON CONFLICT DO NOTHING", root);
    return this.#get<{ tree: number }>("SELECT tree FROM trees WHERE root = ?", root)!.tree;
  }

  /** Number of the tree's newest snapshot; 0 before the first. */
  lastOf(tree: number): number {
    return this.#get<{ last: number }>("SELECT last FROM trees WHERE tree = ?", tree)!.last;
  }

  /**
   * The tree at a snapshot. Paths outside a narrower snapshot have the state of the last snapshot that covered them.
   */
  async entriesAt(tree: number, snapshot: number, breath: Breath): Promise<Map<string, SavedEntry>> {
    const found = new Map<string, SavedEntry>();
    for (const row of this.#statement(
      "SELECT path, kind, mode, bytes, modified, changed, inode, content FROM entries WHERE tree = ? AND since <= ? AND (until IS NULL OR until > ?)",
    ).iterate(tree, snapshot, snapshot)) {
      found.set(row["path"] as string, entryOf(row));
      if (breath.due) await breath.take();
    }
    return found;
  }

  /** Paths whose entry differs between the two snapshots. */
  changedBetween(tree: number, before: number, after: number): readonly string[] {
    const rows = this.#statement(
      "SELECT DISTINCT path FROM entries WHERE tree = ?1 AND ((since > ?2 AND since <= ?3) OR (until > ?2 AND until <= ?3)) ORDER BY path",
    ).all(tree, before, after);
    return rows.map((row) => row["path"] as string);
  }

  entryAt(tree: number, path: string, snapshot: number): SavedEntry | undefined {
    const row = this.#get<Record<string, unknown>>(
      "SELECT kind, mode, bytes, modified, changed, inode, content FROM entries WHERE tree = ? AND path = ? AND since <= ? AND (until IS NULL OR until > ?)",
      tree,
      path,
      snapshot,
      snapshot,
    );
    return row === undefined ? undefined : entryOf(row);
  }

  /** Adds a snapshot that differs from the newest by `changes`, atomically. @returns Its number. */
  async add(tree: number, changes: readonly Change[], breath: Breath): Promise<number> {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const snapshot = this.lastOf(tree) + 1;
      for (const { path, entry, replaces } of changes) {
        if (replaces)
          this.#run("UPDATE entries SET until = ? WHERE tree = ? AND path = ? AND until IS NULL", snapshot, tree, path);
        if (entry === undefined) continue;
        const { kind, mode, bytes, modifiedMs, changedMs, inode, content } = entry;
        this.#run(
          "INSERT INTO entries (tree, path, since, kind, mode, bytes, modified, changed, inode, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          tree,
          path,
          snapshot,
          kind,
          mode,
          bytes,
          modifiedMs,
          changedMs,
          inode,
          content ?? null,
        );
        if (breath.due) await breath.take();
      }
      this.#run("UPDATE trees SET last = ? WHERE tree = ?", snapshot, tree);
      this.#db.exec("COMMIT");
      return snapshot;
    } catch (cause) {
      throw this.#rolledBack(cause);
    }
  }

  /** Stores content, deduplicated by hash. @returns The hash. */
  keep(contents: readonly Uint8Array[]): readonly string[] {
    return this.#all(() =>
      contents.map((bytes) => {
        const hash = hashOf("sha256", bytes, "hex");
        if (this.#get("SELECT 1 FROM objects WHERE hash = ?", hash) !== undefined) return hash;
        const packed = bytes.length < 256 ? undefined : zstdCompressSync(bytes);
        const smaller = packed !== undefined && packed.length < bytes.length;
        this.#run(
          "INSERT INTO objects (hash, packed, bytes) VALUES (?, ?, ?)",
          hash,
          smaller ? 1 : 0,
          smaller ? packed : bytes,
        );
        return hash;
      }),
    );
  }

  content(hash: string): Uint8Array | undefined {
    const row = this.#get<{ packed: number; bytes: Uint8Array }>(
      "SELECT packed, bytes FROM objects WHERE hash = ?",
      hash,
    );
    if (row === undefined) return undefined;
    return row.packed === 1 ? zstdDecompressSync(row.bytes) : row.bytes;
  }

  addCheckpoint(
    tree: number,
    checkpoint: {
      readonly only?: readonly string[];
      readonly sessionId: string;
      readonly turnId: string;
      readonly at: number;
      readonly label: string;
      readonly before: number;
      readonly after?: number;
      readonly cameFrom?: string;
    },
  ): number {
    const { only, sessionId, turnId, at, label, before, after, cameFrom } = checkpoint;
    const { lastInsertRowid } = this.#run(
      "INSERT INTO checkpoints (tree, only_paths, session, turn, at, label, before, after, came_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      tree,
      only === undefined ? null : JSON.stringify(only),
      sessionId,
      turnId,
      at,
      label,
      before,
      after ?? null,
      cameFrom ?? null,
    );
    return Number(lastInsertRowid);
  }

  setAfter(id: number, after: number, byOthers: readonly string[] = []): void {
    this.#run(
      "UPDATE checkpoints SET after = ?, by_others = ? WHERE id = ?",
      after,
      byOthers.length === 0 ? null : JSON.stringify(byOthers),
      id,
    );
  }

  checkpoint(id: number): Checkpoint | undefined {
    return this.checkpoints().find((one) => one.id === id);
  }

  /** Newest first. */
  checkpoints(): readonly Checkpoint[] {
    const rows = this.#statement(
      "SELECT id, root, only_paths, session, turn, at, label, before, after, came_from, by_others FROM checkpoints JOIN trees USING (tree) ORDER BY id DESC",
    ).all();
    return rows.map((row) => ({
      id: row["id"] as number,
      root: row["root"] as string,
      only: row["only_paths"] === null ? undefined : (JSON.parse(row["only_paths"] as string) as string[]),
      sessionId: row["session"] as string,
      turnId: row["turn"] as string,
      at: row["at"] as number,
      label: row["label"] as string,
      before: row["before"] as number,
      after: (row["after"] as number | null) ?? undefined,
      byOthers: row["by_others"] === null ? [] : (JSON.parse(row["by_others"] as string) as string[]),
      cameFrom: (row["came_from"] as string | null) ?? undefined,
    }));
  }

  /** Deletes checkpoints and the data that only they needed. */
  forget(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#all(() => {
      for (const id of ids) this.#run("DELETE FROM checkpoints WHERE id = ?", id);
      this.#run(
        "DELETE FROM entries WHERE until IS NOT NULL AND until <= (SELECT coalesce(min(before), 9e15) FROM checkpoints WHERE checkpoints.tree = entries.tree)",
      );
      this.#run("DELETE FROM entries WHERE tree NOT IN (SELECT tree FROM checkpoints)");
      this.#run("DELETE FROM trees WHERE tree NOT IN (SELECT tree FROM checkpoints)");
      this.#run("DELETE FROM objects WHERE hash NOT IN (SELECT content FROM entries WHERE content IS NOT NULL)");
    });
    this.#db.exec("PRAGMA incremental_vacuum");
  }

  /** Total bytes of the stored contents. */
  get bytes(): number {
    return this.#get<{ bytes: number }>("SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM objects")!.bytes;
  }

  #all<T>(work: () => T): T {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (cause) {
      throw this.#rolledBack(cause);
    }
  }

  /** A full disk has already ended the transaction. */
  #rolledBack(cause: unknown): unknown {
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    if ((cause as { readonly errcode?: number }).errcode !== FULL) return cause;
    return new UserError(`Cannot save a checkpoint: the disk of ${dirname(this.#file)} is full.`, {
      hint: "Nothing was changed. Free disk space, then try again.",
      cause,
    });
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }

  #run(sql: string, ...values: (string | number | null | Uint8Array)[]) {
    return this.#statement(sql).run(...values);
  }

  #get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }
}

function entryOf(row: Record<string, unknown>): SavedEntry {
  return {
    kind: row["kind"] as Entry["kind"],
    mode: row["mode"] as number,
    bytes: row["bytes"] as number,
    modifiedMs: row["modified"] as number,
    changedMs: row["changed"] as number,
    inode: row["inode"] as number,
    content: (row["content"] as string | null) ?? undefined,
  };
}
