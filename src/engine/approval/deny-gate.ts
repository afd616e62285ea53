import type { Risk } from "../../contract/tools/approval.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { ruleEntries } from "../../safety/commands/rule-entries.ts";
import { denyingRule, hasSubject } from "../../safety/commands/deny-rules.ts";
import type { Call } from "../dispatch/call.ts";

/**
 * The user's deny rule (`approvals.deny`) that covers this call, whether or not the call carries a risk. No approval,
 * allowlist or `--yolo` comes before it. A call that is blocked anyway is left to the block, whose message says more.
 */
export function denyRuleFor(
  call: Call,
  args: JsonObject,
  risk: Risk | undefined,
): Promise<string | undefined> | undefined {
  if (risk?.answer === "block" || !hasSubject(args)) return undefined;
  const rules = ruleEntries(call.ports.config("approvals.deny")).map(({ rule }) => rule);
  const { ports, session } = call;
  return rules.length === 0
    ? undefined
    : denyingRule(rules, args, { cwd: session.cwd, home: ports.home, agentHome: ports.agentHome });
}
