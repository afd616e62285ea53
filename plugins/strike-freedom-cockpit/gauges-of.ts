import type { SessionSummary } from "hermes-agent/plugin";

export interface Gauge {
  readonly name: "sessions" | "turns" | "calls" | "tokens";
  /** Counts of the last 24 hours (`day`) and the last seven days (`week`). */
  readonly day: number;
  readonly week: number;
}

const DAY_MS = 86_400_000;

export function gaugesOf(
  sessions: readonly Pick<SessionSummary, "lastAt" | "turns" | "toolCalls" | "inputTokens" | "outputTokens">[],
  now: number,
): readonly Gauge[] {
  const since = (days: number): typeof sessions => sessions.filter(({ lastAt }) => lastAt > now - days * DAY_MS);
  const [day, week] = [since(1), since(7)];
  const sum = (of: typeof sessions, amount: (session: (typeof sessions)[number]) => number): number =>
    of.reduce((total, session) => total + amount(session), 0);
  const gauge = (name: Gauge["name"], amount: (session: (typeof sessions)[number]) => number): Gauge => ({
    name,
    day: sum(day, amount),
    week: sum(week, amount),
  });
  return [
    gauge("sessions", () => 1),
    gauge("turns", ({ turns }) => turns),
    gauge("calls", ({ toolCalls }) => toolCalls),
    gauge("tokens", ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
  ];
}
