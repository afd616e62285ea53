import { findDeception } from "../text/visible.ts";
import { findInProse } from "./prose-findings.ts";
import type { Severity, SkillFinding, SkillThreat } from "./skill-finding.ts";

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/**
 * The head of a SKILL.md. The name and description of every skill are in every system prompt, so the rules for them are
 * stricter.
 */
export function findInFrontmatter(file: string, text: string): readonly SkillFinding[] {
  const head = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  const at = (severity: Severity, category: SkillThreat, reason: string): SkillFinding => ({
    severity,
    category,
    file,
    line: 1,
    reason,
  });
  if (head === undefined) return [at("low", "structural", "It has no frontmatter with name and description.")];
  const name = field(head, "name");
  const description = field(head, "description");
  const found: SkillFinding[] = [];
  if (name === "" || description === "")
    found.push(at("low", "structural", `Its frontmatter has no ${name === "" ? "name" : "description"}.`));
  if (name.length > MAX_NAME || !/^[\w .:-]*$/.test(name))
    found.push(at("medium", "structural", `Its name is not a valid skill name: ${JSON.stringify(name.slice(0, 80))}.`));
  if (description.length > MAX_DESCRIPTION)
    found.push(
      at(
        "medium",
        "structural",
        `Its description has ${description.length} characters; ${MAX_DESCRIPTION} are allowed.`,
      ),
    );
  const deception = findDeception(name + description);
  if (deception !== undefined) found.push(at("critical", "injection", `Its name or description ${deception.reason}.`));
  found.push(...findInProse(file, description, 1, true).filter(({ severity }) => severity !== "low"));
  const tools = field(head, "allowed-tools");
  if (/^["'[]?\s*\*|Bash\(\s*\*?\s*\)|Bash\(\*:\*\)/.test(tools))
    found.push(at("low", "privilege_escalation", `It asks for every tool or command: ${tools.slice(0, 80)}.`));
  return found;
}

/** One field of a flat mapping, folded and quoted forms included; `""` when it is not there. */
function field(head: string, key: string): string {
  const lines = head.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return "";
  const more = lines.slice(at + 1);
  const end = more.findIndex((line) => /^\S/.test(line));
  const first = lines[at]!.slice(key.length + 1)
    .trim()
    .replace(/^[|>][+-]?\d?$/, "");
  return [first, ...more.slice(0, end === -1 ? more.length : end).map((line) => line.trim())]
    .join(" ")
    .trim()
    .replace(/^(["'])([\s\S]*)\1$/, "$2");
}
