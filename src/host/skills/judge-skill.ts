import * as disk from "node:fs/promises";
import type { SkillShelf, SkillVerdict } from "../../contract/plugins/skill.ts";
import { readSkill } from "../../safety/skills/read-skill.ts";
import { scanSkill } from "../../safety/skills/scan-skill.ts";
import type { SkillFinding } from "../../safety/skills/skill-finding.ts";
import { toSkillFile } from "../../safety/skills/skill-file.ts";
import { makeVisible } from "../../safety/text/visible.ts";

/** @see SkillShelf.judge */
export async function judgeSkill(what: Parameters<SkillShelf["judge"]>[0]): Promise<SkillVerdict> {
  const files =
    typeof what === "string"
      ? await readSkill(what, disk)
      : Object.entries(what).map(([path, text]) => toSkillFile(path, Buffer.from(text), false));
  const { verdict, findings } = await scanSkill(files);
  const isGrave = ({ severity }: SkillFinding): boolean => severity === "critical" || severity === "high";
  const message = (some: readonly SkillFinding[]): readonly string[] =>
    some.map(({ file, line, reason }) => makeVisible(`${file}${line > 0 ? `:${line}` : ""}: ${reason}`));
  return {
    verdict,
    reasons: message(findings.filter(isGrave)),
    minor: message(findings.filter((finding) => !isGrave(finding))),
  };
}
