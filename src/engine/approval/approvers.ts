import type { ApprovalRequest, Approver, Decision, Doubt, Risk } from "../../contract/tools/approval.ts";
import type { Egress } from "../../contract/tools/assessment.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { harmOf } from "../../safety/commands/risk/harms.ts";
import { ruleCovers, rulesCover } from "../../safety/commands/rules.ts";
import { canonicalText } from "../arguments/canonical-json.ts";

/** An approver that also stores what a user allowed for "always". */
export type RememberingApprover = Approver & { remember(rule: string): Promise<void> };

/**
 * Allows what a stored rule covers. Reads the rules for each request, so that an edited configuration applies at once.
 */
export function allowlistApprover(
  rules: () => readonly string[],
  remember: (rule: string) => Promise<void>,
): RememberingApprover {
  const approver: Approver = async ({ risk, subject }) => {
    if (risk.fresh !== undefined) return "pass";
    // A rule over commands says nothing about what a plugin's guard wants approved.
    const shown = risk.key.includes("plugin_rule:") ? undefined : subject;
    const saved = rules();
    if (!rulesCover(saved, risk, shown)) return "pass";
    const rule = saved.find((one) => ruleCovers(one, risk, shown));
    return { kind: "allow", scope: "always", by: rule === undefined ? "allowlist" : `allowlist: ${rule}` };
  };
  return Object.assign(approver, { remember });
}

/** Session state under which granted risk keys are kept. */
export const SESSION_GRANTS = "approvals.session";

/** The classes of harm that the user of this session allowed for its length. */
export function sessionApprover(granted: () => Json | undefined): Approver {
  return async ({ risk }) =>
    risk.fresh !== true && classesOf(risk).every((key) => mayBeRemembered(key) && grantsOf(granted()).includes(key))
      ? { kind: "allow", scope: "session", by: "session" }
      : "pass";
}

/** A risk of several classes is joined by ` + `; it needs an approval for each. */
export function classesOf(risk: Risk): readonly string[] {
  return risk.key.split(" + ");
}

/**
 * The next fetched, hidden or computed code is unknown: an approval of these classes is never remembered. Plugins
 * decide about their own classes.
 */
export function mayBeRemembered(key: string): boolean {
  return harmOf(key)?.keep !== false;
}

export function grantsOf(state: Json | undefined): readonly string[] {
  return Array.isArray(state) ? state.filter((key) => typeof key === "string") : [];
}

/**
 * Runs the chain: the first that decides wins, one that throws denies; the first doubt is kept for the user. Never
 * rejects.
 */
export async function decide(
  approvers: readonly Approver[],
  request: ApprovalRequest,
  signal: AbortSignal,
  log: Logger,
): Promise<Decision | Doubt | "pass"> {
  let doubt: Doubt | undefined;
  for (const approver of approvers) {
    try {
      const decision = await approver(request, signal);
      if (decision === "pass") continue;
      if (!isDecision(decision))
        return {
          kind: "deny",
          by: "approver",
          reason: `An approver returned an invalid decision, so "${request.tool}" was not run.`,
        };
      if (decision.kind !== "doubt") return decision;
      doubt ??= decision;
    } catch (cause) {
      log.error(`An approver threw; "${request.tool}" is denied.`, { cause, callId: request.callId });
      return {
        kind: "deny",
        by: "approver",
        reason: `The approval failed (${cause instanceof Error ? cause.message : String(cause)}), so "${request.tool}" was not run.`,
      };
    }
  }
  return doubt ?? "pass";
}

function isDecision(value: unknown): value is Decision | Doubt {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    (value.kind === "allow" || value.kind === "deny" || value.kind === "doubt")
  );
}

/** An approval is bound to the call, where it runs, and everything that its tool reported about it. */
export function digestOf(call: {
  readonly tool: string;
  readonly args: JsonObject;
  readonly cwd: string;
  readonly risk: Risk;
  readonly effect?: Effect;
  readonly egress?: readonly Egress[];
}): string {
  const { tool, args, cwd, risk, effect, egress } = call;
  const text = canonicalText(defined({ tool, args, cwd, risk: defined(risk), effect, egress }));
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}

function defined(object: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Two risks of one call as one: asked about together, remembered only together. */
export function joinRisks(first: Risk | undefined, second: Risk | undefined): Risk | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    answer: first.answer === "block" || second.answer === "block" ? "block" : "ask",
    key: `${first.key} + ${second.key}`,
    reasons: [...first.reasons, ...second.reasons],
    effects: [...first.effects, ...second.effects],
    ...ofEither(first, second, "where"),
    ...ofEither(first, second, "commands"),
    ...ofEither(first, second, "bound"),
    ...(first.fresh === true || second.fresh === true ? { fresh: true } : ofEither(first, second, "fresh")),
  };
}

/** Only the tool itself knows where a call runs and what it is bound to; it is the first. */
function ofEither<K extends keyof Risk>(first: Risk, second: Risk, key: K): Partial<Pick<Risk, K>> {
  const value = first[key] ?? second[key];
  return value === undefined ? {} : ({ [key]: value } as Partial<Pick<Risk, K>>);
}
