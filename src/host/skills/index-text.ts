import type { Skill, SkillConditions } from "../../contract/plugins/skill.ts";
import { makeVisible } from "../../safety/text/visible.ts";

export interface Offered {
  readonly tools: ReadonlySet<string>;
  readonly toolsets: ReadonlySet<string>;
}

/** Maximum size of the index, which every session pays for. */
const MAX_CHARS = 6_000;
const DESCRIPTION_CHARS = 60;
const INTRODUCTION = "# Skills\nBefore you begin, load a skill that fits the task with skill_view.";

/**
 * The section of the system prompt that lists skills; "" without skills. Many skills are listed by name only, very
 * many by number per category. The text comes from untrusted files: one short line each, and nothing that ends the
 * list.
 */
export function indexText(skills: readonly Skill[], offered: Offered): string {
  const shown = skills.filter(({ hidden, conditions }) => hidden === undefined && fits(conditions, offered));
  if (shown.length === 0) return "";
  const groups = [...Map.groupBy(shown, categoryOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, members]) => [oneLine(category, 64), members] as const);
  const long = groups.flatMap(([category, members]) => [
    `${category}:`,
    ...members.map(({ name, description }) => `- ${oneLine(name, 64)}: ${oneLine(description, DESCRIPTION_CHARS)}`),
  ]);
  if (sizeOf(long) <= MAX_CHARS) return section(long, "");
  const names = groups.map(
    ([category, members]) => `${category}: ${members.map(({ name }) => oneLine(name, 64)).join(", ")}`,
  );
  if (sizeOf(names) <= MAX_CHARS) return section(names, " skills_list describes each.");
  const counts = groups.map(([category, members]) => `${category}: ${members.length} skills`);
  const fitting = counts.slice(0, counts.findIndex((_, at) => sizeOf(counts.slice(0, at + 1)) > MAX_CHARS) >>> 0);
  const left = counts.length - fitting.length;
  return section(
    left === 0 ? counts : [...fitting, `and ${left} more categories`],
    " skills_list lists those of a category.",
  );
}

function section(lines: readonly string[], hint: string): string {
  return `${INTRODUCTION}${hint}\n<available_skills>\n${lines.join("\n")}\n</available_skills>`;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The whole way to it. */
function categoryOf({ path }: Skill): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "general";
}

function fits(conditions: SkillConditions | undefined, { tools, toolsets }: Offered): boolean {
  if (conditions === undefined) return true;
  const {
    requires_tools = [],
    requires_toolsets = [],
    fallback_for_tools = [],
    fallback_for_toolsets = [],
  } = conditions;
  if (!requires_tools.every((tool) => tools.has(tool)) || !requires_toolsets.every((toolset) => toolsets.has(toolset)))
    return false;
  return (
    !fallback_for_tools.some((tool) => tools.has(tool)) &&
    !fallback_for_toolsets.some((toolset) => toolsets.has(toolset))
  );
}

function oneLine(text: string, maxChars: number): string {
  const line = makeVisible(text.replaceAll(/[<>]/g, "").replaceAll(/\s+/g, " ").trim());
  return line.length > maxChars ? `${line.slice(0, maxChars - 3).toWellFormed()}...` : line;
}
