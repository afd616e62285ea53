import {
  continuation,
  DEFAULT_GOAL_TURNS,
  type Goal,
  GOAL_KEY,
  goalOf,
  storedGoal,
} from "../../../contract/conversation/goal-state.ts";
import type { SlashHost } from "./slash-host.ts";

/** `/goal`: a standing goal that the agent pursues over turns. */

const NONE = "No goal. Set one with: /goal TEXT";
const USAGE = "Usage: /goal TEXT, /goal show|pause|resume|clear or /goal budget TURNS.";

export async function goal(args: string, host: SlashHost): Promise<string> {
  const current = goalOf(host.session().state(GOAL_KEY));
  const budget = /^budget\s+(\S+)$/i.exec(args)?.[1];
  if (budget !== undefined) return setBudget(budget, current, host);
  switch (args.toLowerCase()) {
    case "":
    case "show":
    case "status":
      return current === undefined ? NONE : shown(current);
    case "budget":
      return USAGE;
    case "pause":
      if (current?.status !== "active") return current === undefined ? NONE : `It is not active. ${shown(current)}`;
      await store({ ...current, status: "paused", reason: "paused by you" }, host);
      return "⏸ Goal paused. The running turn ends normally; /goal resume continues.";
    case "clear":
      if (current === undefined) return NONE;
      await host.session().setState(GOAL_KEY, null);
      await host.app.agents.forgetGoal(host.session().id);
      return "Goal cleared.";
    case "resume":
      return current === undefined ? NONE : resume(current, host);
    default:
      return set(args, host);
  }
}

async function set(text: string, host: SlashHost): Promise<string> {
  const limit = host.app.config.get("goals.max_turns");
  const maxTurns = typeof limit === "number" && limit > 0 ? limit : DEFAULT_GOAL_TURNS;
  await store({ goal: text, status: "active", turnsUsed: 0, maxTurns }, host);
  const session = host.session();
  const reply = `Goal set, with a budget of ${maxTurns} turns. /goal shows it; your messages come first.`;
  return begin(session.send(text, { inputId: host.asInput?.inputId }), reply, host);
}

async function resume(current: Goal, host: SlashHost): Promise<string> {
  if (current.status === "active" && host.session().busy) return `It is active. ${shown(current)}`;
  const fresh: Goal = { goal: current.goal, status: "active", turnsUsed: 1, maxTurns: current.maxTurns };
  await store(fresh, host);
  const end = host.session().send(continuation(fresh), { origin: "system", inputId: host.asInput?.inputId });
  return begin(end, `Goal resumed, with a new budget of ${fresh.maxTurns} turns.`, host);
}

async function setBudget(text: string, current: Goal | undefined, host: SlashHost): Promise<string> {
  if (current === undefined) return NONE;
  const maxTurns = Number(text);
  if (!Number.isInteger(maxTurns) || maxTurns < 1) return "Usage: /goal budget TURNS, a whole number from 1.";
  await store({ ...current, maxTurns }, host);
  return `The budget is now ${maxTurns} turns, of which ${current.turnsUsed} are used.`;
}

/** Stores the goal, and where a later process finds its chat. */
async function store(goal: Goal, host: SlashHost): Promise<void> {
  const session = host.session();
  await session.setState(GOAL_KEY, storedGoal(goal));
  const { scope, from } = host.background ?? {};
  if (from === undefined) return;
  if (goal.status === "active")
    await host.app.agents.noteGoal({ id: session.id, prompt: goal.goal, surface: host.surface, scope, from });
  else await host.app.agents.forgetGoal(session.id);
}

/** A chat answers the command's message with the turn; elsewhere the turn shows itself. */
async function begin(end: Promise<unknown>, reply: string, host: SlashHost): Promise<string> {
  end.catch((cause: unknown) => host.app.log.error("A turn for a goal failed", { cause }));
  if (host.asInput !== undefined) host.asInput.begun(end as Parameters<typeof host.asInput.begun>[0]);
  return reply;
}

function shown({ goal, status, turnsUsed, maxTurns, reason }: Goal): string {
  const mark = { active: "●", paused: "⏸", done: "✓" }[status];
  return [
    `${mark} Goal (${status}, ${turnsUsed} of ${maxTurns} turns): ${goal}`,
    ...(reason === undefined || reason === "" ? [] : [`  ${reason}`]),
  ].join("\n");
}
