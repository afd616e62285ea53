import type { Insights, InsightsQuery } from "../../contract/services/insights.ts";
import type { Usage } from "../../contract/providers/model.ts";
import { wallDay, wallTime } from "../../contract/common/wall-time.ts";
import type { UsageFact } from "../store/service/usage-facts.ts";
import { counted, noTokens, plus, type Counts } from "./token-counts.ts";

const DAY_MS = 86_400_000;
const LARGEST = 5;

interface SessionUsage {
  surface: string;
  parentId: string | null;
  /** Facts up to this one are copies of the parent's, which count there. */
  copiedTo: number;
  isSubagent: boolean;
  title: string | undefined;
  model: string;
  turnStartedAt: number | undefined;
  turns: number;
  toolCalls: number;
  active: boolean;
  counts: Counts;
}

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
  const sums = { turns: 0, messages: 0, requests: 0, toolCalls: 0, failedCalls: 0, unpriced: 0, activeMs: 0 };
  const total = noTokens();
  const models = new Map<string, { requests: number; counts: Counts }>();
  const tools = new Map<string, { calls: number; failed: number; totalMs: number }>();
  const hours = Array.from({ length: 24 }, () => 0);
  const weekdays = Array.from({ length: 7 }, () => 0);
  const byDay = new Map<string, number>();
  const asked = new Map<string, string>();
  const called = new Map<string, string>();

  const surfaceOf = (session: SessionUsage): string => {
    // A subagent works for the surface of the session that started it.
    for (let at = session, steps = 0; ; steps++) {
      const parent = at.isSubagent && at.parentId !== null && steps < 64 ? sessions.get(at.parentId) : undefined;
      if (parent === undefined) return at.surface;
      at = parent;
    }
  };

  const countUsage = (session: SessionUsage, model: string, usage: Usage, costUsd: number | null): void => {
    const row = models.get(model) ?? { requests: 0, counts: noTokens() };
    row.requests += 1;
    models.set(model, row);
    for (const counts of [total, row.counts, session.counts]) plus(counts, usage, costUsd);
  };

  const countFact = (session: SessionUsage, fact: UsageFact): void => {
    session.active = true;
    switch (fact.type) {
      case "turn.started": {
        session.turnStartedAt = fact.at;
        session.turns += 1;
        if (session.isSubagent) return;
        sums.turns += 1;
        const time = wallTime(fact.at, ports.timeZone);
        hours[time.hour]! += 1;
        // 0 is Sunday for `Date`.
        weekdays[(new Date(Date.UTC(time.year, time.month - 1, time.day)).getUTCDay() + 6) % 7]! += 1;
        byDay.set(wallDay(time), (byDay.get(wallDay(time)) ?? 0) + 1);
        return;
      }
      case "turn.ended":
        if (session.turnStartedAt !== undefined && !session.isSubagent)
          sums.activeMs += Math.max(0, fact.at - session.turnStartedAt);
        session.turnStartedAt = undefined;
        return;
      case "message.added":
        if (fact.origin === "person" && !session.isSubagent) sums.messages += 1;
        return;
      case "model.asked":
        session.model = fact.model ?? session.model;
        asked.set(`${fact.sessionId} ${fact.requestId}`, session.model);
        return;
      case "model.answered":
        sums.requests += 1;
        if (fact.costUsd === null) sums.unpriced += 1;
        countUsage(
          session,
          asked.get(`${fact.sessionId} ${fact.requestId}`) ?? session.model,
          JSON.parse(fact.usage ?? "{}") as Usage,
          fact.costUsd,
        );
        return;
      case "context.compacted":
        if (fact.usage !== null) countUsage(session, session.model, JSON.parse(fact.usage) as Usage, fact.costUsd);
        return;
      case "tool.called": {
        const tool = fact.tool ?? "";
        const row = tools.get(tool) ?? { calls: 0, failed: 0, totalMs: 0 };
        row.calls += 1;
        tools.set(tool, row);
        called.set(`${fact.sessionId} ${fact.callId}`, tool);
        sums.toolCalls += 1;
        session.toolCalls += 1;
        return;
      }
      case "tool.settled": {
        const row = tools.get(called.get(`${fact.sessionId} ${fact.callId}`) ?? "");
        if (row === undefined) return;
        row.totalMs += fact.durationMs ?? 0;
        if (fact.outcome === "ok") return;
        row.failed += 1;
        sums.failedCalls += 1;
      }
    }
  };

  for await (const fact of ports.facts(fromAt)) {
    const session = sessions.get(fact.sessionId) ?? newSession(fact);
    sessions.set(fact.sessionId, session);
    if (fact.type === "session.titled") session.title = ports.mask(fact.title ?? "");
    if (fact.at < fromAt || fact.seq <= copiedIn(session, sessions)) continue;
    if (query.surface !== undefined && surfaceOf(session) !== query.surface) continue;
    countFact(session, fact);
  }

  // A tool called by hand leaves a session without a turn.
  const talked = [...sessions].filter(([, { active, turns, isSubagent }]) => active && turns > 0 && !isSubagent);
  const surfaces = new Map<string, { sessions: number; turns: number }>();
  for (const [, { surface, turns }] of talked) {
    const row = surfaces.get(surface) ?? { sessions: 0, turns: 0 };
    surfaces.set(surface, { sessions: row.sessions + 1, turns: row.turns + turns });
  }
  return {
    days,
    fromAt,
    untilAt: ports.now,
    surface: query.surface,
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
    active: false,
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
