import type { App } from "../../../contract/services/app.ts";
import type { CostGroup, CostSum } from "../../../contract/services/cost-service.ts";
import { costsCsv } from "../../shared/costs/costs-csv.ts";
import { groupNamed, sinceOf, sumOf, type NamedCost } from "../../shared/costs/costs-text.ts";
import { shortCost } from "../../shared/costs/session-cost.ts";
import { sessionTitles } from "../../shared/costs/session-titles.ts";
import { route, type Asked, type Route } from "../route.ts";
import type { UsageRow, UsageShown } from "../usage-shown.ts";

/** Tokens and costs from the ledger: the sums of `hermes cost`. */
export const USAGE_ROUTES: readonly Route[] = [
  route("GET /api/usage", async ({ app, query }): Promise<UsageShown> => {
    const { group, since } = choiceIn(query);
    const [costs, days, titles] = await Promise.all([
      app.costs.by(group, { since }),
      app.costs.by("day", { since }),
      titlesOf(app, group),
    ]);
    return {
      by: group,
      since,
      rows: costs.map((one) => shown({ ...one, title: titles?.get(one.name) })),
      days: everyDay(since, days).map(shown),
      total: shown({ name: "", ...sumOf(costs) }),
    };
  }),
  {
    at: "GET /api/usage/csv",
    async answer({ app, query }) {
      const { group, since } = choiceIn(query);
      return {
        kind: "file",
        name: `hermes-usage-${group}.csv`,
        text: costsCsv(group, await app.costs.by(group, { since })),
      };
    },
  },
];

/** @throws {UserError} */
function choiceIn(query: Asked["query"]): { readonly group: CostGroup; readonly since: number } {
  return { group: groupNamed(query.get("by") ?? "model"), since: sinceOf(query.get("since") ?? "30d") };
}

async function titlesOf(app: App, group: CostGroup): Promise<ReadonlyMap<string, string> | undefined> {
  if (group === "session") return sessionTitles(app);
  if (group !== "job") return undefined;
  return new Map((await (await app.jobs()).list()).map(({ id, name }) => [id, name]));
}

function shown(cost: NamedCost & { readonly title?: string }): UsageRow {
  return { ...cost, cost: shortCost(cost) };
}

/** In a longer time, the chart begins with the first day that has requests. */
const MOST_EMPTY_DAYS = 366;
const DAY_MS = 86_400_000;

/** Adds the days without requests, so that a chart shows them. `days` are in order. */
function everyDay(since: number, days: readonly NamedCost[], now = new Date()): readonly NamedCost[] {
  const known = new Map(days.map((day) => [day.name, day]));
  const long = now.getTime() - since > MOST_EMPTY_DAYS * DAY_MS;
  if (long && days[0] === undefined) return [];
  const none: CostSum = sumOf([]);
  const first = long ? new Date(`${days[0]!.name}T00:00`) : new Date(since);
  // A day may have 23 or 25 hours.
  const count = Math.round((startOf(now, 0).getTime() - startOf(first, 0).getTime()) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const name = dateOf(startOf(first, at));
    return known.get(name) ?? { ...none, name };
  });
}

function startOf(day: Date, later: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later);
}

/** `2026-11-29` in local time, as the ledger names days. */
function dateOf(day: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
