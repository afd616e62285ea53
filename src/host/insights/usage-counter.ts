import type { Usage } from "../../contract/providers/model.ts";
import { wallDay, wallTime } from "../../contract/common/wall-time.ts";
import type { UsageFact } from "../store/service/usage-facts.ts";
import { noTokens, plus, type Counts } from "./token-counts.ts";

/** A session as its facts were counted so far. */
export interface SessionUsage {
  readonly surface: string;
  readonly parentId: string | null;
  /** Facts up to this one are copies of the parent's, which count there. */
  readonly copiedTo: number;
  readonly isSubagent: boolean;
  title: string | undefined;
  model: string;
  turnStartedAt: number | undefined;
  turns: number;
  toolCalls: number;
  readonly counts: Counts;
}

/** The running sums over all sessions. */
export class UsageCounter {
  readonly sums = { turns: 0, messages: 0, requests: 0, toolCalls: 0, failedCalls: 0, unpriced: 0, activeMs: 0 };
  readonly total = noTokens();
  readonly models = new Map<string, { requests: number; readonly counts: Counts }>();
  readonly tools = new Map<string, { calls: number; failed: number; totalMs: number }>();
  readonly hours = Array.from({ length: 24 }, () => 0);
  /** Monday first. */
  readonly weekdays = Array.from({ length: 7 }, () => 0);
  readonly byDay = new Map<string, number>();
  readonly #timeZone: string;
  /** Model of a request, and tool of a call: their ids are unique in their session only. */
  readonly #asked = new Map<string, string>();
  readonly #called = new Map<string, string>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** Adds one fact of the period. */
  count(session: SessionUsage, fact: UsageFact): void {
    switch (fact.type) {
      case "turn.started":
        return this.#turnStarted(session, fact.at);
      case "turn.ended":
        if (session.turnStartedAt !== undefined && !session.isSubagent)
          this.sums.activeMs += Math.max(0, fact.at - session.turnStartedAt);
        session.turnStartedAt = undefined;
        return;
      case "message.added":
        if (fact.origin === "person" && !session.isSubagent) this.sums.messages += 1;
        return;
      case "model.asked":
        session.model = fact.model ?? session.model;
        this.#asked.set(`${fact.sessionId} ${fact.requestId}`, session.model);
        return;
      case "model.answered": {
        this.sums.requests += 1;
        if (fact.costUsd === null) this.sums.unpriced += 1;
        const model = this.#asked.get(`${fact.sessionId} ${fact.requestId}`) ?? session.model;
        return this.#usage(session, model, fact);
      }
      case "context.compacted":
        return this.#usage(session, session.model, fact);
      case "tool.called":
        return this.#toolCalled(session, fact);
      case "tool.settled":
        return this.#toolSettled(fact);
    }
  }

  #turnStarted(session: SessionUsage, at: number): void {
    session.turnStartedAt = at;
    session.turns += 1;
    if (session.isSubagent) return;
    this.sums.turns += 1;
    const time = wallTime(at, this.#timeZone);
    this.hours[time.hour]! += 1;
    // `Date` numbers the days from Sunday.
    this.weekdays[(new Date(Date.UTC(time.year, time.month - 1, time.day)).getUTCDay() + 6) % 7]! += 1;
    this.byDay.set(wallDay(time), (this.byDay.get(wallDay(time)) ?? 0) + 1);
  }

  #usage(session: SessionUsage, model: string, { type, usage, costUsd }: UsageFact): void {
    if (usage === null) return;
    const row = this.models.get(model) ?? { requests: 0, counts: noTokens() };
    row.requests += type === "model.answered" ? 1 : 0;
    this.models.set(model, row);
    for (const counts of [this.total, row.counts, session.counts]) plus(counts, JSON.parse(usage) as Usage, costUsd);
  }

  #toolCalled(session: SessionUsage, fact: UsageFact): void {
    const tool = fact.tool ?? "";
    const row = this.tools.get(tool) ?? { calls: 0, failed: 0, totalMs: 0 };
    row.calls += 1;
    this.tools.set(tool, row);
    this.#called.set(`${fact.sessionId} ${fact.callId}`, tool);
    this.sums.toolCalls += 1;
    session.toolCalls += 1;
  }

  #toolSettled({ sessionId, callId, outcome, durationMs }: UsageFact): void {
    const row = this.tools.get(this.#called.get(`${sessionId} ${callId}`) ?? "");
    if (row === undefined) return;
    row.totalMs += durationMs ?? 0;
    if (outcome === "ok") return;
    row.failed += 1;
    this.sums.failedCalls += 1;
  }
}
