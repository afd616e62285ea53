import type { PriceSource } from "../../../contract/services/cost-service.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { thisProcess } from "../facts/process-owner.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

/**
 * One row a request. `ended_at` is null until it ends; `owner` is the process that sent it. `cost` is null while it is
 * unknown. `reserved` is what the request may cost at most, for budgets.
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
  CREATE INDEX IF NOT EXISTS requests_by_session ON requests (top_session_id, top_turn_id, cost);
  CREATE INDEX IF NOT EXISTS requests_by_end ON requests (ended_at, cost, user);
  CREATE INDEX IF NOT EXISTS requests_open ON requests (id) WHERE ended_at IS NULL;
`;

const BEGIN = `
  INSERT INTO requests (at, owner, kind, provider, model, session_id, top_session_id, turn_id, top_turn_id, request_id, user, job, tool, images, reserved)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const END = `
  UPDATE requests SET ended_at = ?2, state = ?3, input_tokens = ?4, cached_tokens = ?5, cache_write_5m_tokens = ?6,
    cache_write_1h_tokens = ?7, reasoning_tokens = ?8, output_tokens = ?9, cost = ?10, price_source = ?11, failure = ?12,
    model = coalesce(?13, model), owner = NULL
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
  /** The model that answered, where the request named none. */
  readonly model?: string;
}

/**
 * The table `requests` of `state.db`. A row outlives its session, and has no content of it. Rows are committed without
 * waiting for the disk: they survive the process, and a power cut once a later write is on disk.
 */
export class RequestLedger {
  readonly #store: SqliteStore;
  /** This process, as its rows name it. */
  readonly #owner = JSON.stringify(thisProcess());
  #made = false;

  constructor(store: SqliteStore) {
    this.#store = store;
  }

  /** Writes the row of a request that is about to be sent, if `check` passes in the same transaction. */
  async begin(request: NewRequest, check?: (file: DatabaseFile) => void): Promise<number> {
    const made = this.#made;
    const id = await this.#store.quickly((file) => {
      if (!made) file.database.exec(SCHEMA);
      check?.(file);
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
    });
    this.#made = true;
    return id;
  }

  async end(id: number, { at, state, usage, costUsd, priceSource, failure, model }: EndedRequest): Promise<void> {
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
    const hourly = Math.min(usage?.cacheWrite1hTokens ?? 0, cacheWriteTokens);
    await this.#store.quickly((file) =>
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
        ),
    );
  }
}

/** Whether a process of this home has sent a request since the ledger exists. */
export function hasLedger(file: DatabaseFile): boolean {
  return file.statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'requests'").get() !== undefined;
}
