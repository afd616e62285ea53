import { rmSync } from "node:fs";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { Chance } from "../../../contract/common/clock.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { DatabaseFile, inTransaction } from "../facts/database-file.ts";
import { isAnother, note, placeOf } from "./index-position.ts";
import { OtherLayout, prepareIndex } from "./index-schema.ts";
import { dropMessages, indexFact } from "./message-row.ts";
import { toSeconds } from "./original-seconds.ts";
import { patiently } from "../facts/patience.ts";
import { findTexts, type FoundText, type Searched, type SearchLimits } from "./search-texts.ts";
import { dropSession, LISTED, listFact, toSummary } from "./session-row.ts";
import { troubleOf } from "../facts/sqlite.ts";
import type { SqliteStore, Standing } from "../facts/sqlite-store.ts";
import { StoreUnavailable } from "../facts/store-failure.ts";

export interface SessionIndexOptions {
  /** `index.db`; created when missing, rebuilt when damaged. */
  readonly path: string;
  readonly store: SqliteStore;
  readonly log?: Logger;
  readonly random?: Chance;
  /** Idle time after a change before the copy updates. Default 500. */
  readonly idleMs?: number;
}

/** The session list updates at once; texts cost ten times as much, so they update separately. */
type Stage = "listed" | "texted";

const BATCH: { readonly [S in Stage]: number } = { listed: 500, texted: 250 };
/** Small enough that a turn which starts meanwhile does not notice. */
const IDLE_BATCH = 16;

/**
 * The copy in `index.db`: session list and full-text words. Right whenever it is asked, because it first catches up
 * with the store; it may be deleted, damaged or out of date at any time.
 */
