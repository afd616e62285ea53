import { UserError } from "../../../../contract/common/failure.ts";
import type { App } from "../../../../contract/services/app.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { costsCsv } from "../../../shared/costs/costs-csv.ts";
import { costsText, groupNamed, sinceOf, sumOf, type NamedCost } from "../../../shared/costs/costs-text.ts";
import { sessionTitles } from "../../../shared/costs/session-titles.ts";
import type { Call } from "../../program/call.ts";

/** `hermes cost`: what requests to models and paid services cost. */
export async function cost(
  { io, open }: Call,
  options: { readonly by: string; readonly since: string; readonly json?: boolean; readonly csv?: boolean },
): Promise<void> {
  const group = groupNamed(options.by);
  const since = sinceOf(options.since);
  if (options.json && options.csv) throw new UserError("Choose one of --json and --csv.", { exitCode: EXIT.usage });
  const app = await open();
  const costs = await app.costs.by(group, { since });
  if (options.json) {
    const groups = costs.map((one) => ({ ...one, name: one.name === "" ? null : one.name }));
    return io.out(`${JSON.stringify({ by: group, since, groups, total: sumOf(costs) }, null, 2)}\n`);
  }
  if (options.csv) return io.out(costsCsv(group, costs));
  const shown = group === "session" ? await named(app, costs) : costs;
  io.out(costsText(group, shown, io.outIsTerminal ? io.columns : Infinity, (text) => io.styleOut("dim", text)));
}

/** With the titles of sessions that still exist. */
async function named(app: App, costs: readonly NamedCost[]): Promise<readonly NamedCost[]> {
  const titles = await sessionTitles(app);
  return costs.map((one) => ({ ...one, name: [one.name, titles.get(one.name) ?? ""].join(" ").trim() }));
}
