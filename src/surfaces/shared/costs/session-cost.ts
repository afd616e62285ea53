import type { App } from "../../../contract/services/app.ts";
import type { CostSum } from "../../../contract/services/cost-service.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import { dollars } from "../display/dollars.ts";

/**
 * What a session cost, with its subagents and side requests. A session from before the ledger, or of the original, has
 * its cost in its facts.
 */
export async function sessionCost(
  { costs }: Pick<App, "costs">,
  sessionId: string,
  view: () => Pick<SessionView, "costUsd"> | Promise<Pick<SessionView, "costUsd">>,
): Promise<CostSum> {
  const sum = await costs.ofSession(sessionId);
  return { ...sum, costUsd: Math.max(sum.costUsd, (await view()).costUsd) };
}

/** `$0.0042`, `at least $0.0042 (2 requests of unknown cost)`, `unknown`; "" if nothing was charged. */
export function costText({ costUsd, unknown }: Pick<CostSum, "costUsd" | "unknown">): string {
  if (unknown === 0) return costUsd === 0 ? "" : dollars(costUsd);
  const requests = `${unknown} ${unknown === 1 ? "request" : "requests"} of unknown cost`;
  return costUsd === 0 ? `cost unknown (${requests})` : `at least ${dollars(costUsd)} (${requests})`;
}

/** `$0.0042`, `≥ $0.0042`, `$?`: for a narrow place. */
export function shortCost({ costUsd, unknown }: Pick<CostSum, "costUsd" | "unknown">): string {
  if (unknown === 0) return costUsd === 0 ? "" : dollars(costUsd);
  return costUsd === 0 ? "$?" : `≥ ${dollars(costUsd)}`;
}
