import { costsText, costSummary, groupNamed, sinceOf } from "../costs/costs-text.ts";
import { sessionCost } from "../costs/session-cost.ts";
import type { SlashHost } from "./slash-host.ts";

/** `/cost`, `/cost by model`, `/cost by day 7d`. In the chat of another user than the owner, only that user's costs. */
export async function cost(args: string, host: SlashHost): Promise<string> {
  const { app, chat } = host;
  const [first = "", ...rest] = args.trim().split(/\s+/);
  const [group = "", since = "30d"] = first === "by" ? rest : [first, ...rest];
  if (first !== "") {
    const by = groupNamed(group);
    return costsText(
      by,
      await app.costs.by(by, { since: sinceOf(since), whose: chat?.whose }),
      host.columns?.(),
    ).trimEnd();
  }
  const session = host.session();
  return costSummary(
    app,
    { session: await sessionCost(app, session.id, () => session.view()), whose: chat?.whose },
    await app.costs.by("kind", { sessionId: session.id }),
  );
}
