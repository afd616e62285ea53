import type { Json } from "../../contract/common/json.ts";
import { absolutePath } from "../paths/absolute-path.ts";
import { readSkill } from "../skills/read-skill.ts";
import { scanSkill } from "../skills/scan-skill.ts";
import { type SkillFile, toSkillFile } from "../skills/skill-file.ts";
import { type Answerer, type Here, type Question, textOf, WrongQuestion } from "./question.ts";

/**
 * `{files: {path: text}}`, `{text}` of a SKILL.md alone, or `{path: folder}` →
 * `{verdict: safe | caution | dangerous, reasons, findings}`. In place of a text, a file may be `{base64}`, or `{link}`
 * with where it leads; `executable: true` says that it can be run.
 */
export const answerSkill: Answerer = async (question, here) => {
  const { verdict, findings } = await scanSkill(await filesOf(question, here));
  const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
  return {
    verdict,
    reasons: grave.map(({ file, line, reason }) => `${file}${line > 0 ? `:${line}` : ""}: ${reason}`),
    findings: findings.map((finding) => ({ ...finding })),
  };
};

async function filesOf(question: Question, here: Here): Promise<readonly SkillFile[]> {
  const { files } = question;
  const alone = textOf(question, "text", "optional");
  if (alone !== undefined) return [toFile("SKILL.md", alone)];
  if (files === undefined || files === null)
    return readSkill(absolutePath(textOf(question, "path")!, here.cwd, here.home), here.disk);
  if (typeof files !== "object" || Array.isArray(files))
    throw new WrongQuestion('"files" must be a map of paths to texts');
  return Object.entries(files as { readonly [path: string]: Json }).map(([path, content]) => toFile(path, content));
}

function toFile(path: string, content: Json): SkillFile {
  if (typeof content === "string") return toSkillFile(path, Buffer.from(content), false);
  const given =
    typeof content === "object" && content !== null && !Array.isArray(content)
      ? (content as { readonly [key: string]: Json })
      : {};
  const { link, base64, text, executable } = given;
  if (typeof link === "string") return { kind: "link", path, target: link };
  if (typeof base64 === "string") return toSkillFile(path, Buffer.from(base64, "base64"), executable === true);
  if (typeof text === "string") return toSkillFile(path, Buffer.from(text), executable === true);
  throw new WrongQuestion(`the file "${path}" must be a text, or {text}, {base64} or {link}`);
}
