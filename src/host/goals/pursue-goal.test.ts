import assert from "node:assert/strict";
import { test } from "node:test";
import { GOAL_KEY, goalNote, goalOf, storedGoal, type Goal } from "../../contract/conversation/goal-state.ts";
import { memoryStore, quietLog, scriptedModel } from "../../testing/index.ts";
import { realClock } from "../../testing/real-clock.ts";
import { sequentialIds } from "../../testing/sequential-ids.ts";
import { testSession, type TestSession } from "../../testing/test-session.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { verdictOf } from "./judge-goal.ts";
import { pursueGoal } from "./pursue-goal.ts";

const GOAL: Goal = { goal: "three eggs", status: "active", turnsUsed: 0, maxTurns: 3 };

/** A session whose goal is judged with these answers. */
async function pursued(
  verdicts: readonly string[],
  how: { readonly answers?: number; readonly store?: TestSession["store"]; readonly sessionId?: string } = {},
) {
  const answers = Array.from({ length: how.answers ?? 8 }, (_, index) => ({ text: `Egg ${index + 1}.` }));
  const agent = await testSession({ model: scriptedModel(answers), store: how.store, sessionId: how.sessionId });
  const judge = scriptedModel(verdicts.map((text) => ({ text })));
  const store = agent.store;
  pursueGoal(agent.session, {
    log: quietLog(),
    clock: realClock(),
    config: () => undefined,
    model: async () => ({ client: judge, model: "judge", provider: "test" }) as never,
    facts: (sessionId) => store.read(sessionId),
  });
  const goal = (): Goal | undefined => goalOf(agent.session.state(GOAL_KEY));
  return {
    agent,
    judge,
    goal,
    ends: (status: Goal["status"]) => waitFor(() => goal()?.status === status, {}),
    notes: () => agent.facts().flatMap((fact) => goalNote(fact) ?? []),
  };
}

const NO = '{"done": false, "reason": "two are missing"}';
const YES = 'I think:\n```json\n{"done": true, "reason": "there are three"}\n```';

// field: C12
test("pursues a goal over turns until the judge finds it reached", async () => {
  const { agent, judge, goal, ends, notes } = await pursued([NO, NO, YES]);
  await using _ = agent;
  await agent.session.setState(GOAL_KEY, storedGoal(GOAL));
  await agent.session.send("three eggs");
  await ends("done");
  assert.deepEqual(notes(), [
    "↻ Goal not reached yet (turn 1 of 3): two are missing",
    "↻ Goal not reached yet (turn 2 of 3): two are missing",
    "✓ Goal reached: there are three",
  ]);
  assert.equal(goal()?.turnsUsed, 2);
  const origins = agent.facts().flatMap((fact) => (fact.type === "message.added" ? [fact.origin] : []));
  assert.deepEqual(origins, ["person", "system", "system"]);
  assert.match(JSON.stringify(judge.requests.at(-1)), /three eggs[^]*Egg 3\./);
});

test("pauses when the turn budget is used up", async () => {
  const { agent, ends, notes } = await pursued(Array.from({ length: 6 }, () => NO));
  await using _ = agent;
  await agent.session.setState(GOAL_KEY, storedGoal({ ...GOAL, maxTurns: 1 }));
  await agent.session.send("three eggs");
  await ends("paused");
  assert.match(
    notes().at(-1)!,
    /^⏸ Goal paused: its budget of 1 turns is used\. Last verdict: two are missing\. \/goal/,
  );
});

test("pauses after three unclear verdicts, and when a turn is stopped", async () => {
  const { agent, ends, notes, goal } = await pursued(["maybe", "who knows", "42"]);
  await using _ = agent;
  await agent.session.setState(GOAL_KEY, storedGoal({ ...GOAL, maxTurns: 9 }));
  await agent.session.send("three eggs");
  await ends("paused");
  assert.match(notes().at(-1)!, /the judge gave 3 unclear answers/);
  assert.equal(goal()?.turnsUsed, 2);
});

test("a user's message goes before the next turn of the goal", async () => {
  const { agent, ends } = await pursued([YES]);
  await using _ = agent;
  await agent.session.setState(GOAL_KEY, storedGoal(GOAL));
  const first = agent.session.send("three eggs");
  const second = agent.session.send("and salt");
  await Promise.all([first, second]);
  await ends("done");
  const origins = agent.facts().flatMap((fact) => (fact.type === "message.added" ? [fact.origin] : []));
  assert.deepEqual(origins, ["person", "person"], "judged once, after both");
});

// field: C12
test("a new process continues a goal whose verdict was stored, but whose next turn was not started", async () => {
  const store = memoryStore({ clock: realClock() });
  {
    const ids = sequentialIds();
    const before = (kind: string): string => `before_${ids(kind)}`;
    await using agent = await testSession({ model: scriptedModel([{ text: "Egg 1." }]), store, ids: before });
    const { turnId } = await agent.session.send("three eggs");
    await agent.session.setState(GOAL_KEY, storedGoal({ ...GOAL, turnsUsed: 1, judged: turnId }));
  }
  const { agent, ends, notes } = await pursued([YES], { store, sessionId: "session_1" });
  await using _ = agent;
  await ends("done");
  assert.deepEqual(notes(), ["✓ Goal reached: there are three"]);
  const origins = agent.facts().flatMap((fact) => (fact.type === "message.added" ? [fact.origin] : []));
  assert.deepEqual(origins, ["person", "system"], "one turn, not judged twice");
});

test("finds a verdict inside other text, and returns none if there is none", () => {
  assert.deepEqual(verdictOf('{"a": 1} {"done": false}'), { kind: "continue", reason: "" });
  for (const text of ["", "done", '{"done": "yes"}', "{done: true}"])
    assert.deepEqual(verdictOf(text), { kind: "unreadable" }, text);
});
