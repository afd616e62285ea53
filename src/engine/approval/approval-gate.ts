import type { ApprovalRequest, Approver, Decision, Doubt, Risk } from "../../contract/tools/approval.ts";
import type { ApprovalInfo } from "../../contract/plugins/hook.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { decodedPayloads } from "../../safety/text/decoded.ts";
import { makeVisible } from "../../safety/text/visible.ts";
import { classesOf, decide, digestOf, grantsOf, SESSION_GRANTS, sessionApprover } from "./approvers.ts";
import type { RememberingApprover } from "./approvers.ts";
import { decidedByMode, modeOf, timeoutOf } from "./approval-mode.ts";
import { askUser, scopesOf, type UserDecision } from "./approval-prompter.ts";
import { bounded } from "../async/bounded.ts";
import type { Call } from "../dispatch/call.ts";
import { OVER } from "../async/deadline.ts";

const MAX_ROUNDS = 3;
const SURVEY_MS = 1_000;

export type Passed = { readonly kind: "passed"; readonly digest: string | undefined };

/** A call whose risk is known, and how to learn whether it is still the same. */
export interface Assessing {
  readonly risk: Risk | undefined;
  /** Assesses the call again, as `call.assessment`. */
  again(): Promise<Risk | undefined>;
}

/**
 * Puts a call's risk before the approvers. If the approval took time (a user or a model gave it), the call is assessed
 * again right before it runs, and if that finds something else, the user is asked again. Facts about the decision wait
 * in the journal for the batch that starts or settles the call; a question is written before it is asked.
 */
export async function passGate(
  call: Call,
  args: JsonObject,
  assessing: Assessing,
): Promise<Passed | Extract<ToolOutcome, { kind: "denied" }>> {
  let { risk } = assessing;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (risk === undefined) return { kind: "passed", digest: undefined };
    const request = approvalRequest(call, args, risk);
    const { decision, waited } =
      risk.answer === "block" ? { decision: floor(risk), waited: false } : await decideCall(call, request);
    call.journal.add({ type: "approval.given", callId: request.callId, decision });
    if (decision.kind === "deny") return denied(call, decision);
    await keep(call, risk, decision);
    if (!waited) return { kind: "passed", digest: request.digest };
    const again = await assessing.again();
    if (again !== undefined && digestFor(call, args, again) === request.digest)
      return { kind: "passed", digest: request.digest };
    risk = again;
  }
  return denied(call, {
    kind: "deny",
    by: "safety",
    reason: "The effects of this call kept changing while it was being approved, so it was not run.",
  });
}

function digestFor({ entry, session, assessment }: Call, args: JsonObject, risk: Risk): string {
  const { effect, egress } = assessment!;
  return digestOf({ tool: entry.name, args, cwd: session.cwd, risk, effect, egress });
}

function floor(risk: Risk): Decision {
  return {
    kind: "deny",
    by: "safety",
    reason: `Blocked, and no approval can allow it: ${risk.reasons.join(" ") || risk.key}`,
  };
}

function approvalRequest(call: Call, args: JsonObject, risk: Risk): ApprovalRequest {
  const { request, session, entry, ports } = call;
  const tool = entry.name;
  const cwd = session.cwd;
  const shown = (text: string): string => makeVisible(ports.redact(text));
  const subject = subjectOf(args);
  const decoded = decodedPayloads(subject).map(shown);
  return {
    callId: request.callId,
    sessionId: session.sessionId,
    tool,
    subject: shown(subject),
    args,
    cwd,
    risk: risk.commands === undefined ? risk : { ...risk, commands: risk.commands.map(shown) },
    digest: digestFor(call, args, risk),
    subagent: session.subagent === undefined ? undefined : shown(session.subagent.goal),
    decoded: decoded.length === 0 ? undefined : decoded,
  };
}

/** `waited`: someone took time to decide, and what the call would do may have changed meanwhile. */
interface Decided {
  readonly decision: Decision;
  readonly waited: boolean;
}

/** The chain: mode, the user's rules, the session's grants, a model if `approvals.mode` is `smart`, the user. */
async function decideCall(call: Call, request: ApprovalRequest): Promise<Decided> {
  const { ports, session, signal } = call;
  const mode = modeOf((path) => ports.config(path), session.surface, session.yolo);
  const byMode = decidedByMode(mode, request.risk);
  if (byMode !== undefined) return { decision: byMode, waited: false };
  const rules = [...ports.approvers, sessionApprover(() => session.state(SESSION_GRANTS))];
  const byRules = await decide(rules, request, signal, ports.log);
  if (byRules !== "pass" && byRules.kind !== "doubt") return { decision: byRules, waited: false };
  const bySmart =
    mode.mode === "smart" && ports.smart !== undefined && request.risk.fresh === undefined
      ? await decide([watched(call, ports.smart)], request, signal, ports.log)
      : "pass";
  if (bySmart !== "pass" && bySmart.kind !== "doubt") return { decision: bySmart, waited: true };
  if (mode.mode === "deny" || mode.mode === "approve")
    return {
      decision: {
        kind: "deny",
        by: mode.by,
        reason: `"${request.tool}" needs approval (${request.risk.key}), and no one is asked here (${mode.by}), so it was not run. A rule in command_allowlist can allow such a call beforehand.`,
      },
      waited: false,
    };
  const doubt = byRules !== "pass" ? byRules : bySmart === "pass" ? undefined : bySmart;
  return { decision: await asked(call, request, doubt), waited: true };
}

