import type { Effect } from "../../contract/tools/effect.ts";

/** Calls of this effect change nothing: they may run side by side, run again, and be guessed at. */
export function isQuiet(effect: Effect): boolean {
  return effect === "none" || effect === "read";
}
