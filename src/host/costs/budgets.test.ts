import assert from "node:assert/strict";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { test } from "node:test";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import { RequestLedger, type NewRequest } from "../store/service/request-ledger.ts";
import {
  BUDGET_SCOPES,
  budgetLimits,
  judgeBudgets,
  type BudgetLimits,
  type BudgetScope,
  type SettledSums,
} from "./budgets.ts";

/** `HERMES_LONG_TESTS=1`: all of them. */
const SCHEDULES = process.env["HERMES_LONG_TESTS"] === "1" ? 10_000 : 600;
const DAY_MS = 86_400_000;

/** The real SQL in memory, one transaction at a time, as processes see each other's. */
function openMemory() {
  const database = new DatabaseSync(":memory:");
  const statements = new Map<string, StatementSync>();
  const file = {
    database,
    statement(sql: string) {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
      return statement;
    },
  } as unknown as DatabaseFile;
  const run = async <T>(work: (of: DatabaseFile) => T): Promise<T> => work(file);
  return { file, ledger: new RequestLedger({ quickly: run, join: run, transaction: run }) };
}

/** Numbers between 0 and 1 from a seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Sent extends NewRequest {
  /** What the provider bills. */
  readonly bill: number;
}

const SCOPES = BUDGET_SCOPES.filter((scope) => scope !== "request");

/** Whether a budget counts a request, computed without the code under test. */
function counts(scope: BudgetScope, one: NewRequest, of: NewRequest): boolean {
  if (scope === "turn") return one.topTurnId === of.topTurnId;
  if (scope === "session") return one.topSessionId === of.topSessionId;
  if (scope === "job") return of.job !== undefined && one.topSessionId === of.topSessionId;
  return scope === "user" ? of.user !== undefined && one.user === of.user : true;
}

// field: M19
test(`parallel requests exceed no budget by more than one request, over ${SCHEDULES} random schedules`, async () => {
  const { file, ledger } = openMemory();
  const chance = numbers(20_261_129);
  const pick = (count: number): number => Math.floor(chance() * count);
  const dead = new Set<string>();
  let refused = 0;
  let waited = 0;
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    const at = new Date(2026, 0, 1, 12).getTime() + schedule * 40 * DAY_MS;
    const limits: BudgetLimits = Object.fromEntries(
      SCOPES.filter(() => chance() < 0.5).map((scope) => [scope, Math.round(chance() * 300) / 100]),
    );
    const waiting = Array.from({ length: 4 + pick(8) }, (): Sent => {
      const session = pick(2);
      const most = chance();
      return {
        at,
        kind: "turn",
        provider: "p",
        model: "m",
        topSessionId: `s${schedule}-${session}`,
        topTurnId: `t${schedule}-${session}-${pick(2)}`,
        user: session === 1 ? "telegram:7" : undefined,
        job: session === 1 ? "nightly" : undefined,
        images: 0,
        reservedUsd: most,
        bill: most * chance(),
      };
    });
    const sums: SettledSums = new Map();
    const running: { readonly id: number; readonly sent: Sent }[] = [];
    const billed: Sent[] = [];
    let idle = 0;
    while (waiting.length + running.length > 0) {
      if (waiting.length > 0 && (running.length === 0 || chance() < 0.6)) {
        const [sent] = waiting.splice(pick(waiting.length), 1) as [Sent];
        let verdict: ReturnType<typeof judgeBudgets> | undefined;
        const id = await ledger.begin(sent, (of) => {
          verdict = judgeBudgets(of, sent, limits, sums, (owner) => dead.has(owner));
          return verdict.kind === "go";
        });
        if (id !== undefined) {
          running.push({ id, sent });
          idle = 0;
        } else if (verdict?.kind === "wait") {
          waited++;
          waiting.push(sent);
          assert.ok(running.length > 0 || ++idle < 20, "a request waits although none is running");
        } else refused++;
        continue;
      }
      const [{ id, sent }] = running.splice(pick(running.length), 1) as [(typeof running)[number]];
      billed.push(sent);
      const how = chance();
      if (how < 0.1) {
        // Killed after the provider had billed it.
        dead.add(`dead ${schedule}`);
        file.statement("UPDATE requests SET owner = ? WHERE id = ?").run(`dead ${schedule}`, id);
      } else if (how < 0.2) {
        const aboutUsd = sent.bill + (sent.reservedUsd - sent.bill) * chance();
        await ledger.end(id, { at, state: "failed", aboutUsd });
      } else await ledger.end(id, { at, state: "answered", costUsd: sent.bill, priceSource: "table" });
      for (const scope of SCOPES) {
        const limit = limits[scope];
        if (limit === undefined || !counts(scope, sent, sent)) continue;
        const ours = billed.filter((one) => counts(scope, one, sent));
        const spent = ours.reduce((sum, one) => sum + one.bill, 0);
        const most = Math.max(...ours.map((one) => one.reservedUsd));
        assert.ok(spent <= limit + most + 1e-9, `schedule ${schedule}: ${scope} spent ${spent} of ${limit}`);
      }
    }
    file.database.exec("DELETE FROM requests WHERE ended_at IS NULL");
  }
  assert.ok(refused > SCHEDULES / 2 && waited > SCHEDULES / 2, `${refused} refused, ${waited} waited`);
});

