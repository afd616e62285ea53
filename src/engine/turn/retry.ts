import type { Chance } from "../../contract/common/clock.ts";
import type { ModelFailure } from "../../contract/providers/model.ts";

const BASE_MS = 2_000;
const CAP_MS = 60_000;
/** A service that asks for more is not waited for. */
export const LONGEST_WAIT_MS = 600_000;
/** Before the only retry while another model could answer: a restart of the service takes no longer. */
const QUICK_MS = 500;

/** The reaction to a failed request: retry after a delay, use the next model, or give up. */
export type Remedy =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "next" }
  | { readonly kind: "stop" };

export interface RetryLimits {
  readonly maxRetries: number;
  /** Another model can answer, so this one is asked again only if that takes a moment. */
  readonly more: boolean;
  /** The model failed before and is only tried out: one failure decides. */
  readonly probe?: boolean;
  /** How long the service may ask to wait while another model could answer. */
  readonly maxWaitMs: number;
}

/** @param attempt How often this model was asked for this answer, from 1. */
export function remedy(failure: ModelFailure, attempt: number, limits: RetryLimits, chance: Chance): Remedy {
  if (failure.code === "cancelled") return { kind: "stop" };
  const { retryAfterMs } = failure;
  const { more, maxWaitMs } = limits;
  if (failure.retryable && attempt <= limits.maxRetries) {
    if (retryAfterMs !== undefined) {
      if (retryAfterMs <= (more ? maxWaitMs : LONGEST_WAIT_MS))
        return { kind: "wait", ms: Math.max(0, retryAfterMs) + jitter(BASE_MS, chance) };
    } else if (!more) return { kind: "wait", ms: backoffMs(attempt, chance) };
    else if (attempt === 1 && limits.probe !== true && failure.code !== "timeout")
      return { kind: "wait", ms: QUICK_MS + jitter(QUICK_MS, chance) };
  }
  return more ? { kind: "next" } : { kind: "stop" };
}

/** Doubles from two seconds to a minute, with up to half as much again so that many do not come back together. */
export function backoffMs(attempt: number, chance: Chance): number {
  const ms = Math.min(BASE_MS * 2 ** (attempt - 1), CAP_MS);
  return ms + jitter(ms, chance);
}

function jitter(ms: number, chance: Chance): number {
  return Math.round(ms * 0.5 * chance());
}
