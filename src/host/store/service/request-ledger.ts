import type { PriceSource } from "../../../contract/services/cost-service.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { thisProcess } from "../facts/process-owner.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

/**
 * One row a request. `ended_at` is null until it ends; `owner` is the process that sent it. `cost` is null while it is
 * unknown. `reserved` is what the request may cost at most, and after its end, if the cost is unknown, about what it
 * cost: for budgets. `budget_raises`: what the user added to a budget.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL DEFAULT 'open', owner TEXT,
    kind TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, session_id TEXT, top_session_id TEXT, turn_id TEXT,
    top_turn_id TEXT, request_id TEXT, user TEXT, job TEXT, tool TEXT,
    input_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_5m_tokens INTEGER NOT NULL DEFAULT 0, cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    images INTEGER NOT NULL DEFAULT 0, reserved REAL NOT NULL DEFAULT 0, cost REAL, price_source TEXT, failure TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS requests_by_turn ON requests (top_session_id, top_turn_id, ended_at, cost, reserved);
  CREATE INDEX IF NOT EXISTS requests_by_end ON requests (ended_at, user, cost, reserved);
  CREATE INDEX IF NOT EXISTS requests_open ON requests (id) WHERE ended_at IS NULL;
  CREATE TABLE IF NOT EXISTS budget_raises (scope TEXT NOT NULL, key TEXT NOT NULL, usd REAL NOT NULL, PRIMARY KEY (scope, key)) STRICT, WITHOUT ROWID;
`;

const BEGIN = `
  INSERT INTO requests (at, owner, kind, provider, model, session_id, top_session_id, turn_id, top_turn_id, request_id, user, job, tool, images, reserved)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const END = `
  UPDATE requests SET ended_at = ?2, state = ?3, input_tokens = ?4, cached_tokens = ?5, cache_write_5m_tokens = ?6,
    cache_write_1h_tokens = ?7, reasoning_tokens = ?8, output_tokens = ?9, cost = ?10, price_source = ?11, failure = ?12,
    model = coalesce(?13, model), reserved = coalesce(?14, reserved), owner = NULL
  WHERE id = ?1
`;

export interface NewRequest {
  readonly at: number;
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly sessionId?: string;
  readonly topSessionId?: string;
  readonly turnId?: string;
  readonly topTurnId?: string;
  readonly requestId?: string;
  readonly user?: string;
  readonly job?: string;
  readonly tool?: string;
  /** Pictures in its input. */
  readonly images: number;
  /** USD that it may cost at most. */
  readonly reservedUsd: number;
}

export interface EndedRequest {
  readonly at: number;
  readonly state: "answered" | "failed";
  readonly usage?: Usage;
  /** Absent: unknown. */
  readonly costUsd?: number;
  readonly priceSource?: PriceSource;
  readonly failure?: string;
  /** USD that it cost about, where the cost is unknown. */
  readonly aboutUsd?: number;
  /** The model that answered, where the request named none. */
  readonly model?: string;
}

/**
 * The table `requests` of `state.db`. A row outlives its session, and has no content of it. Rows are committed without
 * waiting for the disk: they survive the process, and a power cut once a later write is on disk.
 */
export class RequestLedger {
  readonly #store: Pick<SqliteStore, "quickly" | "join" | "transaction">;
  /** This process, as its rows name it. */
  readonly #owner = JSON.stringify(thisProcess());
  #made = false;

  constructor(store: Pick<SqliteStore, "quickly" | "join" | "transaction">) {
    this.#store = store;
  }

  /**
   * Writes the row of a request that is about to be sent.
   * @param judge Decides in the same transaction whether it may be sent. If not, there is no row and no id.
   * @param store Stores the facts that the request contains. The row goes into their transaction, unless they are
   * stored already.
   */
  async begin(
    request: NewRequest,
    judge?: (file: DatabaseFile) => boolean,
    store?: () => Promise<void>,
  ): Promise<number | undefined> {
    const made = this.#made;
    let id: number | undefined;
    const enter = (file: DatabaseFile): void => {
      id = undefined; // A transaction that fails is tried again.
      if (!made) makeTables(file);
      if (judge?.(file) !== false) id = this.#insert(file, request);
    };
    await (store === undefined ? this.#store.quickly(enter) : this.#store.join(enter, store()));
    this.#made = true;
    return id;
  }

  #insert(file: DatabaseFile, request: NewRequest): number {
    const { lastInsertRowid } = file
      .statement(BEGIN)
      .run(
        request.at,
        this.#owner,
        request.kind,
        request.provider,
        request.model,
        request.sessionId ?? null,
        request.topSessionId ?? null,
        request.turnId ?? null,
        request.topTurnId ?? null,
        request.requestId ?? null,
        request.user ?? null,
        request.job ?? null,
        request.tool ?? null,
        request.images,
        request.reservedUsd,
      );
    return Number(lastInsertRowid);
  }

  /** Adds to a budget. */
  async raise(scope: string, key: string, usd: number): Promise<void> {
    await this.#store.transaction((file) => {
      makeTables(file);
      file
        .statement(
          "INSERT INTO budget_raises VALUES (?1, ?2, ?3) ON CONFLICT (scope, key) DO UPDATE SET usd = usd + ?3",
        )
        .run(scope, key, usd);
    });
  }

  async end(id: number, ended: EndedRequest): Promise<void> {
    const { at, state, usage, costUsd, priceSource, failure, aboutUsd, model } = ended;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
    const hourly = Math.min(usage?.cacheWrite1hTokens ?? 0, cacheWriteTokens);
    await this.#store.join((file) => {
      file
        .statement(END)
        .run(
          id,
          at,
          state,
          inputTokens,
          cacheReadTokens,
          cacheWriteTokens - hourly,
          hourly,
          usage?.reasoningTokens ?? 0,
          outputTokens,
          costUsd ?? null,
          priceSource ?? null,
          failure ?? null,
          model ?? null,
          costUsd === undefined ? (aboutUsd ?? null) : null,
        );
    });
  }
}

/** Only looks, if they exist: other processes wait for the lock meanwhile. */
function makeTables(file: DatabaseFile): void {
  if (!hasTable(file, "budget_raises")) file.database.exec(SCHEMA);
}

/** Whether a process of this home has sent a request since the ledger exists. */
export function hasLedger(file: DatabaseFile): boolean {
  return hasTable(file, "requests");
}

function hasTable(file: DatabaseFile, name: string): boolean {
  return file.statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
