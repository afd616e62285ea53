import type { ApprovalRequest, Decision, Risk } from "../contract/approval.ts";
import type { Fact } from "../contract/fact.ts";
import type { ApprovalInfo } from "../contract/hook.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ToolOutcome } from "../contract/outcome.ts";
import { makeVisible } from "../safety/visible.ts";
import { classesOf, decide, digestOf, grantsOf, personApprover, SESSION_GRANTS, sessionApprover } from "./approval.ts";
import type { RememberingApprover } from "./approval.ts";
import type { Call } from "./call.ts";

const DEFAULT_TIMEOUT_S = 60;
const MAX_ROUNDS = 3;

export type Passed = { readonly kind: "passed"; readonly digest: string | undefined };

/**
 * Puts a call's risk before the approvers. After a yes the risk is judged again: what changed meanwhile is asked about anew.
 * Facts of what was decided wait in the journal for the batch that starts or settles the call; a question is written before it is asked.
 */
export async function passGate(call: Call, args: JsonObject, judge: () => Promise<Risk | undefined>): Promise<Passed | Extract<ToolOutcome, { kind: "denied" }>> {
  let risk = await judge();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (risk === undefined) return { kind: "passed", digest: undefined };
    if (risk.answer === "block") return denied(call, { kind: "deny", by: "safety", reason: `Blocked, and no approval can allow it: ${sentence(risk)}` });
    const request = approvalRequest(call, args, risk);
    const decision = await decideCall(call, request);
    call.journal.add({ type: "approval.given", callId: request.callId, decision });
    if (decision.kind === "deny") return denied(call, decision);
    await keep(call, risk, decision);
    const again = await judge();
    if (again !== undefined && digestOf({ ...request, risk: again }) === request.digest) return { kind: "passed", digest: request.digest };
    risk = again;
  }
  return denied(call, { kind: "deny", by: "safety", reason: "What the call would do kept changing while it was being approved, so it was not run." });
}

function approvalRequest(call: Call, args: JsonObject, risk: Risk): ApprovalRequest {
  const { request, session, entry, ports } = call;
  const tool = entry.name;
  const cwd = session.cwd;
  return {
    callId: request.callId,
    sessionId: session.sessionId,
    tool,
    subject: makeVisible(ports.redact(subjectOf(args))),
    args,
    cwd,
    risk,
    digest: digestOf({ tool, args, cwd, risk }),
  };
}

async function decideCall(call: Call, request: ApprovalRequest): Promise<Decision> {
  const { ports, session, signal } = call;
  if (session.yolo) return { kind: "allow", scope: "once", by: "yolo" };
  if (ports.config("approvals.mode") === "off") return { kind: "allow", scope: "once", by: "approvals.mode: off" };
  const early = await decide([...ports.approvers, sessionApprover(() => session.state(SESSION_GRANTS))], request, signal, ports.log);
  return early === "pass" ? askPerson(call, request) : early;
}

async function askPerson(call: Call, request: ApprovalRequest): Promise<Decision> {
  const { ports, session, signal, journal, scope } = call;
  const asked: Fact = { type: "approval.asked", callId: request.callId, risk: request.risk, digest: request.digest };
  await journal.write(asked);
  const info = approvalInfo(call, request);
  await ports.hooks.observe("pre_approval_request", info);
  const seconds = ports.config("approvals.timeout");
  const timeoutMs = (typeof seconds === "number" && seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1000;
  using _ = scope.deadline?.pause();
  const decision = await decide([personApprover({ person: session.person, clock: ports.clock, timeoutMs })], request, signal, ports.log);
  const final: Decision = decision === "pass" ? { kind: "deny", by: "nobody", reason: "Nobody decided." } : decision;
  await ports.hooks.observe("post_approval_response", { ...info, choice: final.kind === "allow" ? final.scope : "deny", decision: final });
  return final;
}

/** A yes that holds longer than this call. One that cannot be kept is still a yes for this call. */
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
      ports.log.error(`The rule "${risk.rule}" could not be kept; this call is still allowed.`, { cause });
    }
  }
}

function denied(call: Call, decision: Extract<Decision, { kind: "deny" }>): Extract<ToolOutcome, { kind: "denied" }> {
  const { refusal } = call.entry.value.declaration;
  return { kind: "denied", by: decision.by, reason: decision.reason, ...(refusal === undefined ? {} : { data: refusal }) };
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

function sentence(risk: Risk): string {
  return risk.reasons.join(" ") || risk.key;
}

/** The one text of a call that a person reads: its command or what it acts on, else all arguments. */
function subjectOf(args: JsonObject): string {
  for (const key of ["command", "code", "path", "url"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return JSON.stringify(args);
}