/**
 * Reports the model's decision to observers like a user's; if it leaves the call to the user, the user's decision
 * counts.
 */
function watched(call: Call, smart: Approver): Approver {
  const { hooks } = call.ports;
  return async (request, signal) => {
    const decision = await smart(request, signal);
    if (decision === "pass" || !(hooks.has("pre_approval_request") || hooks.has("post_approval_response")))
      return decision;
    const info = { ...approvalInfo(call, request), surface: "smart" };
    await hooks.observe("pre_approval_request", info);
    await hooks.observe("post_approval_response", {
      ...info,
      choice: decision.kind === "allow" ? "smart_approve" : "smart_deny",
      decision: decision.kind === "doubt" ? { ...decision, kind: "deny" } : decision,
    });
    return decision;
  };
}

async function asked(call: Call, request: ApprovalRequest, doubt: Doubt | undefined): Promise<Decision> {
  const { ports, session, signal, journal, scope } = call;
  const prompter = session.prompter ?? (await ports.absent?.(session.surface));
  const timeoutMs = timeoutOf((path) => ports.config(path), prompter?.atTerminal);
  const counts = prompter === undefined ? [] : await survey(call);
  const whole: ApprovalRequest = counts.length === 0 ? request : { ...request, counts };
  const { risk, digest, decoded } = whole;
  await journal.write({
    type: "approval.asked",
    callId: request.callId,
    risk,
    digest,
    ...(prompter === undefined ? {} : { scopes: scopesOf(request, doubt), timeoutMs }),
    decoded,
    counts: counts.length === 0 ? undefined : counts,
  });
  const info = approvalInfo(call, request);
  await ports.hooks.observe("pre_approval_request", info);
  using _ = scope.deadline?.pause();
  let answered: UserDecision;
  try {
    answered = await askUser(whole, signal, {
      prompter,
      clock: ports.clock,
      timeoutMs,
      doubt,
    });
  } catch (cause) {
    ports.log.error(`The user could not be asked; "${request.tool}" is denied.`, { cause, callId: request.callId });
    answered = {
      decision: {
        kind: "deny",
        by: "approver",
        reason: `The approval failed (${cause instanceof Error ? cause.message : String(cause)}), so "${request.tool}" was not run.`,
      },
      choice: "deny",
    };
  }
  await ports.hooks.observe("post_approval_response", { ...info, ...answered });
  return answered.decision;
}

/**
 * Details that need a look at the disk or a service. If the look fails or takes too long, the dialog opens without
 * them.
 */
async function survey({ assessment, ports, session, request, signal }: Call): Promise<readonly string[]> {
  if (assessment?.survey === undefined) return [];
  const late = new AbortController();
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    const ended = await bounded(assessment.survey(stop), SURVEY_MS, ports.clock);
    return ended.kind === "timeout" ? [] : ended.value.map((line) => makeVisible(ports.redact(line)));
  } catch (cause) {
    ports.log.warning(`The survey of a call of session "${session.sessionId}" failed; the dialog opens without it.`, {
      cause,
      callId: request.callId,
    });
    return [];
  } finally {
    late.abort(OVER);
  }
}

/** Stores an approval that holds longer than this call. If storing fails, this call stays approved. */
async function keep(call: Call, risk: Risk, decision: Extract<Decision, { kind: "allow" }>): Promise<void> {
  const { ports, session, journal } = call;
  if (decision.by !== "person") return;
  if (decision.scope === "session") {
    const grants = grantsOf(session.state(SESSION_GRANTS));
    journal.add({ type: "state.set", key: SESSION_GRANTS, value: [...new Set([...grants, ...classesOf(risk)])] });
  }
  if (decision.scope !== "always" || risk.rule === undefined) return;
  for (const approver of ports.approvers) {
    try {
      await (approver as Partial<RememberingApprover>).remember?.(risk.rule);
    } catch (cause) {
      ports.log.error(`The rule "${risk.rule}" could not be saved; this call is still allowed.`, { cause });
    }
  }
}

function denied(call: Call, decision: Extract<Decision, { kind: "deny" }>): Extract<ToolOutcome, { kind: "denied" }> {
  const { refusal } = call.entry.value.declaration;
  call.journal.refusing = true;
  return {
    kind: "denied",
    by: decision.by,
    reason: decision.reason,
    data: refusal,
  };
}

function approvalInfo(call: Call, { subject, risk }: ApprovalRequest): ApprovalInfo {
  return {
    command: subject,
    description: risk.reasons.join(" "),
    pattern_key: risk.key,
    pattern_keys: [risk.key],
    session_key: call.session.sessionId,
    surface: call.session.surface,
    tool_call_id: call.request.callId,
    risk,
  };
}

/** The text of a call in the dialog: its command or its target, else all arguments. */
function subjectOf(args: JsonObject): string {
  for (const key of ["command", "code", "path", "url"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return JSON.stringify(args);
}
