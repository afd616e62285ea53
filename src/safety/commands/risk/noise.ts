import type { HarmId } from "./harms.ts";
import type { CommandEffect } from "./effect.ts";

/** Results of guessing that need no approval on their own. */
const NOISE: ReadonlySet<HarmId> = new Set([
  "malformed",
  "computed-command",
  "parser-limit",
  "too-deep",
  "deceptive",
  "unseen-shell",
  "code-runs",
  "environment-read",
  "unclear-delete",
]);

/** Kept out of what a guess at a command says. */
export function isNoise(effect: CommandEffect): boolean {
  if (effect.kind === "harm") return NOISE.has(effect.harm);
  return effect.kind === "execute" || effect.kind === "network";
}
