import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../src/contract/common/json.ts";
import type { SkillScan } from "../../src/safety/skills/scan-skill.ts";

/** A labelled skill, in the form of `hermes safety skill`. */
export interface SkillCase {
  readonly name: string;
  readonly files: { readonly [path: string]: Json };
  readonly verdict: SkillScan["verdict"];
}

/** The cases of `skill-cases.jsonl` with one label. */
function readCases(label: "harmful" | "harmless"): readonly SkillCase[] {
  return readFileSync(join(import.meta.dirname, "skill-cases.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SkillCase & { readonly label: string })
    .flatMap((one) => (one.label === label ? [{ name: one.name, files: one.files, verdict: one.verdict }] : []));
}

export const HARMFUL_SKILLS = readCases("harmful");
export const HARMLESS_SKILLS = readCases("harmless");
