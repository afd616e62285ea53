import assert from "node:assert/strict";
import * as disk from "node:fs/promises";
import { test } from "node:test";
import { answerSkill } from "../machine-form/answer-skill.ts";
import { HARMFUL_SKILLS, HARMLESS_SKILLS, type SkillCase } from "./skill-cases.ts";

async function wrong(cases: readonly SkillCase[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, files, verdict } of cases) {
    const answer = await answerSkill({ files: files as never }, { cwd: "/", home: "/nobody", readLink: async () => undefined, isSpecial: async () => false, disk });
    if (answer["verdict"] !== verdict) found.push(`${name}: ${String(answer["verdict"])}, not ${verdict} (${(answer["reasons"] as readonly string[]).join(" | ")})`);
  }
  return found;
}

// req: skills-hub.scan
test("every harmful skill is found: what it runs, sends, orders and hides, in scripts, prose, comments and encodings", async () => {
  assert.ok(HARMFUL_SKILLS.length >= 60, `${HARMFUL_SKILLS.length} cases`);
  assert.deepEqual(await wrong(HARMFUL_SKILLS), []);
});

test("skills as people write them are safe: runbooks, APIs with their own key, defenders' guides, other languages", async () => {
  assert.ok(HARMLESS_SKILLS.length >= 35, `${HARMLESS_SKILLS.length} cases`);
  assert.deepEqual(await wrong(HARMLESS_SKILLS), []);
});
