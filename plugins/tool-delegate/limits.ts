import type { Json } from "hermes-agent/plugin";

/** The settings `delegation.*` of this tool. */
export interface Limits {
  readonly maxRequests: number;
  readonly maxChildren: number;
  readonly maxDepth: number;
  readonly orchestrators: boolean;
  readonly timeoutMs: number | undefined;
  readonly maxSummaryChars: number;
}

/** A shorter timeout would end tasks that only wait for a slow model. */
const MIN_SECONDS = 30;

export function limitsOf(config: (path: string) => Json | undefined): Limits {
  const number = (name: string, otherwise: number): number => {
    const value = config(`delegation.${name}`);
    return typeof value === "number" ? value : otherwise;
  };
  const seconds = number("child_timeout_seconds", 0);
  return {
    maxRequests: number("max_iterations", 50),
    maxChildren: number("max_concurrent_children", 3),
    maxDepth: number("max_spawn_depth", 1),
    orchestrators: config("delegation.orchestrator_enabled") !== false,
    timeoutMs: seconds > 0 ? Math.max(MIN_SECONDS, seconds) * 1000 : undefined,
    maxSummaryChars: number("max_summary_chars", 24_000),
  };
}
