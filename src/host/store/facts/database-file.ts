import { existsSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { FilesInExchange, refuseGuarded } from "../repair/exchange-guard.ts";
import { noteOpened } from "./opened-databases.ts";
import { isWritable, keepPrivate } from "./store-files.ts";
import { BUSY_TIMEOUT_MS } from "./patience.ts";
import { loadSqlite, troubleOf, type Database, type Statement } from "./sqlite.ts";
import { WalSync } from "./wal-sync.ts";

/**
 * One connection to one database file, with its prepared statements, that knows when the file or its WAL was replaced
 * under it. While a connection is open its WAL never changes its inode; when it did, later commits would report success
 * and be lost.
 */
export class DatabaseFile {
  readonly path: string;
  readonly #prepare: (database: Database) => void;
  readonly #statements = new Map<string, Statement>();
  #database: Database | undefined;
  #identity: Identity = { main: "", wal: "" };
  #sync: WalSync | undefined;

  /** @param prepare Sets pragmas and makes the schema; may throw a busy error, then the file counts as not open. */
  constructor(path: string, prepare: (database: Database) => void) {
    this.path = path;
    this.#prepare = prepare;
  }

  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  get database(): Database {
    if (this.#database === undefined) throw new Error(`"${this.path}" is not open.`);
    return this.#database;
  }

  open({ readOnly = false }: { readonly readOnly?: boolean } = {}): void {
    if (!existsSync(this.path) && existsSync(this.#aside)) renameSync(this.#aside, this.path);
    refuseGuarded(this.path);
    const before = this.#look();
    noteOpened(this.path);
    const atRest = readOnly && this.#atRest();
    try {
      this.#connect(atRest && !isWritable(dirname(this.path)) ? immutableUrl(this.path) : this.path, readOnly, before);
    } catch (error) {
      const noPlace = troubleOf(error) === "full" || troubleOf(error) === "unwritable";
      if (!atRest || !noPlace) throw error;
      // A full disk has no space for the index of a WAL; the file can be read without one.
      this.#connect(immutableUrl(this.path), readOnly, before);
    }
  }

  #connect(file: string | URL, readOnly: boolean, before: Identity): void {
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly });
    try {
      if (!readOnly) keepPrivate(this.path);
      this.#prepare(database);
      refuseGuarded(this.path);
      this.#identity = this.#look();
      // The opened file is certainly the one at the path only if it was there before.
      if (before.main !== "" && before.main !== this.#identity.main) throw new FilesInExchange(this.path);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  /** Prepared once per connection. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.database.prepare(sql)));
    return statement;
  }

  /**
   * SQLite syncs at each commit until this is called after one: that first sync also makes the names of new files
   * durable. From then on it does not, and a caller that needs a durable commit waits for `onDisk`.
   */
  syncBeside(): void {
    try {
      this.#sync = new WalSync(`${this.path}-wal`);
    } catch {
      return; // A disk on which SQLite has no WAL, or one that cannot be opened twice: SQLite continues to sync.
    }
    this.database.exec("PRAGMA synchronous = NORMAL");
  }

  /** Resolves when what was committed before is durable; `undefined` where SQLite saw to it at the commit. */
  onDisk(): Promise<void> | undefined {
    return this.#sync?.onDisk();
  }

  /**
   * Moves the WAL's content into the main file, syncs it and empties the WAL.
   * @returns false if a reader prevents it.
   */
  emptyWal(): boolean {
    return this.database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
  }

  get syncsBeside(): boolean {
    return this.#sync !== undefined;
  }

  /**
   * Some `stat` calls, some microseconds; they open nothing. @throws {FilesInExchange} while the files are being
   * exchanged.
   */
  moved(): boolean {
    refuseGuarded(this.path);
    const { main, wal } = this.#look();
    return main !== this.#identity.main || wal !== this.#identity.wal;
  }

  close(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#statements.clear();
    this.#sync?.close();
    this.#sync = undefined;
    if (database === undefined) return;
    const { main, wal } = this.#look();
    const othersWal = main === this.#identity.main && wal !== "" && wal !== this.#identity.wal;
    if (othersWal) this.#closeAside(database);
    else database.close();
  }

  /** The WAL is empty. If no one can write, none will come; SQLite would still try to create one for a reader. */
  #atRest(): boolean {
    return (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  get #aside(): string {
    return `${this.path}.aside`;
  }

  /**
   * Other processes use a new WAL. SQLite would mix ours into the main file and delete theirs by name; it does
   * neither if the main file is not at its path, so this moves it for a moment. A process that opens the store just
   * then notices by the inode.
   */
  #closeAside(database: Database): void {
    renameSync(this.path, this.#aside);
    try {
      database.close();
    } finally {
      renameSync(this.#aside, this.path);
    }
  }

  #look(): Identity {
    const main = statSync(this.path, { throwIfNoEntry: false });
    const wal = statSync(`${this.path}-wal`, { throwIfNoEntry: false });
    return { main: main === undefined ? "" : `${main.dev}:${main.ino}`, wal: wal === undefined ? "" : String(wal.ino) };
  }
}

function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

interface Identity {
  readonly main: string;
  readonly wal: string;
}

/** Runs `work` in one transaction that holds the write lock from its start; all of it happens or none. */
export function inTransaction<T>(file: DatabaseFile, work: () => T): T {
  const { database } = file;
  file.statement("BEGIN IMMEDIATE").run();
  try {
    const result = work();
    file.statement("COMMIT").run();
    return result;
  } catch (error) {
    // On a full disk SQLite rolls back itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
