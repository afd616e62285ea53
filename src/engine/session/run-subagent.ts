import type { AgentEvent, Fact, Live } from "../../contract/conversation/fact.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { HookPayload } from "../../contract/plugins/hook.ts";
import { shownOf } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { SubagentResult, SubagentTask } from "../../contract/conversation/subagent.ts";
import type { Call } from "../dispatch/call.ts";
import { Deadline } from "../async/deadline.ts";
import { UntrustedFold } from "../transcript/untrusted-fold.ts";
import { onAbort } from "../async/on-abort.ts";

const PROGRESS_CHARS = 120;

/**
 * Runs part of a call's work in a subagent's session. The call's session stores that it started and how it ended, each
 * before anyone is notified. Stops with the call, which does not wait for anything after the subagent's last fact.
 */
export async function runSubagent(
  call: Call,
  task: SubagentTask,
  signal: AbortSignal,
  outer: Deadline,
): Promise<SubagentResult> {
  const { session, request } = call;
  if (session.openChild === undefined) throw new ToolFailure("unavailable", "Subagents are not available here.");
  signal.throwIfAborted();
  const child = await session.openChild({ callId: request.callId, task, depth: (session.subagent?.depth ?? 0) + 1 });
  try {
    return await drive(call, child, task, signal, outer);
  } catch (cause) {
    await closeChild(call, child);
    throw cause;
  }
}

async function drive(
  call: Call,
  child: Session,
  task: SubagentTask,
  signal: AbortSignal,
  outer: Deadline,
): Promise<SubagentResult> {
  const { ports, request, session } = call;
  const { callId } = request;
  const startedAt = ports.clock.elapsed();
  const goal = ports.redact(task.goal);
  await session.record([{ type: "subagent.started", callId, sessionId: child.id, goal, role: task.role }]);
  const about = { parent_session_id: session.sessionId, child_session_id: child.id, child_role: task.role };
  await ports.hooks.observe("subagent_start", { ...about, child_goal: goal, ...turnOf(call) });

  const late = new AbortController();
  using deadline = new Deadline(
    ports.clock,
    task.timeoutMs ?? 0,
    () => late.abort(new Error(`Its ${Math.round((task.timeoutMs ?? 0) / 1000)} s are over.`)),
    outer,
  );
  const watch = new Watch(
    (text) =>
      session.live({
        type: "subagent.progress",
        callId,
        sessionId: child.id,
        text: ports.redact(text).slice(0, PROGRESS_CHARS),
      }),
    deadline,
  );
  const end = await (async () => {
    using _watching = child.subscribe((event) => {
      if (event.kind === "fact") watch.take(event.recorded.fact);
      const nested = nestedProgress(event, child.id);
      if (nested !== undefined) session.live({ ...nested, callId });
    });
    if (task.timeoutMs !== undefined) deadline.begin();
    return await runTask(child, task, AbortSignal.any([signal, late.signal]));
  })();
  watch[Symbol.dispose]();

  const { usage, costUsd, model } = child.view();
  const durationMs = ports.clock.elapsed() - startedAt;
  const reason = late.signal.aborted && end.reason === "cancelled" ? "timeout" : end.reason;
  watch.mark(call);
  await session.record([
    {
      type: "subagent.ended",
      callId,
      sessionId: child.id,
      reason,
      usage,
      costUsd: costUsd > 0 ? costUsd : undefined,
      durationMs,
    },
  ]);
  const last = afterwards(call, child, {
    ...about,
    child_summary: end.text,
    child_status: STATUS[reason],
    duration_ms: Math.round(durationMs),
    ...turnOf(call),
  });
  if (!signal.aborted) await last;
  return {
    sessionId: child.id,
    reason,
    text: end.text,
    detail: end.detail,
    model: model ?? "",
    requests: end.requests,
    usage,
    durationMs,
    calls: watch.calls,
  };
}

/** What a subagent's event says about its own subagents, for the viewers of this one. */
function nestedProgress(event: AgentEvent, parentId: string): Omit<NestedProgress, "callId"> | undefined {
  if (event.kind === "live")
    return event.live.type === "subagent.progress" ? { nested: { parentId }, ...event.live } : undefined;
  const { fact } = event.recorded;
  if (fact.type !== "subagent.started" && fact.type !== "subagent.ended") return undefined;
  const { sessionId } = fact;
  const news =
    fact.type === "subagent.started"
      ? { goal: fact.goal }
      : { ended: { reason: fact.reason, durationMs: fact.durationMs } };
  return { type: "subagent.progress", sessionId, text: "", nested: { parentId, ...news } };
}