export class SessionIndex implements AsyncDisposable {
  readonly #store: SqliteStore;
  readonly #log: Logger | undefined;
  readonly #random: Chance;
  readonly #idleMs: number;
  readonly #path: string;
  readonly #listening: Disposable;
  #file: DatabaseFile;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: SessionIndexOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#random = options.random ?? Math.random;
    this.#idleMs = options.idleMs ?? 500;
    this.#path = options.path;
    this.#file = new DatabaseFile(options.path, prepareIndex);
    this.#listening = options.store.onChange(() => this.#follow());
  }

  /**
   * Newest first.
   * @param options.talked Only sessions with messages: a tool called by hand leaves a session without a turn.
   * @param options.subagents Include those of subagents, which a surface of that name lists, too.
   */
  async list(
    options: {
      readonly limit?: number;
      readonly surface?: string;
      readonly before?: number;
      readonly talked?: boolean;
      readonly subagents?: boolean;
      readonly whose?: string;
    } = {},
  ): Promise<readonly SessionSummary[]> {
    const { limit = -1, surface, before = Number.MAX_SAFE_INTEGER } = options;
    const talked = `${options.talked === true ? " AND (turn_count > 0 OR spoken_count > 0)" : ""}${surface === undefined && options.subagents !== true ? " AND source <> 'subagent'" : ""}`;
    const whose = options.whose;
    const wanted = [
      ...(whose === undefined ? [] : [["whose = ?", whose]]),
      ...(surface === undefined ? [] : [["source = ?", surface]]),
      ["last_active < ?", toSeconds(before)],
    ] as const;
    const rows = await this.#ask("listed", (file) =>
      file
        .statement(
          `SELECT ${LISTED} FROM sessions WHERE ${wanted.map(([rule]) => rule).join(" AND ")}${talked} ORDER BY last_active DESC, id DESC LIMIT ?`,
        )
        .all(...wanted.map(([, value]) => value!), limit),
    );
    // An empty list must never stand for one that could not be read.
    if (
      rows.length === 0 &&
      this.#store.refusal !== undefined &&
      surface === undefined &&
      whose === undefined &&
      before === Number.MAX_SAFE_INTEGER
    )
      throw this.#store.refusal;
    return rows.map(toSummary);
  }

  async get(id: string): Promise<SessionSummary | undefined> {
    const row = await this.#ask("listed", (file) =>
      file.statement(`SELECT ${LISTED} FROM sessions WHERE id = ?`).get(id),
    );
    return row === undefined ? undefined : toSummary(row);
  }

  /** Sessions whose id starts with `text`, else those with this title, newest first. */
  async matching(text: string): Promise<readonly SessionSummary[]> {
    return this.#ask("listed", (file) => {
      // The user sets a title: a year as a title must not match ids that start with it.
      const byTitle = file
        .statement(`SELECT ${LISTED} FROM sessions WHERE title = ? COLLATE NOCASE ORDER BY last_active DESC LIMIT 20`)
        .all(text);
      if (byTitle.length > 0) return byTitle.map(toSummary);
      return file
        .statement(
          `SELECT ${LISTED} FROM sessions WHERE substr(id, 1, length(?1)) = ?1 ORDER BY last_active DESC LIMIT 20`,
        )
        .all(text)
        .map(toSummary);
    });
  }

  async search(
    words: string,
    limits: SearchLimits,
  ): Promise<
    Omit<Searched, "found"> & { readonly found: readonly (FoundText & { readonly session: SessionSummary })[] }
  > {
    return this.#ask("texted", (file) => {
      const { found, onlyNewest } = findTexts(file, words, limits);
      const named = found.flatMap((text) => {
        const row = file.statement(`SELECT ${LISTED} FROM sessions WHERE id = ?`).get(text.sessionId);
        return row === undefined ? [] : [{ ...text, session: toSummary(row) }];
      });
      return { found: named, onlyNewest };
    });
  }

  /** Takes in everything the store has. */
  async catchUp(): Promise<void> {
    await this.#ask("texted", () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#listening[Symbol.dispose]();
    clearTimeout(this.#timer);
    await this.#working;
    this.#file.close();
  }

  /** One query after the other, each on a current copy; a copy that proves broken is rebuilt once. */
  #ask<T>(stage: Stage, question: (file: DatabaseFile) => T): Promise<T> {
    const answer = this.#working.then(async () => {
      for (let tries = 0; ; tries++) {
        try {
          await this.#reach(stage);
          return await this.#run(question);
        } catch (error) {
          if (!isBroken(error) || tries >= 2) throw error;
          this.#startOver(error);
        }
      }
    });
    this.#working = answer.catch(() => undefined);
    return answer;
  }

  async #reach(stage: Stage): Promise<void> {
    try {
      while (await this.#step("listed", BATCH.listed));
      if (stage === "texted") while (await this.#step("texted", BATCH.texted));
    } catch (error) {
      // If the store cannot be read now, the copy answers with what it has.
      if (!(error instanceof StoreUnavailable)) throw error;
      this.#log?.warning("the session list may be out of date", { cause: error });
    }
  }

  /** Takes in up to `most` further facts. False when there are none. */
  async #step(stage: Stage, most: number): Promise<boolean> {
    const place = await this.#run(placeOf);
    const standing = await this.#store.standing(place.listed);
    const removed = standing.removals !== place.removals;
    if (isAnother(place, standing)) {
      this.#startOver(new Error("it belongs to another store"));
      return true;
    }
    if (removed) {
      const left = await this.#store.sessionIds();
      await this.#run((file) => inTransaction(file, () => forgetRemoved(file, left, standing)));
      return true;
    }
    // Words follow the list, never lead it.
    const upTo = stage === "listed" ? standing.lastId : place.listed;
    if (place[stage] >= upTo) return false;
    const changes = (await this.#store.changes(place[stage], most)).filter(({ id }) => id <= upTo);
    const last = changes.at(-1);
    await this.#run((file) =>
      inTransaction(file, () => {
        const now = placeOf(file);
        // Another process was here meanwhile; look again.
        if (now[stage] !== place[stage] || now.removals !== place.removals || now.storeId !== place.storeId) return;
        for (const change of changes) (stage === "listed" ? listFact : indexFact)(file, change);
        note(file, "store_id", standing.storeId);
        note(file, stage, String(last?.id ?? upTo));
        if (stage === "listed") note(file, "listed_sum", String(last?.checksum ?? ""));
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  }

  async #run<T>(work: (file: DatabaseFile) => T): Promise<T> {
    try {
      return await patiently(() => this.#connected(work), { budgetMs: 30_000, random: this.#random });
    } catch (error) {
      const trouble = troubleOf(error);
      const noPlace = trouble === "full" || trouble === "read-only" || trouble === "unwritable";
      if (!noPlace || this.#file.path === IN_MEMORY) throw error;
      // No place on disk for a copy: this process keeps one for itself.
      this.#log?.warning("index.db is not writable; the session list is in memory", { cause: error });
      this.#file.close();
      this.#file = new DatabaseFile(IN_MEMORY, prepareIndex);
      return this.#connected(work);
    }
  }

  #connected<T>(work: (file: DatabaseFile) => T): T {
    if (this.#file.isOpen && this.#file.moved()) this.#file.close();
    if (!this.#file.isOpen) this.#file.open();
    return work(this.#file);
  }

  #startOver(cause: unknown): void {
    this.#log?.warning("rebuilding index.db from the facts", { cause });
    this.#file.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#path + suffix, { force: true });
  }

  /** Off the turn's path: when nothing was written for a while, a little at a time. */
  #follow(delayMs: number = this.#idleMs): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const more = this.#working.then(
        async () => (await this.#step("listed", IDLE_BATCH)) || (await this.#step("texted", IDLE_BATCH)),
      );
      this.#working = more.then(
        (again) => again && this.#follow(20),
        // Asked for the list, it will try again and say so.
        () => undefined,
      );
    }, delayMs).unref();
  }
}

const IN_MEMORY = ":memory:";

function forgetRemoved(file: DatabaseFile, left: ReadonlySet<string>, standing: Standing): void {
  const gone = file
    .statement("SELECT id FROM sessions")
    .all()
    .map((row) => String(row["id"]))
    .filter((id) => !left.has(id));
  for (const id of gone) {
    dropMessages(file, id);
    dropSession(file, id);
  }
  note(file, "removals", String(standing.removals));
  note(file, "listed_sum", String(standing.checksum ?? ""));
}

/** Anything SQLite says that waiting does not cure; the copy is not worth a closer look. */
function isBroken(error: unknown): boolean {
  if (error instanceof OtherLayout) return true;
  // A question the words did not understand is no reason to read all facts again.
  return (
    error instanceof Error && "errcode" in error && troubleOf(error) !== "busy" && !error.message.startsWith("fts5:")
  );
}
