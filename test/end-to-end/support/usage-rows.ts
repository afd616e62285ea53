import { openSqliteStore } from "../../../src/host/store/facts/open-store.ts";
import { RequestLedger } from "../../../src/host/store/service/request-ledger.ts";

const DAY_MS = 86_400_000;

export interface UsageRow {
  /** Days before `now`. */
  readonly days: number;
  readonly model?: string;
  readonly provider?: string;
  readonly kind?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly job?: string;
  readonly user?: string;
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
  /** Absent: unknown. */
  readonly usd?: number;
}

/** Enters requests into the ledger of a home, as an agent of an earlier day did. */
export async function writeUsage(home: string, rows: readonly UsageRow[], now = Date.now()): Promise<void> {
  await using store = await openSqliteStore({ home });
  const ledger = new RequestLedger(store);
  for (const row of rows) {
    const at = now - row.days * DAY_MS;
    const id = await ledger.begin({
      at,
      kind: row.kind ?? "turn",
      provider: row.provider ?? "anthropic",
      model: row.model ?? "claude-sonnet-4-5",
      sessionId: row.session,
      topSessionId: row.session,
      user: row.user,
      job: row.job,
      tool: row.tool,
      images: 0,
      reservedUsd: 0,
    });
    await ledger.end(id!, {
      at: at + 1,
      state: "answered",
      usage: {
        inputTokens: row.input ?? 1_000,
        cacheReadTokens: row.cached ?? 0,
        cacheWriteTokens: 0,
        cacheWrite1hTokens: 0,
        reasoningTokens: 0,
        outputTokens: row.output ?? 100,
      },
      costUsd: row.usd,
      priceSource: row.usd === undefined ? undefined : "table",
    });
  }
}

/** A month of requests with weekends, several models, tools, jobs and users, and days of unknown cost. */
export function aMonthOfUsage(session: string): readonly UsageRow[] {
  const rows: UsageRow[] = [];
  for (let days = 0; days < 29; days++) {
    const busy = [2, 7, 5, 9, 4, 1, 0][days % 7]!;
    if (busy === 0) continue;
    const input = busy * 61_000;
    rows.push({ days, session, input, cached: Math.round(input * 0.71), output: busy * 2_100, usd: busy * 0.11 });
    if (days % 3 === 0)
      rows.push({
        days,
        session,
        tool: "vision_analyze",
        kind: "vision",
        model: "claude-haiku-4-5",
        input: 9_000,
        usd: 0.03,
      });
    if (days % 4 === 0)
      rows.push({
        days,
        job: "nightly-report",
        provider: "openrouter",
        model: "qwen/qwen3-coder",
        input: busy * 12_000,
        cached: busy * 4_000,
        output: 900,
        usd: busy * 0.012,
      });
    if (days % 5 === 0)
      rows.push({ days, user: "telegram:4711", input: 14_000, cached: 6_000, output: 700, usd: 0.05 });
    if (days === 3 || days === 11)
      rows.push({ days, session, provider: "custom", model: "lab-model", input: 22_000, output: 1_200 });
  }
  return rows;
}
