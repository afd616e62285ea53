import type { Logger } from "../../contract/common/logger.ts";
import type { Recorded } from "../../contract/conversation/fact.ts";
import { continuation, type Goal, GOAL_KEY, goalOf, storedGoal } from "../../contract/conversation/goal-state.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Session, TurnEnd } from "../../contract/conversation/session.ts";
import type { JudgePorts, Verdict } from "./judge-goal.ts";

export interface GoalPorts extends JudgePorts {
  readonly log: Logger;
  /** The session's stored facts. */
  facts(sessionId: string): AsyncIterable<Recorded>;
}

/** An ended turn. */
type Ended = Pick<TurnEnd, "turnId" | "reason" | "text" | "detail">;

const MAX_UNREADABLE = 3;
const MAX_UNANSWERED = 5;

/**
 * Pursues the standing goal of a session that shows turns which no user started: judges it after each turn, and starts
 * the next turn while it is not reached. Messages of the user come first. Also continues what a killed process left.
 */
export function pursueGoal(session: Session, ports: GoalPorts): void {
  const stop = new AbortController();
  let text = "";
  let last: Ended | undefined;
  let scheduled = false;
  session.subscribe((event) => {
    if (event.kind !== "fact") return;
    const { fact } = event.recorded;
    if (fact.type === "turn.started") text = "";
    if (fact.type === "model.answered") text = textOf(fact.parts.filter(({ type }) => type === "text"));
    if (fact.type !== "turn.ended") return;
    last = { turnId: fact.turnId, reason: fact.reason, text, detail: fact.detail };
    schedule();
  });
  if (goalOf(session.state(GOAL_KEY))?.status === "active")
    void (async () => {
      last ??= await lastTurn(session.id, ports);
      schedule();
    })().catch(failed);

  function schedule(): void {
    if (scheduled || goalOf(session.state(GOAL_KEY))?.status !== "active") return;
    scheduled = true;
    // Waiting messages of the user have their turns first.
    void session
      .idle()
      .then(async () => {
        scheduled = false;
        if (last !== undefined) await consider(session, last, stop.signal, ports);
      })
      .catch(failed);
  }

  function failed(cause: unknown): void {
    scheduled = false;
    stop.abort(cause);
    ports.log.warning(`The goal of session "${session.id}" is not pursued.`, { cause });
  }
}

async function consider(session: Session, last: Ended, signal: AbortSignal, ports: GoalPorts): Promise<void> {
  const goal = goalOf(session.state(GOAL_KEY));
  if (goal?.status !== "active" || session.interrupted().length > 0) return;
  // A killed process had stored the verdict, but had not started the next turn.
  if (goal.judged === last.turnId) return next(session, goal);
  if (last.reason !== "done") return pause(session, goal, last.detail ?? ENDINGS[last.reason]);
  const { judgeGoal } = await import("./judge-goal.ts");
  const verdict = await judgeGoal({ goal: goal.goal, answer: last.text, sessionId: session.id }, signal, ports);
  // The user changed the goal meanwhile, or wrote: the end of that turn is judged.
  const now = goalOf(session.state(GOAL_KEY));
  if (session.busy || now?.status !== "active" || now.goal !== goal.goal) return;
  await act(session, now, { ...verdict }, last.turnId);
}

const ENDINGS = {
  cancelled: "the turn was stopped",
  failed: "the turn failed",
  limit: "the turn reached its limit of requests",
  budget: "the turn reached its budget",
} as const;

async function act(session: Session, goal: Goal, verdict: Verdict, turnId: string): Promise<void> {
  const judged = { ...goal, judged: turnId };
  switch (verdict.kind) {
    case "done":
      return store(session, { ...judged, status: "done", reason: verdict.reason }, `✓ Goal reached: ${verdict.reason}`);
    case "unreadable": {
      const unreadable = (goal.unreadable ?? 0) + 1;
      if (unreadable < MAX_UNREADABLE)
        return proceed(session, { ...judged, unreadable }, "the judge's answer was unclear");
      return pause(
        session,
        judged,
        `the judge gave ${unreadable} unclear answers; auxiliary.goal_judge sets its model`,
      );
    }
    case "unanswered": {
      const unanswered = (goal.unanswered ?? 0) + 1;
      if (unanswered < MAX_UNANSWERED) return proceed(session, { ...judged, unanswered }, "the judge did not answer");
      return pause(session, judged, `the judge did not answer ${unanswered} times: ${verdict.reason}`);
    }
    case "continue":
      return proceed(session, { ...judged, unreadable: 0, unanswered: 0 }, verdict.reason);
  }
}

/** Starts the next turn, within the budget. */
async function proceed(session: Session, goal: Goal, reason: string): Promise<void> {
  if (goal.turnsUsed >= goal.maxTurns)
    return pause(session, goal, `its budget of ${goal.maxTurns} turns is used. Last verdict: ${reason}`);
  const turnsUsed = goal.turnsUsed + 1;
  const going = { ...goal, turnsUsed, reason };
  await store(session, going, `↻ Goal not reached yet (turn ${turnsUsed} of ${goal.maxTurns}): ${reason}`);
  return next(session, going);
}

async function next(session: Session, goal: Goal): Promise<void> {
  // Not awaited: the end of the turn is an event.
  session.send(continuation(goal), { origin: "system" }).catch(() => {});
}

function pause(session: Session, goal: Goal, reason: string): Promise<void> {
  const fresh = { unreadable: 0, unanswered: 0 };
  return store(
    session,
    { ...goal, ...fresh, status: "paused", reason },
    `⏸ Goal paused: ${reason.replace(/\.$/, "")}. /goal resume continues, /goal clear drops it.`,
  );
}

function store(session: Session, goal: Goal, note: string): Promise<void> {
  return session.setState(GOAL_KEY, storedGoal({ ...goal, note }));
}

async function lastTurn(sessionId: string, { facts }: GoalPorts): Promise<Ended | undefined> {
  let text = "";
  let ended: Ended | undefined;
  for await (const { fact } of facts(sessionId)) {
    if (fact.type === "turn.started") text = "";
    if (fact.type === "model.answered") text = textOf(fact.parts.filter(({ type }) => type === "text"));
    if (fact.type === "turn.ended") ended = { turnId: fact.turnId, reason: fact.reason, text, detail: fact.detail };
  }
  return ended;
}
