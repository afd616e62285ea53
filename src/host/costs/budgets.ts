import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import { isDead } from "../store/facts/process-owner.ts";
import type { NewRequest } from "../store/service/request-ledger.ts";

export const BUDGET_SCOPES = ["request", "turn", "session", "job", "user", "day", "month"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** USD by scope; a scope without a limit is missing. */
export type BudgetLimits = { readonly [S in BudgetScope]?: number };

/** A budget that applies to a request, and how much of it is spent. */
export interface BudgetState {
  readonly scope: BudgetScope;
  /** Which turn, session, user or day. */
  readonly key: string;
  /** With what the user added. */
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/**
 * `wait`: only what running requests reserve fills a budget, so one of them has to end first. `spent`: the money is
 * spent.
 */
export type Verdict =
  | { readonly kind: "go"; readonly budgets: readonly BudgetState[] }
  | { readonly kind: "wait" }
  | { readonly kind: "spent"; readonly budget: BudgetState };

/** The limits of `budgets` in the settings; `undefined` if there are none. */
export function budgetLimits(section: Json | undefined): BudgetLimits | undefined {
  if (!isObject(section)) return undefined;
  const limits = BUDGET_SCOPES.flatMap((scope) => {
    const limit = section[scope];
    return typeof limit === "number" && limit >= 0 ? [[scope, limit] as const] : [];
  });
  return limits.length === 0 ? undefined : Object.fromEntries(limits);
}

interface Window {
  readonly scope: BudgetScope;
  readonly key: string;
  /** Which requests count, beside the time. */
  readonly where: string;
  readonly values: readonly string[];
  /** Requests that ended before this (epoch ms) do not count. */
  readonly from: number;
}

const TURN = "top_session_id = ?3 AND top_turn_id = ?4";
const SESSION = "top_session_id = ?3";
const USER = "user = ?3";

/** What ended long ago, by budget: it does not change any more, so a long month is summed once. */
export type SettledSums = Map<string, { readonly usd: number; readonly before: number }>;

/** From so many requests on their sum is remembered. */
const MANY = 256;
/** Rows that are older are all committed: a row gets its time within its transaction, or shortly before. */
const SETTLED_MS = 60_000;

/** The budgets that a request falls under. */
function windowsOf(request: NewRequest, limits: BudgetLimits): readonly Window[] {
  const now = new Date(request.at);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const month = new Date(now.getFullYear(), now.getMonth(), 1);
  const { topTurnId: turn, topSessionId: session, user, job } = request;
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}`;
  const all: readonly (Window | undefined)[] = [
    turn && session ? { scope: "turn", key: turn, where: TURN, values: [session, turn], from: 0 } : undefined,
    session ? { scope: "session", key: session, where: SESSION, values: [session], from: 0 } : undefined,
    job && session ? { scope: "job", key: session, where: SESSION, values: [session], from: 0 } : undefined,
    user
      ? { scope: "user", key: `${user} ${date}-${two(now.getDate())}`, where: USER, values: [user], from: +day }
      : undefined,
    { scope: "day", key: `${date}-${two(now.getDate())}`, where: "TRUE", values: [], from: +day },
    { scope: "month", key: date, where: "TRUE", values: [], from: +month },
  ];
  return all.filter((one): one is Window => one !== undefined && limits[one.scope] !== undefined);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/**
 * Whether a request may be sent, inside the transaction that writes its row: what is spent, and what running requests
 * may still cost, must be below every budget. So spending never exceeds a budget by more than one request.
 * @param sums Kept by the caller from request to request.
 * @param isOver Whether the process that owns a row has ended: then the row keeps its reservation.
 */
export function judgeBudgets(
  file: Pick<DatabaseFile, "statement">,
  request: NewRequest,
  limits: BudgetLimits,
  sums: SettledSums = new Map(),
  isOver: (owner: string) => boolean = isDead,
): Verdict {
  const raised = (scope: BudgetScope, key: string): number =>
    Number(file.statement(RAISED).get(scope, key)?.["usd"] ?? 0);
  const budgets: BudgetState[] = [];
  let waits = false;
  for (const { scope, key, where, values, from } of windowsOf(request, limits)) {
    const limitUsd = limits[scope]! + raised(scope, key);
    let spentUsd = spentSince(file, { scope, key, where, values, from }, request.at, sums);
    let reservedUsd = 0;
    const open = file
      .statement(`SELECT owner, reserved FROM requests WHERE ended_at IS NULL AND at >= ?1 AND ?2 = 0 AND ${where}`)
      .all(from, 0, ...values);
    for (const { owner, reserved } of open)
      if (isOver(String(owner))) spentUsd += Number(reserved);
      else reservedUsd += Number(reserved);
    const budget = { scope, key, limitUsd, spentUsd };
    if (spentUsd >= limitUsd) return { kind: "spent", budget };
    waits ||= spentUsd + reservedUsd >= limitUsd;
    budgets.push(budget);
  }
  return waits ? { kind: "wait" } : { kind: "go", budgets };
}

const RAISED = "SELECT usd FROM budget_raises WHERE scope = ? AND key = ?";

/** USD of the requests that ended in a window. What is unknown counts as what it may have cost. */
function spentSince(
  file: Pick<DatabaseFile, "statement">,
  { scope, key, where, values, from }: Window,
  now: number,
  sums: SettledSums,
): number {
  const sum = (since: number, before: number) =>
    file
      .statement(
        `SELECT total(coalesce(cost, reserved)) AS usd, count(*) AS rows FROM requests WHERE ended_at >= ?1 AND ended_at < ?2 AND ${where}`,
      )
      .get(since, before, ...values);
  const name = `${scope} ${key}`;
  const settled = sums.get(name);
  const since = settled?.before ?? from;
  const recent = sum(since, Number.MAX_SAFE_INTEGER);
  const before = now - SETTLED_MS;
  if (Number(recent?.["rows"]) > MANY && before > since)
    sums.set(name, { usd: (settled?.usd ?? 0) + Number(sum(since, before)?.["usd"]), before });
  return (settled?.usd ?? 0) + Number(recent?.["usd"]);
}