test("a request refused by a budget leaves no row, and a higher budget allows the next one", async () => {
  const { file, ledger } = openMemory();
  const request: NewRequest = {
    at: Date.now(),
    kind: "turn",
    provider: "p",
    model: "m",
    topSessionId: "s",
    topTurnId: "t",
    images: 0,
    reservedUsd: 0.5,
  };
  const begin = () => ledger.begin(request, (of) => judgeBudgets(of, request, { session: 1, day: 5 }).kind === "go");
  const first = await begin();
  await ledger.end(first!, { at: Date.now(), state: "answered", costUsd: 1.2 });
  assert.equal(await begin(), undefined);
  assert.equal(Number(file.statement("SELECT count(*) AS rows FROM requests").get()?.["rows"]), 1);
  assert.deepEqual(judgeBudgets(file, request, { session: 1, day: 5 }), {
    kind: "spent",
    budget: { scope: "session", key: "s", limitUsd: 1, spentUsd: 1.2 },
  });
  await ledger.raise("session", "s", 1);
  assert.equal(await begin(), 2);
});

test("does not count requests of another day, user or session; yesterday's count for the month", async () => {
  const { file, ledger } = openMemory();
  const at = new Date(2026, 10, 29, 10).getTime();
  const request = (more: Partial<NewRequest> = {}): NewRequest => ({
    at,
    kind: "turn",
    provider: "p",
    model: "m",
    topSessionId: "s",
    images: 0,
    reservedUsd: 0,
    ...more,
  });
  const spend = async (costUsd: number, more: Partial<NewRequest> = {}): Promise<void> => {
    const id = await ledger.begin(request(more));
    await ledger.end(id!, { at: more.at ?? at, state: "answered", costUsd });
  };
  await spend(1, { at: at - DAY_MS });
  await spend(2, { topSessionId: "other", user: "telegram:8" });
  await spend(4, { user: "telegram:7", job: "nightly" });
  const spent = (more: Partial<NewRequest>, limits: BudgetLimits): readonly (string | number)[] => {
    const verdict = judgeBudgets(file, request(more), limits);
    return verdict.kind === "go"
      ? verdict.budgets.map(({ scope, spentUsd }) => `${scope} ${spentUsd}`)
      : [verdict.kind];
  };
  const all = { session: 100, job: 100, user: 100, day: 100, month: 100 };
  assert.deepEqual(spent({}, all), ["session 5", "day 6", "month 7"]);
  assert.deepEqual(spent({ user: "telegram:7", job: "nightly" }, all), [
    "session 5",
    "job 5",
    "user 4",
    "day 6",
    "month 7",
  ]);
  assert.deepEqual(budgetLimits({ day: 3, month: null, turn: "much" }), { day: 3 });
  assert.equal(budgetLimits({}), undefined);
});

test("sums a long month once, and still counts later requests", async () => {
  const { file, ledger } = openMemory();
  await ledger.raise("month", "none", 0);
  const start = new Date(2026, 10, 3, 10).getTime();
  const request = (at: number): NewRequest => ({
    at,
    kind: "turn",
    provider: "p",
    model: "m",
    topSessionId: "s",
    topTurnId: "t",
    images: 0,
    reservedUsd: 0,
  });
  const sums: SettledSums = new Map();
  const limits: BudgetLimits = { turn: 1_000, session: 1_000, month: 1_000 };
  for (let number = 0; number < 700; number++) {
    const at = start + number * 1_000;
    const verdict = judgeBudgets(file, request(at), limits, sums);
    assert.deepEqual(verdict.kind === "go" && verdict.budgets.map(({ spentUsd }) => spentUsd), [
      number,
      number,
      number,
    ]);
    const id = await ledger.begin(request(at));
    await ledger.end(id!, { at, state: "answered", costUsd: 1 });
  }
  assert.ok(sums.size === 3 && [...sums.values()].every(({ usd }) => usd > 200));
});
