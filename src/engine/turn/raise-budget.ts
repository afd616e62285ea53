import type { TurnResources } from "./turn-resources.ts";

/**
 * A budget is spent: asks the owner, if one is connected, whether the turn may spend more. A chat user of the owner's
 * agent is not asked, since it is the owner's money. No answer is a denial.
 */
export async function raiseBudget(
  { ports, sessionId, calls }: Pick<TurnResources, "ports" | "sessionId" | "calls">,
  signal: AbortSignal,
): Promise<boolean> {
  const { prompter, whose } = calls();
  if (ports.budgets === undefined || prompter === undefined || whose !== undefined) return false;
  return ports.budgets.raise(sessionId, async (text, agree, stop) => {
    const answer = await prompter.ask({ kind: "choice", text, choices: [agree, stop], other: false }, signal);
    return answer.kind === "text" && answer.text === agree;
  });
}
