import type { Risk } from "../../contract/tools/approval.ts";
import type { RiskContext } from "../../contract/tools/tool.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { wellFormed } from "../../contract/common/well-formed.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { joinRisks } from "../approval/approvers.ts";
import { guestRisk } from "../approval/guest-risk.ts";
import { passGate } from "../approval/approval-gate.ts";
import { assess, type Assessed } from "../approval/assess.ts";
import { askGuards, refuse, type Guarded } from "../approval/ask-guards.ts";
import { bounded } from "../async/bounded.ts";
import { CallJournal } from "./call-journal.ts";
import type { Call, CallScope, Prepared } from "./call.ts";
import { callInfo, prepare, riskContext } from "./call.ts";
import { canonicalText } from "../arguments/canonical-json.ts";
import { availabilityOf } from "../tools/definitions.ts";
import { toolFinder, unknownTool } from "./find-tool.ts";
import type { ToolFinder } from "./find-tool.ts";
import { denyRuleFor } from "../approval/deny-gate.ts";
import {
  broughtWords,
  fetchedWords,
  untrustedRisk,
  provenanceOf,
  resolveUntrusted,
  signed,
} from "../approval/untrusted-gate.ts";
import { loadTool } from "../tools/load-tool.ts";
import { hintForMissing } from "../arguments/missing-arguments.ts";
import { onAbort } from "../async/on-abort.ts";
import type { CallRequest, CallSession, Dispatch, DispatchPorts } from "../ports.ts";
import { crashed, messageOf, reasonOf, runTool } from "./run-tool.ts";
import { isCompatTool } from "../tools/compat-tool.ts";
import { maskOutcome, outcomeOf } from "./shown-result.ts";
import { isQuiet } from "../approval/quiet.ts";

/** Tools that call tools that call tools: more than this is a loop. */
const MAX_DEPTH = 8;

/**
 * The dispatch pipeline: find → available → decode, coerce, validate → `tool_request` → `pre_tool_call` → assess → deny
 * rules → approvers → run inside `tool_execution` → mask, limit → `transform_tool_result` → `tool.settled` →
 * `post_tool_call`. The outcome is stored before observers receive it, so that a slow observer cannot leave a finished
 * call open after a crash.
 */
export function createDispatch(ports: DispatchPorts): Dispatch {
  const find = toolFinder(ports.tools);
  const dispatch: CallScope["dispatch"] = (request, session, signal, scope) =>
    settleCall(ports, find, request, session, signal, scope);
  const top: CallScope = { depth: 0, deadline: undefined, dispatch };
  return (request, session, signal) => dispatch(request, session, signal, top);
}

async function settleCall(
  ports: DispatchPorts,
  find: ToolFinder,
  request: CallRequest,
  session: CallSession,
  signal: AbortSignal,
  scope: CallScope,
): Promise<ToolOutcome> {
  const journal = new CallJournal(request, session);
  let listening: Disposable | undefined;
  let ended: Ended;
  try {
    ended = await new Promise<Ended>((resolve, reject) => {
      // Guards, checks and middleware that do not listen are not waited for; nothing was run yet, and nothing will be.
      listening = onAbort(signal, () => {
        if (!journal.started && !journal.refusing) resolve(notRun({ kind: "cancelled", reason: reasonOf(signal) }));
      });
      runCall(ports, find, request, session, signal, scope, journal).then(resolve, reject);
    });
  } catch (cause) {
    ports.log.error(`Dispatch of "${journal.tool}" threw.`, { cause, callId: request.callId });
    ended = {
      outcome: { kind: "failed", code: "crashed", message: `Error executing ${journal.tool}: ${messageOf(cause)}` },
      durationMs: 0,
    };
  } finally {
    // Not `using`, which costs a microsecond a call.
    listening?.[Symbol.dispose]();
  }
  // A hook, a limit or a failure's message may have cut a character.
  const outcome = wellFormed(masked(ports, ended.outcome));
  try {
    const output = ports.hooks.has("post_tool_call");
    await journal.settle(outcome, ended.durationMs, output);
    if (output) await reportObservers(ports, request, session, journal, outcome, ended.durationMs);
  } catch (cause) {
    ports.log.error(`The end of the call of "${journal.tool}" could not be stored or reported to hooks.`, {
      cause,
      callId: request.callId,
    });
  }
  return outcome;
}

