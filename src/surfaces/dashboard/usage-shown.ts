import type { CostGroup, CostSum } from "../../contract/services/cost-service.ts";

/** A sum as the page shows it. */
export interface UsageRow extends CostSum {
  /** "" for requests that belong to no group. */
  readonly name: string;
  /** `$0.0042`, or `≥ $0.0042` where part of the cost is unknown, or `$?` where all of it is; "" if nothing was charged. */
  readonly cost: string;
  /** The title of a session or the name of a job, while it exists. */
  readonly title?: string;
}

/** The answer of `GET /api/usage`. */
export interface UsageShown {
  readonly by: CostGroup;
  /** Epoch ms. */
  readonly since: number;
  /** Largest cost first; days in order, and only those with requests. */
  readonly rows: readonly UsageRow[];
  /** Every day from `since` until today, also those without requests. */
  readonly days: readonly UsageRow[];
  readonly total: UsageRow;
}