type NestedProgress = Extract<Live, { type: "subagent.progress" }>;

/** In the original's words. */
const STATUS = {
  done: "completed",
  limit: "completed",
  budget: "completed",
  cancelled: "interrupted",
  timeout: "timeout",
  failed: "failed",
} as const;

function turnOf({ request }: Call): { readonly parent_turn_id?: string } {
  return request.turnId === "" ? {} : { parent_turn_id: request.turnId };
}

async function runTask(
  child: Session,
  task: SubagentTask,
  signal: AbortSignal,
): Promise<Pick<Awaited<ReturnType<Session["send"]>>, "reason" | "text" | "detail" | "requests">> {
  try {
    const turn = child.send([{ type: "text", text: task.message }], { origin: "model" });
    const stop = () =>
      void child.interrupt(signal.reason instanceof Error ? signal.reason.message : String(signal.reason));
    using _ = onAbort(signal, stop);
    if (signal.aborted) stop();
    return await turn;
  } catch (cause) {
    return { reason: "failed", text: "", detail: cause instanceof Error ? cause.message : String(cause), requests: 0 };
  }
}

/**
 * After the end: observers are notified, and the child's session is closed with its resources (its shell, its
 * processes).
 */
async function afterwards(call: Call, child: Session, payload: HookPayload<"subagent_stop">): Promise<void> {
  await call.ports.hooks.observe("subagent_stop", payload);
  await closeChild(call, child);
}

async function closeChild({ ports }: Call, child: Session): Promise<void> {
  try {
    await child.close("session_boundary");
  } catch (cause) {
    ports.log.error(`The session "${child.id}" of a subagent could not be closed.`, { cause });
  }
}

/** Reads a subagent's facts as they come: what it does now, what it did, whose words it read. */
class Watch implements Disposable {
  readonly calls: SubagentResult["calls"][number][] = [];
  readonly #report: (text: string) => void;
  readonly #deadline: Deadline;
  readonly #open = new Map<string, Extract<Fact, { type: "tool.called" }>>();
  readonly #asking = new Map<string, Disposable>();
  readonly #untrusted = new UntrustedFold();

  constructor(report: (text: string) => void, deadline: Deadline) {
    this.#report = report;
    this.#deadline = deadline;
  }

  take(fact: Fact): void {
    switch (fact.type) {
      case "message.added":
        return this.#untrusted.message(fact);
      case "model.asked":
        return this.#report("thinking");
      case "tool.called":
        this.#open.set(fact.callId, fact);
        return this.#report(nameOf(fact));
      case "approval.asked":
        this.#asking.set(fact.callId, this.#deadline.pause());
        return this.#report("waits for an approval");
      case "approval.given":
        return this.#answered(fact.callId);
      case "tool.settled": {
        const called = this.#open.get(fact.callId);
        this.#open.delete(fact.callId);
        this.#answered(fact.callId);
        this.#untrusted.settled(fact.outcome, called?.effect);
        this.calls.push({
          tool: called?.tool ?? "",
          argsBytes: Buffer.byteLength(JSON.stringify(called?.args ?? {})),
          resultBytes: Buffer.byteLength(textOf(shownOf(fact.outcome))),
          ok: fact.outcome.kind === "ok",
        });
        return;
      }
      default:
    }
  }

  /** Untrusted content that it read marks the call it worked for. */
  mark({ journal }: Call): void {
    const { state } = this.#untrusted;
    if (state === undefined) return;
    const before = journal.brought;
    journal.brought = {
      sources: [...new Set([...(before?.sources ?? []), ...state.sources])],
      kept: before?.kept === true || state.changed,
    };
  }

  [Symbol.dispose](): void {
    for (const callId of this.#asking.keys()) this.#answered(callId);
  }

  #answered(callId: string): void {
    this.#asking.get(callId)?.[Symbol.dispose]();
    this.#asking.delete(callId);
  }
}

/** `terminal npm test`. */
function nameOf({ tool, args }: Extract<Fact, { type: "tool.called" }>): string {
  const subject = Object.values(args ?? {}).find((value) => typeof value === "string" && value !== "");
  return `${tool} ${typeof subject === "string" ? subject.replaceAll(/\s+/g, " ") : ""}`.trim();
}
