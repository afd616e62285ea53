import type { Chance } from "../../../contract/common/clock.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import {
  StoreConflict,
  type AnswerDraft,
  type Lease,
  type SessionStore,
} from "../../../contract/conversation/store.ts";
import { checkBeside, dueCheck, isWhole, noteChecked } from "../repair/damage.ts";
import { draftOf, removeDraft, saveDraft } from "./answer-drafts.ts";
import type { DatabaseFile } from "./database-file.ts";
import { LeaseBook, liveLease, requireFence } from "./leases.ts";
import { StateConnection } from "./state-connection.ts";
import { insertFact, lastSeqOf, metaOf, noteStand, onlyTitlesAfter, setMeta, type FactRow } from "./state-schema.ts";
import { spillStep } from "./spill.ts";
import { explainTrouble, StoreUnavailable } from "./store-failure.ts";

export interface SqliteStoreOptions {
  /** Wall time for `at`, epoch ms. Default `Date.now`. */
  readonly now?: () => number;
  readonly random?: Chance;
  readonly log?: Logger;
  /** How long a lease holds without renewal. Default 30 000. */
  readonly leaseMs?: number;
  /** How long a lock of another process is waited for. Default 30 000. */
  readonly waitMs?: number;
}

/** A record with its place among the records of all sessions. */
export interface Change {
  readonly id: number;
  readonly sessionId: string;
  readonly recorded: Recorded;
  readonly checksum: number;
}

/** The data that a copy compares itself with. */
export interface Standing {
  readonly storeId: string;
  readonly lastId: number;
  /** How many sessions were ever removed. */
  readonly removals: number;
  /** Of the record the copy stopped at; `undefined` when that is gone. */
  readonly checksum: number | undefined;
}

const PAGE = 256;

/** Facts in `<home>/state.db`. Made by `openSqliteStore`. Several processes may each have one on the same home. */
export class SqliteStore implements SessionStore {
  readonly path: string;
  /** Notices for the user: damage found, what was saved, why writing is impossible. */
  readonly notices: readonly Notice[];
  readonly #connection: StateConnection;
  readonly #now: () => number;
  readonly #leases: LeaseBook;
  readonly #listeners = new Set<() => void>();
  #check: Disposable | undefined;

