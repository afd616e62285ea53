import type {
  CostGroup,
  CostService,
  CostSum,
  LedgerRow,
  PriceSource,
} from "../../../contract/services/cost-service.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { isDead } from "../facts/process-owner.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";
import { hasLedger } from "./request-ledger.ts";

export const NO_COST: CostSum = {
  costUsd: 0,
  requests: 0,
  unknown: 0,
  open: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
};

const GROUPS: { readonly [G in CostGroup]: string } = {
  day: "date(at / 1000, 'unixepoch', 'localtime')",
  model: "iif(model = '', provider, provider || '/' || model)",
  session: "coalesce(top_session_id, '')",
  tool: "coalesce(tool, '')",
  job: "coalesce(job, '')",
  user: "coalesce(user, '')",
  kind: "kind",
};

/** `unended` has the owners of requests without an end: who still runs decides what they are. */
const SUMS = `
  total(cost) AS cost, count(*) AS requests, count(*) FILTER (WHERE ended_at IS NOT NULL AND cost IS NULL) AS unknown,
  json_group_array(owner) FILTER (WHERE ended_at IS NULL) AS unended,
  sum(input_tokens) AS input_tokens, sum(cached_tokens) AS cached_tokens, sum(output_tokens) AS output_tokens
`;

/** Questions to the ledger of requests. */
export function costQueries(store: () => Promise<Pick<SqliteStore, "lookup">>): CostService & {
  /** Sums of topmost sessions; those without requests are missing. */
  ofSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, CostSum>>;
} {
  const look = async <T>(none: T, work: (file: DatabaseFile) => T): Promise<T> =>
    (await store()).lookup((file) => (hasLedger(file) ? work(file) : none));
  const sumWhere = (file: DatabaseFile, where: string, ...values: readonly string[]): CostSum =>
    sumOf(file.statement(`SELECT ${SUMS} FROM requests WHERE ${where}`).get(...values));
  return {
    ofSession: (sessionId) =>
      look(NO_COST, (file) => {
        const top = sumWhere(file, "top_session_id = ?", sessionId);
        return top.requests > 0 ? top : sumWhere(file, "session_id = ?", sessionId);
      }),
    ofTurn: (sessionId, turnId) =>
      look(NO_COST, (file) => sumWhere(file, "top_session_id = ? AND top_turn_id = ?", sessionId, turnId)),
    ofSessions: (sessionIds) =>
      look(new Map(), (file) => {
        const rows = file
          .statement(
            `SELECT top_session_id AS name, ${SUMS} FROM requests WHERE top_session_id IN (SELECT value FROM json_each(?)) GROUP BY 1`,
          )
          .all(JSON.stringify(sessionIds));
        return new Map(rows.map((row) => [String(row["name"]), sumOf(row)]));
      }),
    by: (group, { since = 0, whose, sessionId } = {}) =>
      look<Awaited<ReturnType<CostService["by"]>>>([], (file) =>
        file
          .statement(
            `SELECT ${GROUPS[group]} AS name, ${SUMS} FROM requests WHERE at >= ?1 AND (?2 IS NULL OR user = ?2) AND (?3 IS NULL OR top_session_id = ?3) GROUP BY 1 ORDER BY ${group === "day" ? "1" : "cost DESC, requests DESC, 1"}`,
          )
          .all(since, whose ?? null, sessionId ?? null)
          .map((row) => ({ name: String(row["name"]), ...sumOf(row) })),
      ),
    rows: ({ since = 0, sessionId } = {}) =>
      look<readonly LedgerRow[]>([], (file) =>
        file
          .statement("SELECT * FROM requests WHERE at >= ?1 AND (?2 IS NULL OR session_id = ?2) ORDER BY id")
          .all(since, sessionId ?? null)
          .map(rowOf),
      ),
  };
}

type Row = { readonly [column: string]: unknown };

function sumOf(row: Row | undefined): CostSum {
  if (row === undefined) return NO_COST;
  const owners = JSON.parse(String(row["unended"])) as readonly (string | null)[];
  const open = owners.filter((owner) => !isOver(owner)).length;
  return {
    costUsd: Number(row["cost"]),
    requests: Number(row["requests"]),
    unknown: Number(row["unknown"]) + owners.length - open,
    open,
    inputTokens: Number(row["input_tokens"] ?? 0),
    cachedTokens: Number(row["cached_tokens"] ?? 0),
    outputTokens: Number(row["output_tokens"] ?? 0),
  };
}

function isOver(owner: string | null): boolean {
  return owner === null || isDead(owner);
}

function rowOf(row: Row): LedgerRow {
  const text = (column: string): string | undefined => (row[column] === null ? undefined : String(row[column]));
  const number = (column: string): number | undefined => (row[column] === null ? undefined : Number(row[column]));
  const state = String(row["state"]) as LedgerRow["state"];
  return {
    id: Number(row["id"]),
    at: Number(row["at"]),
    endedAt: number("ended_at"),
    state: state === "open" && isOver(text("owner") ?? null) ? "interrupted" : state,
    kind: String(row["kind"]),
    provider: String(row["provider"]),
    model: String(row["model"]),
    sessionId: text("session_id"),
    topSessionId: text("top_session_id"),
    turnId: text("turn_id"),
    requestId: text("request_id"),
    user: text("user"),
    job: text("job"),
    tool: text("tool"),
    inputTokens: Number(row["input_tokens"]),
    cachedTokens: Number(row["cached_tokens"]),
    cacheWrite5mTokens: Number(row["cache_write_5m_tokens"]),
    cacheWrite1hTokens: Number(row["cache_write_1h_tokens"]),
    reasoningTokens: Number(row["reasoning_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    images: Number(row["images"]),
    costUsd: number("cost"),
    priceSource: text("price_source") as PriceSource | undefined,
    failure: text("failure"),
  };
}
