import type { Risk } from "../../contract/tools/approval.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { ruleEntries } from "../../safety/commands/rule-entries.ts";
import { denyingRule, hasSubject } from "../../safety/commands/deny-rules.ts";
import type { Call } from "../dispatch/call.ts";

/**
 * The person's own deny rule (`approvals.deny`) that covers this call, whether or not the call carries a risk; no yes, no allowlist and no
 * `--yolo` comes before it. What the hard floor blocks is left to it, which has the better words.
 */
export function denyRuleFor(
  call: Call,
  args: JsonObject,
  judge: () => Risk | undefined | Promise<Risk | undefined>,
): Promise<string | undefined> | undefined {
  if (!hasSubject(args)) return undefined;
  const rules = ruleEntries(call.ports.config("approvals.deny")).map(({ rule }) => rule);
  return rules.length === 0 ? undefined : matching(call, rules, args, judge);
}

async function matching(
  { ports, session }: Call,
  rules: readonly string[],
  args: JsonObject,
  judge: () => Risk | undefined | Promise<Risk | undefined>,
): Promise<string | undefined> {
  const rule = await denyingRule(rules, args, { cwd: session.cwd, home: ports.home, agentHome: ports.agentHome });
  return rule !== undefined && (await judge())?.answer === "block" ? undefined : rule;
}