  constructor(file: DatabaseFile, options: SqliteStoreOptions, notices: readonly Notice[], refusal?: StoreUnavailable) {
    this.path = file.path;
    this.notices = notices;
    this.#now = options.now ?? Date.now;
    this.#connection = new StateConnection(file, {
      log: options.log,
      random: options.random ?? Math.random,
      waitMs: options.waitMs ?? 30_000,
      refusal,
    });
    this.#leases = new LeaseBook((work) => this.#connection.write(work, { durable: false }), options.leaseMs ?? 30_000);
    if (refusal === undefined && dueCheck(file, this.#now()) === "beside")
      this.#check = checkBeside(file.path, (damage) => this.#checked(damage));
  }

  /** Why this store cannot be written, if so. */
  get refusal(): StoreUnavailable | undefined {
    return this.#connection.refusal;
  }

  async append(
    sessionId: string,
    facts: readonly Fact[],
    options: { readonly expect?: number; readonly fence?: number } = {},
  ): Promise<readonly Recorded[]> {
    const { expect, fence } = options;
    try {
      const recorded = await this.#connection.write((file) => {
        if (fence !== undefined) requireFence(file, sessionId, fence);
        const last = lastSeqOf(file, sessionId);
        // The session's holder need not know its title: the user may set it at any time, from anywhere.
        const renamed =
          fence !== undefined && expect !== undefined && expect < last && onlyTitlesAfter(file, sessionId, expect);
        if (expect !== undefined && expect !== last && !renamed)
          throw new StoreConflict(
            `Session "${sessionId}" is at fact ${last}, not ${expect}: another process wrote to it.`,
          );
        return this.#insert(
          file,
          sessionId,
          last,
          facts.map((fact) => ({ at: this.#now(), fact })),
        );
      });
      if (facts.length > 0) this.#reportListeners();
      return recorded;
    } catch (error) {
      if (error instanceof StoreConflict && fence !== undefined) this.#leases.noticeLoss(sessionId, fence);
      throw error instanceof StoreUnavailable && error.trouble === "busy"
        ? this.#spilled(error, sessionId, facts, expect)
        : error;
    }
  }

  async *read(sessionId: string, after = 0): AsyncGenerator<Recorded, void, undefined> {
    let last = after;
    for (;;) {
      const rows = await this.#rows(
        `SELECT session_id, seq, at, v, body, checksum FROM facts WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`,
        sessionId,
        last,
      );
      for (const row of rows) {
        if (row.seq !== last + 1) throw this.#damagedAt(sessionId, last + 1, "the record is missing");
        last = row.seq;
        yield this.#toRecorded(row);
      }
      if (rows.length < PAGE) return;
    }
  }

  async lastSeq(sessionId: string): Promise<number> {
    return this.#connection.read((file) => lastSeqOf(file, sessionId));
  }

  async lease(
    sessionId: string,
    holder: string,
  ): Promise<Lease | { readonly heldBy: string; readonly untilAt: number }> {
    return this.#leases.take(sessionId, holder);
  }

  /** Not synced: a draft has to survive the process, not the machine. */
  async saveDraft(sessionId: string, draft: AnswerDraft): Promise<void> {
    await this.#connection.write((file) => saveDraft(file, sessionId, draft), { durable: false });
  }

  async draft(sessionId: string): Promise<AnswerDraft | undefined> {
    return this.#connection.read((file) => draftOf(file, sessionId));
  }

  async interrupted(): Promise<readonly string[]> {
    return this.#connection.read((file) =>
      file
        .statement("SELECT session_id FROM sessions WHERE open_turn IS NOT NULL ORDER BY last_at DESC, session_id")
        .all()
        .map((row) => String(row["session_id"]))
        .filter((sessionId) => liveLease(file, sessionId) === undefined),
    );
  }

  /** The holder of the session. */
  async heldBy(sessionId: string): Promise<string | undefined> {
    return this.#connection.read((file) => liveLease(file, sessionId)?.holder);
  }

  /** Puts facts into a new session with the times they had. @throws {StoreConflict} when the session exists. */
  async copyIn(sessionId: string, records: readonly { readonly at: number; readonly fact: Fact }[]): Promise<void> {
    await this.#connection.write((file) => {
      if (lastSeqOf(file, sessionId) !== 0) throw new StoreConflict(`Session "${sessionId}" exists already.`);
      this.#insert(file, sessionId, 0, records);
    });
    this.#reportListeners();
  }

  /** Deletes sessions permanently, in one transaction; those in use stay. Returns the deleted ones. */
  async remove(sessionIds: readonly string[]): Promise<readonly string[]> {
    const gone = await this.#connection.write((file) => {
      // Deleted content must not be readable in free pages.
      file.database.exec("PRAGMA secure_delete = ON");
      const removed = sessionIds.filter(
        (sessionId) => lastSeqOf(file, sessionId) > 0 && liveLease(file, sessionId) === undefined,
      );
      for (const sessionId of removed) {
        for (const sql of REMOVE) file.statement(sql).run(sessionId);
        removeDraft(file, sessionId);
      }
      if (removed.length > 0) setMeta(file, "removals", String(Number(metaOf(file, "removals") ?? 0) + removed.length));
      return removed;
    });
    if (gone.length === 0) return gone;
    this.#connection.tail.forget(new Set(gone));
    await this.#connection.write((file) => file.database.exec("PRAGMA incremental_vacuum"), { durable: false });
    this.#reportListeners();
    return gone;
  }

  /**
   * Facts of all sessions in the order they were written, for copies that catch up. A record that does not agree with
   * its checksum is left out and reported.
   */
  async changes(afterId: number, limit: number): Promise<readonly Change[]> {
    const rows = await this.#rows("SELECT * FROM facts WHERE id > ? ORDER BY id LIMIT ?", afterId, limit);
    return rows.flatMap((row): Change[] => {
      try {
        return [{ id: row.id, sessionId: row.session_id, recorded: this.#toRecorded(row), checksum: row.checksum }];
      } catch {
        return []; // The store itself was notified and stops writing; the rest of the list is still worth showing.
      }
    });
  }

  async standing(stoppedAt: number): Promise<Standing> {
    return this.#connection.read((file) => ({
      storeId: metaOf(file, "store_id") ?? "",
      lastId: Number(file.statement("SELECT max(id) AS id FROM facts").get()?.["id"] ?? 0),
      removals: Number(metaOf(file, "removals") ?? 0),
      checksum: file.statement("SELECT checksum FROM facts WHERE id = ?").get(stoppedAt)?.["checksum"] as
        | number
        | undefined,
    }));
  }

  async sessionIds(): Promise<ReadonlySet<string>> {
    return this.#connection.read(
      (file) =>
        new Set(
          file
            .statement("SELECT session_id FROM sessions")
            .all()
            .map((row) => String(row["session_id"])),
        ),
    );
  }

  /** Called after this process changed the store. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** One durable transaction over tables next to the facts. */
  transaction<T>(work: (file: DatabaseFile) => T): Promise<T> {
    return this.#connection.write(work);
  }

  /** As `transaction`, for what need not be on disk yet: it survives the process, and soon a power cut. */
  quickly<T>(work: (file: DatabaseFile) => T): Promise<T> {
    return this.#connection.write(work, { durable: false });
  }

  /**
   * As `quickly`, in the transaction of the next write if one comes.
   * @param awaited When this settles, no write will come. Default: a few ms.
   */
  join(work: (file: DatabaseFile) => void, awaited?: Promise<unknown>): Promise<void> {
    return this.#connection.join(work, awaited);
  }

  /** A look at such tables. */
  lookup<T>(work: (file: DatabaseFile) => T): Promise<T> {
    return this.#connection.read(work);
  }

  /** For backups; everything else has its method. */
  async withFile<T>(work: (file: DatabaseFile) => Promise<T>): Promise<T> {
    return work(await this.#connection.read((file) => file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#connection.closed) return;
    this.#check?.[Symbol.dispose]();
    await this.#leases.releaseAll();
    await this.#connection[Symbol.asyncDispose]();
  }

  #insert(
    file: DatabaseFile,
    sessionId: string,
    last: number,
    records: readonly { readonly at: number; readonly fact: Fact }[],
  ): readonly Recorded[] {
    let seq = last;
    let bytes = 0;
    const recorded = records.map(({ at, fact }): Recorded => {
      const body = JSON.stringify(fact);
      bytes += body.length;
      insertFact(file, sessionId, ++seq, at, body);
      return { seq, at, v: 1, fact };
    });
    const latest = recorded.at(-1);
    if (latest === undefined) return recorded;
    noteStand(
      file,
      sessionId,
      latest.seq,
      latest.at,
      records.map(({ fact }) => fact),
    );
    // Noted before the commit: what then fails to commit is not found when it is looked for.
    this.#connection.tail.note({ sessionId, firstSeq: last + 1, lastSeq: seq, bytes });
    return recorded;
  }

  /** Giving up must not lose the step: it waits beside the store for the next start. */
  #spilled(
    busy: StoreUnavailable,
    sessionId: string,
    facts: readonly Fact[],
    expect: number | undefined,
  ): StoreUnavailable {
    try {
      const saved = spillStep(this.path, {
        sessionId,
        at: this.#now(),
        facts,
        expect,
      });
      return new StoreUnavailable(
        "busy",
        `"${this.path}" stayed locked by another process; this step is saved in "${saved}".`,
        {
          hint: "The next start adds it to the session. `hermes doctor` shows which processes use sessions.",
          cause: busy.cause,
        },
      );
    } catch {
      return busy; // No place for that either; the error says that nothing was stored.
    }
  }

  async #rows(sql: string, ...values: (string | number)[]): Promise<readonly FactRow[]> {
    return this.#connection.read((file) => file.statement(sql).all(...values) as unknown as FactRow[]);
  }

  #toRecorded(row: FactRow): Recorded {
    if (!isWhole(row)) throw this.#damagedAt(row.session_id, row.seq, "its checksum does not match");
    return { seq: row.seq, at: row.at, v: 1, fact: JSON.parse(row.body) as Fact };
  }

  #damagedAt(sessionId: string, seq: number, what: string): StoreUnavailable {
    return this.#connection.refuse(
      explainTrouble("damaged", this.path, new Error(`fact ${seq} of session "${sessionId}": ${what}`)),
    );
  }

  #checked(damage: string | undefined): void {
    this.#check = undefined;
    if (this.#connection.closed) return;
    if (damage !== undefined) this.#connection.refuse(explainTrouble("damaged", this.path, new Error(damage)));
    else
      void this.#connection.write((file) => noteChecked(file, this.#now()), { durable: false }).catch(() => undefined);
  }

  #reportListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}

const REMOVE = [
  "DELETE FROM facts WHERE session_id = ?",
  "DELETE FROM sessions WHERE session_id = ?",
  "DELETE FROM leases WHERE lane = ?",
];
