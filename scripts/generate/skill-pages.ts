import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../src/contract/common/is-object.ts";
import type { JsonObject } from "../../src/contract/common/json.ts";
import { readHead, wordsOf } from "../../src/host/skills/read-head.ts";
import { walkSkills } from "../../src/host/skills/walk-skills.ts";
import { code, page, prose, table, type Page } from "./page.ts";

/** A bundled skill, as its own file describes it. */
export interface SkillText {
  /** Relative to the folder of skills: `hermes/self-check`. */
  readonly path: string;
  readonly data: JsonObject;
  readonly body: string;
}

/** @throws if the frontmatter cannot be read: the skill would ship broken. */
export async function readSkillTexts(folder: string): Promise<readonly SkillText[]> {
  return Promise.all(
    walkSkills(folder).map(async ({ path, folder: own }) => {
      const { data, body, problem } = await readHead(readFileSync(join(own, "SKILL.md"), "utf8"));
      if (problem !== undefined) throw new Error(`${path}/SKILL.md: ${problem}.`);
      return { path, data, body };
    }),
  );
}

/** The catalogue, and a page for each skill. */
export function skillPages(skills: readonly SkillText[]): readonly Page[] {
  return [catalogue(skills), ...skills.map((skill) => skillPage(skill, skills))];
}

/** Links to the pages of skills, by category: for the contents of the reference, and beside each page. */
export function skillContents(skills: readonly SkillText[], way: string): readonly string[] {
  return [...byCategory(skills)].map(
    ([category, members]) =>
      `- ${prose(category)}: ${members.map((skill) => `[${nameOf(skill)}](${way}${fileOf(skill)})`).join(" · ")}`,
  );
}

function catalogue(skills: readonly SkillText[]): Page {
  return page(
    "skills.md",
    "Bundled skills",
    `${skills.length} skills ship with the agent, which copies them into the home once. See [skills](../skills.md) for what a skill is and where to get others.`,
    ...[...byCategory(skills)].flatMap(([category, members]) => [
      `## ${prose(category)}`,
      table(
        ["Skill", "What it is for", "Tags", "Where"],
        members.map((skill) => [
          `[${code(nameOf(skill))}](skills/${fileOf(skill)})`,
          prose(textOf(skill, "description")),
          tagsOf(skill).map(code).join(", "),
          wordsOf(skill.data["platforms"]).join(", ") || "everywhere",
        ]),
      ),
    ]),
  );
}

const FACTS: readonly (readonly [name: string, of: (skill: SkillText) => string])[] = [
  ["Name", (skill) => code(nameOf(skill))],
  ["Category", (skill) => prose(categoryOf(skill))],
  ["Version", (skill) => prose(textOf(skill, "version"))],
  ["Author", (skill) => prose(textOf(skill, "author"))],
  ["License", (skill) => prose(textOf(skill, "license"))],
  ["Platforms", ({ data }) => wordsOf(data["platforms"]).join(", ")],
  ["Environments", ({ data }) => wordsOf(data["environments"]).join(", ")],
  ["Tags", (skill) => tagsOf(skill).map(code).join(", ")],
  [
    "Related",
    (skill) =>
      wordsOf(ownOf(skill)["related_skills"] ?? skill.data["related_skills"])
        .map(code)
        .join(", "),
  ],
  [
    "Needs",
    (skill) =>
      [...wordsOf(ownOf(skill)["requires_tools"]), ...wordsOf(ownOf(skill)["requires_toolsets"]), ...variablesOf(skill)]
        .map(code)
        .join(", "),
  ],
];

function skillPage(skill: SkillText, skills: readonly SkillText[]): Page {
  const facts = FACTS.flatMap(([name, of]) => (of(skill) === "" ? [] : [[name, of(skill)]]));
  return page(
    `skills/${fileOf(skill)}`,
    nameOf(skill),
    prose(textOf(skill, "description")),
    [`[All skills](../skills.md)`, "", ...skillContents(skills, "")].join("\n"),
    table(["", ""], facts),
    `In a session: ${code(`/${nameOf(skill)} …`)}. The model reads:`,
    fenced(skill.body.trim()),
  );
}

/** Shown in a fence: its headings and links belong to the skill. */
function fenced(text: string): string {
  const longest = Math.max(3, ...[...text.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length + 1));
  return `${"`".repeat(longest)}markdown\n${text}\n${"`".repeat(longest)}`;
}

function byCategory(skills: readonly SkillText[]): ReadonlyMap<string, readonly SkillText[]> {
  return new Map([...Map.groupBy(skills, categoryOf)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function categoryOf({ path }: SkillText): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "general";
}

function nameOf(skill: SkillText): string {
  return textOf(skill, "name") || skill.path.slice(skill.path.lastIndexOf("/") + 1);
}

function fileOf({ path }: SkillText): string {
  return `${path.replaceAll("/", "-")}.md`;
}

function textOf({ data }: SkillText, key: string): string {
  const value = data[key];
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

function ownOf({ data }: SkillText): JsonObject {
  const own = isObject(data["metadata"]) ? data["metadata"]["hermes"] : undefined;
  return isObject(own) ? own : {};
}

function tagsOf(skill: SkillText): readonly string[] {
  return wordsOf(ownOf(skill)["tags"] ?? skill.data["tags"]);
}

function variablesOf({ data }: SkillText): readonly string[] {
  const list = Array.isArray(data["required_environment_variables"]) ? data["required_environment_variables"] : [];
  return list.flatMap((one) =>
    typeof one === "string" ? [one] : isObject(one) && typeof one["name"] === "string" ? [one["name"]] : [],
  );
}
