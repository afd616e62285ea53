import type { SqliteStore } from "../facts/sqlite-store.ts";

/** The fields of a fact that usage statistics need; which of them are set depends on `type`. */
export interface UsageFact {
  readonly sessionId: string;
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: string;
  readonly surface: string | null;
  readonly parentId: string | null;
  readonly parentSeq: number | null;
  /** Depth of a subagent. */
  readonly depth: number | null;
  readonly title: string | null;
  readonly origin: string | null;
  readonly model: string | null;
  readonly requestId: string | null;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly durationMs: number | null;
  /** JSON of a `Usage`. */
  readonly usage: string | null;
  readonly costUsd: number | null;
}

/** Facts whose text is read in one step: a step must not delay the turns of a gateway. */
const STEP = 5000;

// SQLite reads these fields without making strings of long results and answers.
const SELECT = `
  SELECT session_id AS sessionId, seq, at, json_extract(body, '$.type') AS type,
    json_extract(body, '$.surface') AS surface, json_extract(body, '$.parent.sessionId') AS parentId,
    json_extract(body, '$.parent.seq') AS parentSeq, json_extract(body, '$.subagent.depth') AS depth,
    json_extract(body, '$.title') AS title, json_extract(body, '$.origin') AS origin,
    json_extract(body, '$.model') AS model, json_extract(body, '$.requestId') AS requestId,
    json_extract(body, '$.callId') AS callId, json_extract(body, '$.tool') AS tool,
    json_extract(body, '$.outcome.kind') AS outcome, json_extract(body, '$.durationMs') AS durationMs,
    json_extract(body, '$.usage') AS usage, json_extract(body, '$.costUsd') AS costUsd
  FROM facts WHERE id > ? AND id <= ?
    AND (at >= ? OR json_extract(body, '$.type') IN ('session.started', 'session.titled')) ORDER BY id`;

/**
 * The facts since `fromAt` in the order they were written, reduced to what statistics need. The starts and titles of
 * older sessions come too, because later facts belong to them.
 */
export async function* usageFacts(
  store: Pick<SqliteStore, "lookup">,
  fromAt: number,
): AsyncGenerator<UsageFact, void, undefined> {
  const last = await store.lookup((file) =>
    Number(file.statement("SELECT coalesce(max(id), 0) AS id FROM facts").get()?.["id"] ?? 0),
  );
  for (let after = 0; after < last; after += STEP) {
    const upTo = Math.min(after + STEP, last);
    yield* await store.lookup(
      (file) => file.statement(SELECT).all(after, upTo, fromAt) as unknown as readonly UsageFact[],
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
}
