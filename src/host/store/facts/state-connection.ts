import type { Chance } from "../../../contract/common/clock.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { markSuspect } from "../repair/damage.ts";
import { inTransaction, type DatabaseFile } from "./database-file.ts";
import { OwnTail } from "./own-tail.ts";
import { patiently } from "./patience.ts";
import { troubleOf } from "./sqlite.ts";
import { explainTrouble, StoreUnavailable } from "./store-failure.ts";

export interface StateConnectionOptions {
  readonly log: Logger | undefined;
  readonly random: Chance;
  /** Wall time a lock of another process is waited for. */
  readonly waitMs: number;
  /**
   * Why nothing could be written when it was opened; the file is then open for reading only, until a write finds that
   * it can be.
   */
  readonly refusal: StoreUnavailable | undefined;
}

/**
 * The way every read and write takes to `state.db`: patient with other processes, aware of files replaced under it,
 * never writing to a damaged one.
 */
export class StateConnection implements AsyncDisposable {
  readonly tail = new OwnTail();
  readonly #file: DatabaseFile;
  readonly #options: StateConnectionOptions;
  #refusal: StoreUnavailable | undefined;
  /**
   * Commits in the WAL may be on no disk, and a WAL is read to the first gap: what came behind them would be lost with
   * them.
   */
  #unsynced = false;
  #queue: Promise<unknown> = Promise.resolve();
  /** Work for the next transaction. */
  #joining: Joining[] = [];
  #joins: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(file: DatabaseFile, options: StateConnectionOptions) {
    this.#file = file;
    this.#options = options;
    this.#refusal = options.refusal;
  }

  get refusal(): StoreUnavailable | undefined {
    return this.#refusal;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * One transaction. Writes happen in the order they were asked for, and wait for other processes and for the disk
   * without holding up this one.
   */
  write<T>(work: (file: DatabaseFile) => T, options: { readonly durable: boolean } = { durable: true }): Promise<T> {
    const written = this.#queue.then(() => this.#guard(() => this.#writeOnce(work, options.durable)));
    this.#queue = written.catch(() => undefined);
    return options.durable ? written.then((value) => this.#onDisk(value)) : written;
  }

  /**
   * Does the work in the transaction of the next write, before that write's own work, or in its own transaction if no
   * write comes. For changes that need not be on disk yet. If the work breaks a rule of SQL, it fails alone.
   * @param awaited When this settles, no write will come. Default: a few ms.
   */
  join(work: (file: DatabaseFile) => void, awaited?: Promise<unknown>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#joining.push({ work, done });
    const flush = (): void => void this.#flush();
    if (awaited === undefined) this.#joins ??= setTimeout(flush, JOIN_MS);
    else awaited.then(flush, flush);
    return done.promise;
  }

  /** Its failure rejects the promises of the work that joined. */
  async #flush(): Promise<void> {
    const joined = this.#joining;
    clearTimeout(this.#joins);
    this.#joins = undefined;
    if (joined.length === 0) return;
    await this.write(() => undefined, { durable: false }).catch((cause: unknown) => {
      const failed = joined.filter((one) => this.#joining.includes(one));
      this.#joining = this.#joining.filter((one) => !failed.includes(one));
      for (const { done } of failed) done.reject(cause);
    });
  }

  /** The next write need not wait for the disk: its sync covers this one, too. */
  async #onDisk<T>(value: T): Promise<T> {
    try {
      await this.#file.onDisk();
    } catch (error) {
      this.#unsynced = true;
      throw this.refuse(
        explainTrouble(
          (error as NodeJS.ErrnoException).code === "ENOSPC" ? "full" : "unwritable",
          this.#file.path,
          error,
        ),
      );
    }
    return value;
  }

  /** Sees everything that was written or joined before. */
  async read<T>(work: (file: DatabaseFile) => T): Promise<T> {
    if (this.#joining.length > 0) await this.#flush();
    return this.#guard(() => {
      this.#connect();
      return work(this.#file);
    });
  }

  /** From here on nothing is written, and the next start looks closer: for damage. */
  refuse(refusal: StoreUnavailable): StoreUnavailable {
    if (this.#refusal?.trouble !== "damaged") this.#refusal = refusal;
    markSuspect(this.#file.path);
    this.#options.log?.error(refusal.message, { cause: refusal });
    return refusal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flush();
    await this.#queue;
    if (this.#closed) return;
    if (this.#refusal === undefined && this.#file.isOpen && this.#replaced()) {
      await this.write(() => undefined).catch((error: unknown) =>
        this.#options.log?.error("the store's WAL was deleted, and its content could not be restored", {
          cause: error,
        }),
      );
    }
    this.#closed = true;
    if (!this.#file.isOpen) return;
    try {
      if (this.#refusal === undefined) this.#file.database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // The next process that opens the file does it.
    }
    this.#file.close();
  }

  #replaced(): boolean {
    try {
      return this.#file.moved();
    } catch {
      return true; // Being exchanged just now.
    }
  }

  #writeOnce<T>(work: (file: DatabaseFile) => T, durable: boolean): T {
    if (this.#refusal !== undefined) this.#openForWriting(this.#refusal);
    for (let tries = 0; ; tries++) {
      // The check under the lock decides; an earlier check only repairs what that one found.
      if (tries > 0 || !this.#file.isOpen || this.tail.waiting) this.#connect();
      try {
        return this.#transaction(work, durable);
      } catch (error) {
        const replaced = error instanceof ReplacedError || (isSqliteError(error) && this.#file.moved());
        if (!replaced || tries >= 3) throw error;
      }
    }
  }

  /** The cause may be gone: a full disk has space again. Damage stays until the next start. */
  #openForWriting(refusal: StoreUnavailable): void {
    if (refusal.trouble === "damaged") throw refusal;
    this.#file.close();
    try {
      this.#file.open();
      if (this.#unsynced && !this.#file.emptyWal()) throw refusal;
      this.#unsynced = false;
      this.#refusal = undefined;
    } catch (error) {
      throw troubleOf(error) === "busy" ? error : refusal;
    }
  }

  #transaction<T>(work: (file: DatabaseFile) => T, durable: boolean): T {
    // Data that ends with its process (a lease) need not survive a power cut, so it does not wait for the disk.
    const spared = !durable && !this.#file.syncsBeside;
    const joined = this.#joining;
    const failed = new Map<Joining, unknown>();
    if (spared) this.#file.database.exec("PRAGMA synchronous = NORMAL");
    try {
      const value = inTransaction(this.#file, () => {
        // Under the lock, so that no process can replace the file between the check and the write.
        if (this.#file.moved()) throw new ReplacedError();
        for (const one of joined) {
          try {
            one.work(this.#file);
          } catch (cause) {
            if (troubleOf(cause) !== "other") throw cause;
            failed.set(one, cause);
          }
        }
        return work(this.#file);
      });
      this.#endJoined(failed);
      if (durable && !this.#file.syncsBeside) this.#file.syncBeside();
      return value;
    } finally {
      if (spared) this.#file.database.exec("PRAGMA synchronous = FULL");
    }
  }

  /** The transaction is synchronous, so nothing joined it since it began. */
  #endJoined(failed: ReadonlyMap<Joining, unknown>): void {
    const joined = this.#joining;
    this.#joining = [];
    clearTimeout(this.#joins);
    this.#joins = undefined;
    for (const one of joined) {
      if (failed.has(one)) one.done.reject(failed.get(one));
      else one.done.resolve();
    }
  }

  /** Opens the file again when it is not the one on disk, and takes along what only the old WAL held. */
  #connect(): void {
    const file = this.#file;
    if (file.isOpen && file.moved()) {
      this.#options.log?.warning("another program replaced the store's files; opening them again", {
        path: file.path,
      });
      this.tail.save(file);
      // Closed before the new one is opened: connections of one process share the index of the WAL.
      file.close();
    }
    if (!file.isOpen) file.open({ readOnly: this.#refusal !== undefined });
    if (!this.tail.waiting || this.#refusal !== undefined) return;
    const misfits = inTransaction(file, () => this.tail.restore(file));
    this.tail.restored();
    for (const row of misfits)
      this.#options.log?.error(
        "a record written before another program replaced the store's files no longer fits its session",
        {
          sessionId: row.session_id,
          seq: row.seq,
        },
      );
  }

  /** Patience with locks, and words for everything else SQLite may say. */
  async #guard<T>(attempt: () => T): Promise<T> {
    if (this.#closed) throw new StoreUnavailable("other", `"${this.#file.path}" was already closed by this process.`);
    try {
      return await patiently(attempt, { budgetMs: this.#options.waitMs, random: this.#options.random });
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      const trouble = troubleOf(error);
      const explained = explainTrouble(trouble, this.#file.path, error);
      throw trouble === "damaged" ? this.refuse(explained) : explained;
    }
  }
}

interface Joining {
  readonly work: (file: DatabaseFile) => void;
  readonly done: PromiseWithResolvers<void>;
}

/** The end of a request joins the write of its answer or of the results, which mostly follows within this time. */
const JOIN_MS = 5;

class ReplacedError extends Error {}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && "errcode" in error;
}
