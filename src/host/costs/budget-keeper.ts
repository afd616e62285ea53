import type { Json } from "../../contract/common/json.ts";
import type { Budgets } from "../../engine/ports.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import type { NewRequest } from "../store/service/request-ledger.ts";
import {
  budgetLimits,
  judgeBudgets,
  type BudgetScope,
  type BudgetState,
  type SettledSums,
  type Verdict,
} from "./budgets.ts";
import type { SessionOrigins } from "./session-origins.ts";

const LEAST_RAISE_USD = 0.01;
/** From this share on the user gets a notice. */
const NEAR = 0.8;

export interface BudgetKeeperPorts {
  readonly origins: SessionOrigins;
  config(path: string): Json | undefined;
  /** Adds to a budget, for this turn, session, day or month. Durable when it resolves. */
  raise(scope: BudgetScope, key: string, usd: number): Promise<void>;
}

/** One request against the budgets. */
export interface BudgetCheck {
  /** Runs in the transaction that writes the request's row. @returns false: no row, and nothing is sent. */
  judge(file: DatabaseFile): boolean;
  /** Why it was not sent. */
  refusal(): { readonly kind: "wait" } | { readonly kind: "spent"; readonly message: string };
}

/** The budgets of the settings: what they stop, what they report, and how the user raises them. */
export class BudgetKeeper implements Budgets {
  readonly #ports: BudgetKeeperPorts;
  /** Budgets that were reported already. */
  readonly #reported = new Set<string>();
  /** Notices that wait for the next answer, by topmost session. */
  readonly #notices = new Map<string, string[]>();
  /** The budget that stopped the newest request, by topmost session. */
  readonly #stopped = new Map<string, BudgetState>();
  /** Questions that are open now: parallel subagents ask once. */
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #sums: SettledSums = new Map();
  /** Raised for single requests, by turn. */
  readonly #raised = new Map<string, number>();

  constructor(ports: BudgetKeeperPorts) {
    this.#ports = ports;
  }

  /** Whether any budget is set: only then requests are estimated. */
  get any(): boolean {
    return budgetLimits(this.#ports.config("budgets")) !== undefined;
  }

  /** A request of a model without a known price is about to be sent. */
  unpriced(sessionId: string | undefined, model: string): void {
    if (sessionId === undefined || !this.any) return;
    const { topSessionId } = this.#ports.origins.of(sessionId);
    const name = `price ${topSessionId} ${model}`;
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#notice(
      topSessionId,
      `The price of ${model} is not known, so budgets count only what its provider says it charges.`,
    );
  }

  /** USD that one request of the turn may cost; `undefined`: no limit. */
  requestLimit(sessionId: string | undefined, turnId: string | undefined): number | undefined {
    const limit = budgetLimits(this.#ports.config("budgets"))?.request;
    return limit === undefined ? undefined : limit + (this.#raised.get(turnId ?? sessionId ?? "") ?? 0);
  }

  /** A request would cost more than one may. @returns the message. */
  refuseRequest(sessionId: string | undefined, turnId: string | undefined, usd: number): string {
    const limitUsd = this.requestLimit(sessionId, turnId) ?? 0;
    const budget: BudgetState = { scope: "request", key: turnId ?? sessionId ?? "", limitUsd, spentUsd: usd };
    if (sessionId !== undefined) this.#stopped.set(this.#ports.origins.of(sessionId).topSessionId, budget);
    return `Its input alone costs about ${dollars(usd)}, but the budget for one request (budgets.request) is ${dollars(limitUsd)}.`;
  }

  check(request: NewRequest): BudgetCheck | undefined {
    const limits = budgetLimits(this.#ports.config("budgets"));
    if (limits === undefined) return undefined;
    let verdict: Verdict = { kind: "wait" };
    return {
      judge: (file) => {
        verdict = judgeBudgets(file, request, limits, this.#sums);
        if (verdict.kind === "go") for (const budget of verdict.budgets) this.#near(budget, request.topSessionId);
        return verdict.kind === "go";
      },
      refusal: () => {
        if (verdict.kind !== "spent") return { kind: "wait" };
        if (request.topSessionId !== undefined) this.#stopped.set(request.topSessionId, verdict.budget);
        return { kind: "spent", message: spentText(verdict.budget) };
      },
    };
  }

  notices(sessionId: string): readonly string[] {
    const { topSessionId } = this.#ports.origins.of(sessionId);
    const notices = this.#notices.get(topSessionId) ?? [];
    this.#notices.delete(topSessionId);
    return notices;
  }

  async raise(
    sessionId: string,
    ask: (text: string, agree: string, stop: string) => Promise<boolean>,
  ): Promise<boolean> {
    const { topSessionId } = this.#ports.origins.of(sessionId);
    const budget = this.#stopped.get(topSessionId);
    if (budget === undefined) return false;
    const name = `${budget.scope} ${budget.key}`;
    let asking = this.#asking.get(name);
    if (asking === undefined) {
      asking = this.#raise(budget, ask).finally(() => this.#asking.delete(name));
      this.#asking.set(name, asking);
    }
    return asking;
  }

  async #raise(
    budget: BudgetState,
    ask: (text: string, agree: string, stop: string) => Promise<boolean>,
  ): Promise<boolean> {
    const { scope, key, limitUsd, spentUsd } = budget;
    // As often the setting as lets it continue.
    const step = Math.max(budgetLimits(this.#ports.config("budgets"))?.[scope] ?? limitUsd, LEAST_RAISE_USD);
    const more = step * (Math.floor((spentUsd - limitUsd) / step) + 1);
    if (!(await ask(spentText(budget), `Continue with ${dollars(more)} more`, "Stop"))) return false;
    if (scope === "request") this.#raised.set(key, (this.#raised.get(key) ?? 0) + more);
    else await this.#ports.raise(scope, key, more);
    this.#reported.delete(`${scope} ${key}`);
    return true;
  }

  #near({ scope, key, limitUsd, spentUsd }: BudgetState, topSessionId: string | undefined): void {
    const name = `${scope} ${key}`;
    if (topSessionId === undefined || spentUsd < limitUsd * NEAR || this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#notice(
      topSessionId,
      `${Math.floor((100 * spentUsd) / limitUsd)} % of the budget ${OF[scope]} (budgets.${scope}) is spent: ${dollars(spentUsd)} of ${dollars(limitUsd)}.`,
    );
  }

  #notice(topSessionId: string, text: string): void {
    this.#notices.set(topSessionId, [...(this.#notices.get(topSessionId) ?? []), text]);
  }
}

const OF: { readonly [S in BudgetScope]: string } = {
  request: "for one request",
  turn: "for this turn",
  session: "for this session",
  job: "for this run of the job",
  user: "for this user today",
  day: "for today",
  month: "for this month",
};

function spentText({ scope, limitUsd, spentUsd }: BudgetState): string {
  return `The budget ${OF[scope]} (budgets.${scope}) is spent: ${dollars(spentUsd)} of ${dollars(limitUsd)}.`;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
