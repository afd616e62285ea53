import type { Chance } from "../../contract/common/clock.ts";
import type { ModelFailure } from "../../contract/providers/model.ts";

const BASE_MS = 2_000;
const CAP_MS = 60_000;
/** A service that asks for more is not waited for. */
export const LONGEST_WAIT_MS = 600_000;

/** The reaction to a failed request: retry after a delay, use the next model, or give up. */
export type Remedy =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "next" }
  | { readonly kind: "stop" };

/**
 * @param attempt How often this model was asked for this answer, from 1.
 * @param more There is a further model.
 */
export function remedy(
  failure: ModelFailure,
  attempt: number,
  maxRetries: number,
  more: boolean,
  chance: Chance,
): Remedy {
  if (failure.code === "cancelled") return { kind: "stop" };
  if (failure.retryable && attempt <= maxRetries) {
    if (failure.retryAfterMs === undefined) return { kind: "wait", ms: backoffMs(attempt, chance) };
    if (failure.retryAfterMs <= LONGEST_WAIT_MS)
      return { kind: "wait", ms: Math.max(0, failure.retryAfterMs) + jitter(BASE_MS, chance) };
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
