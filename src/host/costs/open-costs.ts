import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Clock } from "../../contract/common/clock.ts";
import type { SqliteStore } from "../store/facts/sqlite-store.ts";
import { RequestLedger } from "../store/service/request-ledger.ts";
import type { BillProvider } from "../tools/slots.ts";
import { billedProvider } from "./billed-provider.ts";
import { BudgetKeeper } from "./budget-keeper.ts";
import { RequestCosts, type PlaceOfRequest } from "./request-costs.ts";
import type { SessionOrigins } from "./session-origins.ts";

export interface CostPorts {
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Logger, "error">;
  readonly origins: SessionOrigins;
  store(): Promise<SqliteStore>;
  config(path: string): Json | undefined;
  /** The call that runs now. */
  place(): PlaceOfRequest | undefined;
}

/** The ledger of requests and the budgets of a process. The store opens with the first request. */
export function openCosts(ports: CostPorts): { readonly bill: BillProvider; readonly budgets: BudgetKeeper } {
  let opened: RequestLedger | undefined;
  const ledger = async (): Promise<RequestLedger> => (opened ??= new RequestLedger(await ports.store()));
  const budgets = new BudgetKeeper({
    origins: ports.origins,
    config: (path) => ports.config(path),
    raise: async (scope, key, usd) => (await ledger()).raise(scope, key, usd),
  });
  const costs = new RequestCosts({ ...ports, budgets, ledger });
  return { budgets, bill: (slot, id, provider) => billedProvider(slot, id, provider, costs) };
}
