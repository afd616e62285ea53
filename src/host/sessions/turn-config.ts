import { objectOf } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import { INJECTION_LIMITS } from "../../engine/transcript/injected-context.ts";
import type { Repeats } from "../../engine/turn/loop-detection.ts";
import { numberOf } from "../models/model-values.ts";
import type { TurnConfig } from "../../engine/ports.ts";

const NEVER: Repeats = {
  exactFailure: Number.POSITIVE_INFINITY,
  sameToolFailure: Number.POSITIVE_INFINITY,
  noProgress: Number.POSITIVE_INFINITY,
};

/** How a turn runs, from the settings; seconds there, milliseconds here. */
export function turnConfig(
  get: (path: string) => Json | undefined,
  run: { readonly maxTurns?: number } = {},
): TurnConfig {
  const number = (path: string, otherwise: number): number => {
    const value = get(path);
    return typeof value === "number" ? value : otherwise;
  };
  const repeats = (section: Json | undefined, otherwise: Repeats): Repeats => {
    const values = objectOf(section);
    return {
      exactFailure: numberOf(values["exact_failure"]) ?? otherwise.exactFailure,
      sameToolFailure: numberOf(values["same_tool_failure"]) ?? otherwise.sameToolFailure,
      noProgress: numberOf(values["idempotent_no_progress"]) ?? otherwise.noProgress,
    };
  };
  return {
    maxRequests: run.maxTurns ?? number("agent.max_turns", 90),
    maxRetries: number("agent.api_max_retries", 3),
    maxStreamRetries: number("agent.stream_retries", 2),
    maxWaitMs: number("agent.retry_after_limit", 20) * 1000,
    connectMs: number("agent.connect_timeout", 30) * 1000,
    firstEventMs: number("agent.stream_read_timeout", 120) * 1000,
    betweenEventsMs: number("agent.stream_stale_timeout", 120) * 1000,
    totalMs: number("agent.api_timeout", 1800) * 1000,
    loops: {
      warnAfter:
        get("tool_loop_guardrails.warnings_enabled") === false
          ? NEVER
          : repeats(get("tool_loop_guardrails.warn_after"), { exactFailure: 2, sameToolFailure: 3, noProgress: 2 }),
      refuseAfter:
        get("tool_loop_guardrails.hard_stop_enabled") === false
          ? NEVER
          : repeats(get("tool_loop_guardrails.hard_stop_after"), {
              exactFailure: 3,
              sameToolFailure: Number.POSITIVE_INFINITY,
              noProgress: 3,
            }),
    },
    maxCallsPerAnswer: 64,
    maxParallel: 8,
    ...injectionLimits(get("hooks")),
  };
}

/** `hooks.output_spill`, which stands beside the events of the map. Switched off, nothing is too long. */
function injectionLimits(hooks: Json | undefined): Pick<TurnConfig, "injected"> {
  const spill = objectOf(objectOf(hooks)["output_spill"]);
  if (Object.keys(spill).length === 0) return {};
  const count = (name: string, otherwise: number): number =>
    typeof spill[name] === "number" && spill[name] >= 0 ? Math.floor(spill[name]) : otherwise;
  return {
    injected: {
      maxChars: spill["enabled"] === false ? Number.POSITIVE_INFINITY : count("max_chars", INJECTION_LIMITS.maxChars),
      headChars: count("preview_head", INJECTION_LIMITS.headChars),
      tailChars: count("preview_tail", INJECTION_LIMITS.tailChars),
    },
  };
}
