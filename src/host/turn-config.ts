import type { Json } from "../contract/json.ts";
import type { TurnConfig } from "../engine/ports.ts";

/** How a turn runs, from the settings; seconds there, milliseconds here. */
export function turnConfig(get: (path: string) => Json | undefined, run: { readonly maxTurns?: number } = {}): TurnConfig {
  const number = (path: string, otherwise: number): number => {
    const value = get(path);
    return typeof value === "number" ? value : otherwise;
  };
  return {
    maxRequests: run.maxTurns ?? number("agent.max_turns", 90),
    maxRetries: number("agent.api_max_retries", 3),
    connectMs: number("agent.connect_timeout", 30) * 1000,
    firstEventMs: number("agent.stream_read_timeout", 120) * 1000,
    betweenEventsMs: number("agent.stream_stale_timeout", 120) * 1000,
    totalMs: number("agent.api_timeout", 1800) * 1000,
    loopLimit: get("tool_loop_guardrails.hard_stop_enabled") === false ? Number.POSITIVE_INFINITY : number("tool_loop_guardrails.hard_stop_after.idempotent_no_progress", 3),
    maxCallsPerAnswer: 64,
    maxParallel: 8,
  };
}
