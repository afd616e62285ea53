import { toSkillFile } from "../../safety/skill/skill-file.ts";
import { scanSkill } from "../../safety/skill/scan-skill.ts";
import type { SkillShelf, SkillVerdict } from "../../contract/skill.ts";

/** @see SkillShelf.judge */
export async function judgeSkill(files: Parameters<SkillShelf["judge"]>[0]): Promise<SkillVerdict> {
  const { verdict, findings } = await scanSkill(files.map(({ path, content, executable }) => toSkillFile(path, content, executable === true)));
  const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
  return { verdict, reasons: grave.map(({ file, line, reason }) => `${file}${line > 0 ? `:${line}` : ""}: ${reason}`) };
}