interface Ended {
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

async function runCall(
  ports: DispatchPorts,
  find: ToolFinder,
  request: CallRequest,
  session: CallSession,
  signal: AbortSignal,
  scope: CallScope,
  journal: CallJournal,
): Promise<Ended> {
  const offered = request.by === "model" ? session.offered : undefined;
  const entry = find(request.tool, offered);
  if (entry === undefined) return notRun(unknownTool(request.tool, ports.tools, offered, ports.filled));
  const { declaration } = entry.value;
  journal.tool = entry.name;
  journal.effect = declaration.effect;
  journal.repeatable = declaration.idempotent;
  const early = refusedEarly(entry.name, signal, scope);
  if (early !== undefined) return notRun(early);

  let tool: Call["tool"];
  try {
    tool = await loadTool(entry.value, entry.name, signal, (text) =>
      session.live({ type: "tool.progress", callId: request.callId, text }),
    );
  } catch (cause) {
    return notRun(notLoaded(ports, entry, signal, cause));
  }
  const call: Call = { ports, request, session, signal, entry, tool, journal, scope, assessment: undefined };
  if (declaration.conditional && !isCompatTool(tool)) {
    const refusal = await unavailable(call);
    if (refusal !== undefined) return notRun(refusal);
  }

  // Hooks without subscribers cost nothing, not even a promise.
  const decoding = prepare(request.args, entry.value, tool);
  const decoded = decoding instanceof Promise ? await decoding : decoding;
  const asked = ports.middlewares.has("tool_request") ? await requested(call, decoded) : decoded;
  journal.args = asked.args;
  if (!asked.ok) return notRun(badArguments(call, asked));

  const guard: Guarded = ports.hooks.has("pre_tool_call")
    ? await askGuards(call, asked)
    : { kind: "go", prepared: asked, risk: undefined };
  if (guard.kind !== "go") return notRun(guard);
  const { prepared } = guard;
  journal.args = prepared.args;
  const checked: Checked = { call, context: riskContext(ports, session), decoded, prepared, guardRisk: guard.risk };
  let passed: Passed;
  try {
    const passing = approve(checked);
    passed = passing instanceof Promise ? await passing : passing;
  } catch (cause) {
    return notRun(notAssessed(call, cause));
  }
  if (passed.kind === "denied") return notRun(passed);
  if (signal.aborted) return notRun({ kind: "cancelled", reason: reasonOf(signal) });

  await journal.begin();
  if (typeof call.assessment?.untrusted === "function") await resolveUntrusted(call);
  const info = callInfo(request, session, entry.name, prepared.args);
  const startedAt = ports.clock.elapsed();
  const ran = await runTool(call, info, (last) =>
    last.args === prepared.args ? prepared.input : sameOrSafe(checked, last.args),
  );
  const durationMs = ports.clock.elapsed() - startedAt;
  const from = broughtWords(call) ?? journal.passedOn ?? fetchedWords(call) ?? provenanceOf(call);
  if (ran.kind !== "output") return { outcome: signed(explained(ran, prepared.misfit), from), durationMs };
  try {
    return { outcome: signed(await outcomeOf(call, info, ran.output, durationMs), from), durationMs };
  } catch (cause) {
    return { outcome: crashed(call, cause), durationMs };
  }
}

function refusedEarly(name: string, signal: AbortSignal, scope: CallScope): ToolOutcome | undefined {
  if (scope.depth > MAX_DEPTH)
    return {
      kind: "failed",
      code: "loop",
      message: `"${name}" was not run: tools may call each other at most ${MAX_DEPTH} levels deep.`,
    };
  return signal.aborted ? { kind: "cancelled", reason: reasonOf(signal) } : undefined;
}

function notLoaded(ports: DispatchPorts, entry: Call["entry"], signal: AbortSignal, cause: unknown): ToolOutcome {
  if (signal.aborted) return { kind: "cancelled", reason: reasonOf(signal) };
  ports.log.error(`The tool "${entry.name}" could not be loaded.`, { cause, owner: entry.owner });
  return { kind: "failed", code: "plugin_gone", message: messageOf(cause) };
}

/** Why the tool cannot run here now; `undefined` if it can. */
async function unavailable({ ports, session, entry }: Call): Promise<ToolOutcome | undefined> {
  const available = await availabilityOf(ports, entry, {
    name: session.surface,
    prompter: session.prompter !== undefined,
  });
  if (available.ok) return undefined;
  return {
    kind: "failed",
    code: "unavailable",
    message: available.reason,
    hint: available.needs === undefined ? undefined : `It needs ${available.needs.join(", ")}.`,
    data: entry.value.declaration.refusal,
  };
}

function badArguments({ entry }: Call, { args, message }: Extract<Prepared, { ok: false }>): ToolOutcome {
  const { input, effect, refusal } = entry.value.declaration;
  const hint = args === undefined ? undefined : hintForMissing(entry.name, args, input, effect);
  return { kind: "failed", code: "bad_arguments", message, hint, data: refusal };
}

/** A call whose arguments are valid and whose guards let it pass. */
interface Checked {
  readonly call: Call;
  /** Shared by all assessments of the call. */
  readonly context: RiskContext;
  /** The arguments as the model wrote them, before middleware and guards. */
  readonly decoded: Prepared;
  readonly prepared: Extract<Prepared, { ok: true }>;
  readonly guardRisk: Risk | undefined;
}

type Passed = Awaited<ReturnType<typeof passGate>>;

/**
 * Assesses the call, then asks deny rules and approvers. Answers without a promise if nothing needs one.
 * @throws if the call cannot be assessed; then it must not run.
 */
function approve(checked: Checked): Passed | Promise<Passed> {
  const { call, decoded, prepared } = checked;
  const { request, session, tool } = call;
  const { planned } = request;
  const seen =
    planned?.tool === tool && prepared === decoded && planned.untrusted === (session.untrusted !== undefined)
      ? take(checked, planned.assessment)
      : look(checked);
  // It may run in parallel because of what the model wrote; middleware and guards may have made another call of it.
  const changed = session.alone !== undefined && request.parentCallId === undefined && prepared !== decoded;
  if (seen !== undefined || changed) return approveRisky(checked, seen, changed);
  const denying = denyRuleFor(call, prepared.args, undefined);
  return denying === undefined ? NOTHING_ASKED : ruledOut(call, denying).then((denied) => denied ?? NOTHING_ASKED);
}

async function approveRisky(
  checked: Checked,
  seen: Risk | undefined | Promise<Risk | undefined>,
  changed: boolean,
): Promise<Passed> {
  const { call, prepared } = checked;
  let risk = seen instanceof Promise ? await seen : seen;
  if (changed && (!isQuiet(call.journal.effect) || risk !== undefined)) {
    await call.session.alone!();
    risk = await look(checked); // The calls that it waited for may have changed what it would do.
  }
  const denying = denyRuleFor(call, prepared.args, risk);
  const denied = denying === undefined ? undefined : await ruledOut(call, denying);
  if (denied !== undefined) return denied;
  return risk === undefined || call.signal.aborted
    ? NOTHING_ASKED
    : passGate(call, prepared.args, { risk, again: async () => look(checked) });
}

/** Assesses the call in its current state. */
function look(checked: Checked): Risk | undefined | Promise<Risk | undefined> {
  const assessment = assessInput(checked, checked.prepared.input);
  return assessment instanceof Promise ? assessment.then((late) => take(checked, late)) : take(checked, assessment);
}

function take({ call, guardRisk }: Checked, assessment: Assessed): Risk | undefined {
  call.assessment = assessment;
  call.journal.effect = assessment.effect;
  call.journal.touched = assessment.touches;
  call.journal.repeatable = call.tool.idempotent ?? isQuiet(assessment.effect);
  const own = joinRisks(assessment.risk, guardRisk);
  return joinRisks(joinRisks(own, untrustedRisk(call, assessment)), guestRisk(call, assessment));
}

/** Without a promise if the tool needs none: a promise costs more than the rest. */
function assessInput({ call, context }: Checked, input: unknown): Assessed | Promise<Assessed> {
  const { ports, session, tool } = call;
  const assessment = assess(tool, input, context, {
    log: ports.log,
    untrusted: session.untrusted !== undefined,
  });
  return assessment instanceof Promise ? inTime(call, "The assessment", assessment) : assessment;
}

/** A call that cannot be assessed does not run. If the tool rejects its arguments, its own message says most. */
function notAssessed(call: Call, cause: unknown): ToolOutcome {
  const { entry, ports, request } = call;
  if (cause instanceof ToolFailure && cause.code === "bad_arguments") {
    const { code, message, hint, data = entry.value.declaration.refusal } = cause;
    return { kind: "failed", code, message, hint, data };
  }
  ports.log.error(`The risk of a call of "${entry.name}" could not be assessed.`, { cause, callId: request.callId });
  return refuse(
    call,
    "safety",
    `The risk of this call could not be assessed (${messageOf(cause)}), so it was not run.`,
  );
}

/** A handler that crashed on arguments that do not match its schema: the hint tells the model what did not match. */
function explained<T extends ToolOutcome>(ended: T, misfit: string | undefined): T {
  return misfit === undefined || ended.kind !== "failed" || ended.code !== "crashed"
    ? ended
    : { ...ended, hint: misfit };
}

const NOTHING_ASKED = { kind: "passed", digest: undefined } as const;

function notRun(outcome: ToolOutcome): Ended {
  return { outcome, durationMs: 0 };
}

/** Arguments as `tool_request` middleware leaves them, held to the schema once more when they changed. */
async function requested(call: Call, prepared: Prepared): Promise<Prepared> {
  const { ports, request, session, entry, tool } = call;
  if (!prepared.ok) return prepared;
  const { args } = prepared;
  const changed: unknown = await inTime(
    call,
    "The tool_request middleware",
    ports.middlewares.run(
      "tool_request",
      { ...callInfo(request, session, entry.name, args), original_args: args },
      async (last) => last.args,
    ),
  );
  if (changed === args) return prepared;
  if (typeof changed !== "object" || changed === null || Array.isArray(changed)) {
    ports.log.warning(
      `A tool_request middleware returned no arguments for "${entry.name}"; the arguments stay unchanged.`,
      {
        callId: request.callId,
      },
    );
    return prepared;
  }
  return prepare(changed as JsonObject, entry.value, tool);
}

/** Time limit of each check before a tool runs. */
const JUDGE_MS = 30_000;

async function inTime<T>(call: Call, what: string, answer: T | Promise<T>): Promise<T> {
  if (!(answer instanceof Promise)) return answer;
  const ended = await bounded(answer, JUDGE_MS, call.ports.clock);
  if (ended.kind === "timeout") throw new Error(`${what} gave no answer within ${JUDGE_MS / 1000} s`);
  return ended.value;
}

/** `tool_execution` middleware may change arguments only to what needs no approval. */
async function sameOrSafe(checked: Checked, args: JsonObject): Promise<unknown> {
  const { call, guardRisk } = checked;
  const prepared = await prepare(args, call.entry.value, call.tool);
  if (!prepared.ok) throw new ToolFailure("bad_arguments", prepared.message);
  if (canonicalText(prepared.args) === canonicalText(checked.prepared.args)) return prepared.input;
  const assessment = await assessInput(checked, prepared.input);
  const strange = call.session.untrusted !== undefined;
  if (
    assessment.risk !== undefined ||
    (strange && (guardRisk ?? untrustedRisk(call, assessment)) !== undefined) ||
    (await denyRuleFor(call, prepared.args, undefined)) !== undefined
  ) {
    throw new ToolFailure(
      "blocked",
      `A middleware changed the arguments of "${call.entry.name}" after the approval, so it was not run.`,
    );
  }
  call.assessment = assessment;
  await resolveUntrusted(call);
  return prepared.input;
}

/** The denial by a rule of `approvals.deny`; `undefined` if no rule covers the call. */
async function ruledOut(
  call: Call,
  denying: Promise<string | undefined>,
): Promise<Extract<ToolOutcome, { kind: "denied" }> | undefined> {
  call.journal.refusing = true;
  const rule = await denying;
  call.journal.refusing = rule !== undefined;
  if (rule === undefined) return undefined;
  const reason = `A rule of the user (approvals.deny: ${rule}) refuses this call, and no approval can allow it. Do not reach the same end another way.`;
  call.journal.add({
    type: "approval.given",
    callId: call.request.callId,
    decision: { kind: "deny", by: "approvals.deny", reason },
  });
  return refuse(call, "approvals.deny", reason);
}

function masked(ports: DispatchPorts, outcome: ToolOutcome): ToolOutcome {
  try {
    return maskOutcome(outcome, (text) => ports.redact(text));
  } catch (cause) {
    ports.log.error("A failed call's message could not be masked.", { cause });
    return {
      kind: "failed",
      code: "crashed",
      message: "The call failed, and its message could not be masked; the log has it.",
    };
  }
}

const STATUS = { ok: "ok", failed: "error", unknown: "error", denied: "blocked", cancelled: "cancelled" } as const;

function reportObservers(
  ports: DispatchPorts,
  request: CallRequest,
  session: CallSession,
  journal: CallJournal,
  outcome: ToolOutcome,
  durationMs: number,
): Promise<void> {
  const result = textOf(shownOf(toSettled(outcome)));
  return ports.hooks.observe("post_tool_call", {
    ...callInfo(request, session, journal.tool, journal.args ?? {}),
    result,
    outcome,
    duration_ms: Math.round(durationMs),
    status: STATUS[outcome.kind],
  });
}
