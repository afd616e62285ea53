import type { Fact } from "../../contract/conversation/fact.ts";
import { toSettled, type SettledOutcome } from "../../contract/tools/outcome.ts";
import { abortable } from "../async/abortable.ts";
import { key, loopRefusal, loopWarning, type LoopDetection, type LoopLimits } from "../turn/loop-detection.ts";
import type { AnswerItem } from "../turn/next-step.ts";
import { onAbort } from "../async/on-abort.ts";
import type { CallRequest, CallSession, JudgeEffect, PlannedCall } from "../ports.ts";
import { isQuiet } from "../approval/quiet.ts";
import { segments, sideBySide } from "./segments.ts";
import { SideGate } from "../approval/parallel-gate.ts";
import { answerFacts, settleFacts } from "./settle.ts";
import type { CallState } from "./call-state.ts";
import type { TurnResources } from "../turn/turn-resources.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** How long a stopped tool may take to end before the turn abandons it. */
const GRACE_MS = 250;

/**
 * Runs the calls of one answer that have no result yet: parallel ones together, all others alone and in order.
 * @returns Notes for the model.
 */
export async function runCalls(
  resources: TurnResources,
  answer: AnswerItem,
  loops: LoopDetection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { config } = resources.ports;
  const refused: Fact[] = [];
  const open: CallState[] = [];
  for (const call of answer.calls.filter(({ outcome }) => outcome === undefined)) {
    const refusal = refusalOf(call, answer, loops, config);
    if (refusal === undefined) open.push(call);
    else refused.push(...answerFacts(call, refusal));
  }
  if (refused.length > 0) await resources.write(refused);

  const plans = await plansOf(resources, open, signal);
  const quiet = new Set(open.filter((call) => plans.get(call)?.parallel === true));
  const { toRun, twins } = apart(answer.calls, open, quiet);
  /**
   * Assessments made now hold for the calls that start now; later calls may find a changed world, so dispatch assesses
   * them again.
   */
  const fresh = new Map<CallState, PlannedCall | undefined>();
  for (const [at, segment] of segments(toRun, (call) => quiet.has(call)).entries()) {
    if (signal.aborted) break;
    const gate = segment.length > 1 ? new SideGate(segment) : undefined;
    if (at === 0)
      for (const call of segment.slice(0, Math.max(1, config.maxParallel))) fresh.set(call, plans.get(call)?.planned);
    await sideBySide(segment, config.maxParallel, (call) => runOne(resources, call, signal, gate, fresh.get(call)));
    fresh.clear();
  }
  const answered = twins.flatMap(({ call, first }) =>
    first.outcome === undefined ? [] : answerFacts(call, first.outcome),
  );
  if (answered.length > 0) await resources.write(answered);
  return warnings(toRun, loops, config.loops);
}

/** Calls of this turn that ended before a crash count too. */
export function recountLoops(answers: readonly AnswerItem[], loops: LoopDetection): void {
  for (const { calls } of answers) warnings(calls, loops, undefined);
}

function refusalOf(
  call: CallState,
  answer: AnswerItem,
  loops: LoopDetection,
  config: TurnResources["ports"]["config"],
): SettledOutcome | undefined {
  if (answer.finish === "length" || answer.finish === "filter") {
    return {
      kind: "failed",
      code: "bad_arguments",
      message: "The answer was cut off before its calls were complete, so none of them was run.",
      hint: "Make fewer calls in one answer, with shorter arguments; write long files in pieces.",
    };
  }
  if (answer.calls.indexOf(call) >= config.maxCallsPerAnswer) {
    return {
      kind: "failed",
      code: "too_many_calls",
      message: `One answer may hold ${config.maxCallsPerAnswer} calls and this one had ${answer.calls.length}; this call was not run.`,
      hint: "Read the results you have, then call again.",
    };
  }
  const message = loopRefusal(call.tool, loops.count(call.tool, call.args!), config.loops);
  if (message === undefined) return undefined;
  return {
    kind: "failed",
    code: "loop",
    message,
    hint: "Change the arguments, take another way, or tell the user what blocks you.",
  };
}

/** Which calls may run side by side, and what was assessed for that. */
async function plansOf(
  resources: TurnResources,
  calls: readonly CallState[],
  signal: AbortSignal,
): Promise<ReadonlyMap<CallState, Awaited<ReturnType<JudgeEffect>>>> {
  if (calls.length < 2) return new Map();
  const session = resources.calls();
  const plans = await abortable(
    Promise.all(
      calls.map(async (call) => [call, await resources.ports.judgeEffect(requestOf(call), session)] as const),
    ),
    signal,
  );
  return new Map(plans);
}

/**
 * Equal calls of one answer run once, unless a call between them may have changed the result. In a resumed answer the
 * first may have ended already.
 * @param calls Of the whole answer.
 * @param open Those without an end.
 * @param quiet Those that change nothing.
 */
