import type { ApprovalRequest, Approver, Decision, Risk, Scope } from "../contract/approval.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Logger } from "../contract/logger.ts";
import type { Answer, Person } from "../contract/question.ts";
import type { Clock } from "../contract/clock.ts";
import { ruleCovers, rulesCover } from "../safety/rules.ts";
import { bounded } from "./bounded.ts";
import { canonicalText } from "./canonical-json.ts";
import { OVER } from "./deadline.ts";

/** An approver that also keeps what a person allowed for good. */
export type RememberingApprover = Approver & { remember(rule: string): Promise<void> };

/** Allows what a stored rule covers. Rules are read anew for each request, so that an edited configuration counts at once. */
export function allowlistApprover(rules: () => readonly string[], remember: (rule: string) => Promise<void>): RememberingApprover {
  const approver: Approver = async ({ risk, subject }) => {
    // A rule over commands says nothing about what a plugin's guard wants approved.
    const shown = risk.key.includes("plugin_rule:") ? undefined : subject;
    const kept = rules();
    if (!rulesCover(kept, risk, shown)) return "pass";
    const rule = kept.find((one) => ruleCovers(one, risk, shown));
    return { kind: "allow", scope: "always", by: rule === undefined ? "allowlist" : `allowlist: ${rule}` };
  };
  return Object.assign(approver, { remember });
}

/** Session state under which granted risk keys are kept. */
export const SESSION_GRANTS = "approvals.session";

/** What the person of this session allowed for its length, by class of harm. */
export function sessionApprover(granted: () => Json | undefined): Approver {
  return async ({ risk }) => (classesOf(risk).every((key) => grantsOf(granted()).includes(key)) ? { kind: "allow", scope: "session", by: "session" } : "pass");
}

/** A risk of several classes is joined by ` + `; it needs a yes for each. */
export function classesOf(risk: Risk): readonly string[] {
  return risk.key.split(" + ");
}

export function grantsOf(state: Json | undefined): readonly string[] {
  return Array.isArray(state) ? state.filter((key) => typeof key === "string") : [];
}

/** The person, last in the chain: always decides, and anything but a plain yes is no. */
export function personApprover(ports: { readonly person: Person | undefined; readonly clock: Clock; readonly timeoutMs: number }): Approver {
  return async (request, signal) => {
    if (ports.person === undefined) return { kind: "deny", by: "nobody", reason: nobodyToAsk(request) };
    const scopes: readonly Scope[] = request.risk.rule === undefined ? ["once", "session"] : ["once", "session", "always"];
    // The dialog is told when it is too late, and an answer that ignores the signal is not waited for.
    const late = new AbortController();
    const withdrawn = Promise.withResolvers<Answer>();
    const stop = () => {
      late.abort(signal.reason);
      withdrawn.resolve({ kind: "none", reason: "cancelled" });
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const asked = late.signal.aborted ? withdrawn.promise : ports.person.ask({ kind: "approval", request, scopes }, late.signal);
      const ended = await bounded(Promise.race([asked, withdrawn.promise]), ports.timeoutMs, ports.clock);
      if (ended.kind === "timeout") return { kind: "deny", by: "nobody", reason: unanswered(ports.timeoutMs) };
      const answer = ended.value;
      // A scope that was not offered is no wider than the narrowest.
      if (answer.kind === "approved") return { kind: "allow", scope: scopes.includes(answer.scope) ? answer.scope : "once", by: "person" };
      if (answer.kind === "none") return { kind: "deny", by: "nobody", reason: answer.reason === "nobody" ? nobodyToAsk(request) : answer.reason === "timeout" ? unanswered(ports.timeoutMs) : `The question was withdrawn. ${NO_CONSENT}` };
      const why = answer.kind === "refused" ? answer.reason : answer.text;
      return { kind: "deny", by: "person", reason: `The person refused this call${why === undefined || why === "" ? "" : ` ("${why}")`}. ${NO_CONSENT}` };
    } finally {
      signal.removeEventListener("abort", stop);
      late.abort(OVER);
    }
  };
}

const NO_CONSENT = "There is no consent: do not repeat it, reword it or reach the same end another way. Say what you wanted to do, and wait.";

function unanswered(timeoutMs: number): string {
  return `Nobody answered within ${Math.round(timeoutMs / 1000)} s. Silence is not consent. ${NO_CONSENT}`;
}

function nobodyToAsk({ tool, risk }: ApprovalRequest): string {
  return `"${tool}" needs approval (${risk.key}), and nobody can be asked here, so it was not run. A person can allow it beforehand (approvals in config.yaml, or --yolo). ${NO_CONSENT}`;
}

/** Runs the chain: the first that does not pass decides, one that throws denies, and so does an empty chain. Never rejects. */
export async function decide(approvers: readonly Approver[], request: ApprovalRequest, signal: AbortSignal, log: Logger): Promise<Decision | "pass"> {
  for (const approver of approvers) {
    try {
      const decision = await approver(request, signal);
      if (decision !== "pass") return isDecision(decision) ? decision : { kind: "deny", by: "approver", reason: `An approver gave no readable answer, so "${request.tool}" was not run.` };
    } catch (cause) {
      log.error(`An approver threw; "${request.tool}" is denied.`, { cause, callId: request.callId });
      return { kind: "deny", by: "approver", reason: `The approval could not be decided (${cause instanceof Error ? cause.message : String(cause)}), so "${request.tool}" was not run.` };
    }
  }
  return "pass";
}

function isDecision(value: unknown): value is Decision {
  return typeof value === "object" && value !== null && "kind" in value && (value.kind === "allow" || value.kind === "deny");
}

/** What a yes is bound to. */
export function digestOf(call: { readonly tool: string; readonly args: JsonObject; readonly cwd: string; readonly risk: Risk }): string {
  const { tool, args, cwd, risk } = call;
  const { answer, key, reasons, effects, rule } = risk;
  const text = canonicalText({ tool, args, cwd, risk: { answer, key, reasons, effects, ...(rule === undefined ? {} : { rule }) } });
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}

/** Two risks of one call as one: asked about together, remembered only together. */
export function joinRisks(first: Risk | undefined, second: Risk | undefined): Risk | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    answer: first.answer === "block" || second.answer === "block" ? "block" : "ask",
    key: `${first.key} + ${second.key}`,
    reasons: [...first.reasons, ...second.reasons],
    effects: [...first.effects, ...second.effects],
  };
}
