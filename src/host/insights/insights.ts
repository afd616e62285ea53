import type { Insights, InsightsQuery } from "../../contract/services/insights.ts";
import type { UsageFact } from "../store/service/usage-facts.ts";
import { counted, noTokens } from "./token-counts.ts";
import { UsageCounter, type SessionUsage } from "./usage-counter.ts";

const DAY_MS = 86_400_000;
const LARGEST = 5;

/**
 * Counts the usage of the last days from the facts of that time.
 * @param ports.timeZone IANA name; "" is this machine's zone.
 */
export async function readInsights(
  query: InsightsQuery,
  ports: {
    readonly facts: (fromAt: number) => AsyncIterable<UsageFact>;
    readonly now: number;
    readonly timeZone: string;
    readonly mask: (text: string) => string;
  },
): Promise<Insights> {
  const days = query.days ?? 30;
  const fromAt = ports.now - days * DAY_MS;
  const sessions = new Map<string, SessionUsage>();
  const counter = new UsageCounter(ports.timeZone);
  for await (const fact of ports.facts(fromAt)) {
    const session = sessions.get(fact.sessionId) ?? newSession(fact);
    sessions.set(fact.sessionId, session);
    if (fact.type === "session.titled") session.title = ports.mask(fact.title ?? "");
    if (fact.at < fromAt || fact.seq <= copiedIn(session, sessions)) continue;
    if (query.surface !== undefined && surfaceOf(session, sessions) !== query.surface) continue;
    counter.count(session, fact);
  }
  return { days, fromAt, untilAt: ports.now, surface: query.surface, ...sumUp(counter, sessions) };
}

function sumUp(
  counter: UsageCounter,
  sessions: ReadonlyMap<string, SessionUsage>,
): Omit<Insights, "days" | "fromAt" | "untilAt" | "surface"> {
  const { total, sums, models, tools, hours, weekdays, byDay } = counter;
  // A tool called by hand leaves a session without a turn.
  const talked = [...sessions].filter(([, { turns, isSubagent }]) => turns > 0 && !isSubagent);
  const surfaces = new Map<string, { sessions: number; turns: number }>();
  for (const [, { surface, turns }] of talked) {
    const row = surfaces.get(surface) ?? { sessions: 0, turns: 0 };
    surfaces.set(surface, { sessions: row.sessions + 1, turns: row.turns + turns });
  }
  return {
    sessions: talked.length,
    ...sums,
    ...counted(total),
    models: [...models]
      .map(([model, { requests, counts }]) => ({ model, requests, ...counted(counts) }))
      .toSorted((one, other) => sumOf(other) - sumOf(one)),
    tools: [...tools].map(([tool, row]) => ({ tool, ...row })).toSorted((one, other) => other.calls - one.calls),
    surfaces: [...surfaces]
      .map(([surface, row]) => ({ surface, ...row }))
      .toSorted((one, other) => other.turns - one.turns),
    hours,
    weekdays,
    byDay: [...byDay].map(([day, turns]) => ({ day, turns })).toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    largest: talked
      .map(([id, { title, turns, toolCalls, counts }]) => {
        const { tokens, costUsd } = counted(counts);
        return { id, title, turns, toolCalls, tokens: tokens.input + tokens.output, costUsd };
      })
      .toSorted((one, other) => other.tokens - one.tokens)
      .slice(0, LARGEST),
  };
}

/** A subagent works for the surface of the session that started it. */
function surfaceOf(session: SessionUsage, sessions: ReadonlyMap<string, SessionUsage>): string {
  let at = session;
  for (let steps = 0; at.isSubagent && at.parentId !== null && steps < 64; steps++) {
    const parent = sessions.get(at.parentId);
    if (parent === undefined) break;
    at = parent;
  }
  return at.surface;
}

function newSession(fact: UsageFact): SessionUsage {
  const isSubagent = fact.depth !== null;
  return {
    surface: fact.type === "session.started" ? (fact.surface ?? "unknown") : "unknown",
    parentId: fact.parentId,
    copiedTo: isSubagent ? 0 : (fact.parentSeq ?? 0),
    isSubagent,
    title: undefined,
    model: "unknown",
    turnStartedAt: undefined,
    turns: 0,
    toolCalls: 0,
    counts: noTokens(),
  };
}

/** A branch begins with copies of its parent's facts. They count once: here only if the parent was deleted. */
function copiedIn({ copiedTo, parentId }: SessionUsage, sessions: ReadonlyMap<string, unknown>): number {
  return copiedTo > 0 && parentId !== null && sessions.has(parentId) ? copiedTo : 0;
}

function sumOf({ tokens }: { readonly tokens: { readonly input: number; readonly output: number } }): number {
  return tokens.input + tokens.output;
}