function apart(
  calls: readonly CallState[],
  open: readonly CallState[],
  quiet: ReadonlySet<CallState>,
): {
  readonly toRun: readonly CallState[];
  readonly twins: readonly { readonly call: CallState; readonly first: CallState }[];
} {
  const toRun: CallState[] = [];
  const twins: { readonly call: CallState; readonly first: CallState }[] = [];
  const firsts = new Map<string, CallState>();
  for (const call of calls) {
    const isOpen = open.includes(call);
    const first = firsts.get(keyOf(call));
    if (isOpen && first !== undefined) {
      twins.push({ call, first });
      continue;
    }
    if (isOpen ? !quiet.has(call) : !isQuiet(call.called?.effect ?? "none")) firsts.clear();
    firsts.set(keyOf(call), call);
    if (isOpen) toRun.push(call);
  }
  return { toRun, twins };
}

async function runOne(
  resources: TurnResources,
  call: CallState,
  signal: AbortSignal,
  side: SideGate<CallState> | undefined,
  planned: PlannedCall | undefined,
): Promise<void> {
  if (side === undefined) return runOpen(resources, call, signal, planned);
  await side.begin(call);
  try {
    await runOpen(resources, call, signal, planned, () => side.alone(call));
  } finally {
    side.end(call);
  }
}

async function runOpen(
  resources: TurnResources,
  call: CallState,
  signal: AbortSignal,
  planned: PlannedCall | undefined,
  alone?: () => Promise<void>,
): Promise<void> {
  if (signal.aborted) return;
  const gate = gated(resources.calls(), alone, () =>
    resources.ports.log.warning(
      `"${call.tool}" continued after its call "${call.callId}" had ended; its later output is dropped.`,
    ),
  );
  const work = resources.ports
    .dispatch({ ...requestOf(call), besideOthers: alone !== undefined, planned }, gate.session, signal)
    .then(toSettled, (cause: unknown): SettledOutcome => {
      resources.ports.log.error(`The call "${call.callId}" of "${call.tool}" failed outside its tool.`, { cause });
      return {
        kind: "failed",
        code: "crashed",
        message: `The call failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      };
    });
  const outcome = await untilLeft(resources, work, signal);
  if (resources.conflict() !== undefined) throw resources.conflict();
  if (outcome === "left") {
    gate.close();
    await resources.write(settleFacts(call, "it did not stop when asked to."));
  } else if (call.outcome === undefined) await resources.write(answerFacts(call, outcome));
}

/** The work's end, or `left` if it was stopped and did not end within the grace period. */
async function untilLeft<T>(resources: TurnResources, work: Promise<T>, signal: AbortSignal): Promise<T | "left"> {
  const left = Promise.withResolvers<"left">();
  let grace: Disposable | undefined;
  const stop = () => (grace ??= resources.ports.clock.alarm(GRACE_MS, () => left.resolve("left")));
  const listening = onAbort(signal, stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    grace?.[Symbol.dispose]();
    listening[Symbol.dispose]();
  }
}

/** The session as one call sees it, until the call is left behind: what it records later would contradict its end. */
function gated(
  session: CallSession,
  alone: CallSession["alone"],
  late: () => void,
): { readonly session: CallSession; close(): void } {
  let open = true;
  // That a subagent ended contradicts nothing, and what it used counts.
  const record: CallSession["record"] = async (facts) =>
    open || facts.every(({ type }) => type === "subagent.ended") ? session.record(facts) : late();
  const hold: CallSession["hold"] = session.hold && ((facts) => (open ? session.hold!(facts) : late()));
  const live: CallSession["live"] = (live_) => {
    if (open) session.live(live_);
  };
  return {
    session: {
      ...session,
      get untrusted() {
        return session.untrusted; // It changes while the call runs.
      },
      record,
      ...definedFields({ hold }),
      live,
      ...definedFields({ alone }),
    },
    close: () => void (open = false),
  };
}

function requestOf(call: CallState): CallRequest {
  return { turnId: call.turnId, callId: call.callId, tool: call.tool, args: call.args!, by: "model" };
}

function keyOf(call: CallState): string {
  return key(call.tool, call.args!);
}

/** @param limits Absent: only counted. */
function warnings(
  calls: readonly CallState[],
  loops: LoopDetection,
  limits: LoopLimits | undefined,
): readonly string[] {
  return calls.flatMap((call) => {
    const { outcome, called, args } = call;
    if (outcome === undefined || args === undefined || outcome.kind === "cancelled") return [];
    if (outcome.kind === "failed" && outcome.code === "loop") return [];
    const repeats = loops.settled(call.tool, args, outcome, called?.effect ?? "none");
    return (limits === undefined ? undefined : loopWarning(call.tool, repeats, limits)) ?? [];
  });
}
