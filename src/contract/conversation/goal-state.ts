import { isObject } from "../common/is-object.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { Fact } from "./fact.ts";

/** The session's standing goal is this key of its state. */
export const GOAL_KEY = "goal";

export const DEFAULT_GOAL_TURNS = 20;

/** A goal that the agent pursues over turns, until a judge finds it reached. */
export interface Goal {
  readonly goal: string;
  readonly status: "active" | "paused" | "done";
  /** Turns that the agent started for it since it was set or resumed. */
  readonly turnsUsed: number;
  /** Budget of such turns. */
  readonly maxTurns: number;
  /** The last turn that was judged. */
  readonly judged?: string;
  /** Why it is in this status. */
  readonly reason?: string;
  /** The last verdicts of the judge that were unreadable, or did not come, without one between them. */
  readonly unreadable?: number;
  readonly unanswered?: number;
  /** What user interfaces show about this change. */
  readonly note?: string;
}

/** The stored state as a goal; `undefined` if there is none. */
export function goalOf(value: Json | undefined): Goal | undefined {
  if (!isObject(value) || typeof value["goal"] !== "string") return undefined;
  const number = (key: string, or: number): number => {
    const given = (value as JsonObject)[key];
    return typeof given === "number" ? given : or;
  };
  const text = (key: string): string | undefined => {
    const given = (value as JsonObject)[key];
    return typeof given === "string" ? given : undefined;
  };
  const status = text("status");
  return {
    goal: value["goal"],
    status: status === "active" || status === "done" ? status : "paused",
    turnsUsed: number("turnsUsed", 0),
    maxTurns: number("maxTurns", DEFAULT_GOAL_TURNS),
    judged: text("judged"),
    reason: text("reason"),
    unreadable: number("unreadable", 0),
    unanswered: number("unanswered", 0),
  };
}

/** A goal as it is stored. */
export function storedGoal(goal: Goal): JsonObject {
  return JSON.parse(JSON.stringify(goal)) as JsonObject;
}

/** What a surface shows when Hermes changes the goal; `undefined` for all other facts. */
export function goalNote(fact: Fact): string | undefined {
  if (fact.type !== "state.set" || fact.key !== GOAL_KEY || !isObject(fact.value)) return undefined;
  const note = fact.value["note"];
  return typeof note === "string" ? note : undefined;
}

/** The message that starts the next turn for a goal. */
export function continuation({ goal }: Goal): string {
  return `[The user's standing goal is not reached yet]\nGoal: ${goal}\n\nTake the next concrete step. If the goal is reached, say so, show the evidence and stop. If you need the user, say what you need and stop.`;
}
