import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An edit whose old text is not literally in the file. `apply` has the file that is intended; it was made from the
 * exact edit, not by the matcher.
 */
export type NearMiss = {
  readonly language: string;
  readonly path: string;
  readonly why: string;
  readonly file: string;
  readonly old: string;
  readonly new: string;
} & ({ readonly expect: "apply"; readonly result: string; readonly strategy?: string } | { readonly expect: "refuse" });

export const NEAR_MISSES: readonly NearMiss[] = readFileSync(join(import.meta.dirname, "near-misses.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as NearMiss);
