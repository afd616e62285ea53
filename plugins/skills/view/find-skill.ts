import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Skill, SkillShelf } from "hermes-agent/plugin";
import { refusal } from "../refusal.ts";

const MAX_NAMED = 20;
const LIST = "skills_list lists all skills.";

/** A skill of the home or of an external folder, or a plain file in the home that serves as one. */
export type Found =
  | { readonly kind: "skill"; readonly skill: Skill }
  | { readonly kind: "file"; readonly name: string; readonly path: string };

/**
 * By its own name, its folder's, or the way to it (`category/name`, `category:name`).
 * @throws {ToolFailure} for a name that leads elsewhere, for none and for several; nothing is guessed.
 */
export async function findSkill(name: string, shelf: SkillShelf): Promise<Found> {
  if (name.startsWith("/") || name.startsWith("~") || /^[A-Za-z]:[\\/]/.test(name))
    throw refusal("bad_arguments", `Name a skill instead of a path: ${JSON.stringify(name)}.`, LIST);
  if (name.split(/[/\\]/).includes(".."))
    throw refusal("bad_arguments", "Skill name cannot contain '..' path traversal components.", LIST);
  const way = name.replace(":", "/");
  const all = await shelf.all();
  const exact = all.find((skill) => skill.path === way && skill.hidden?.kind !== "shadowed");
  if (exact !== undefined) return { kind: "skill", skill: exact };
  const found = all.filter(
    (skill) =>
      skill.name === name || skill.path === way || basename(skill.path) === name || skill.path.endsWith(`/${way}`),
  );
  const [only] = found;
  if (found.length > 1) {
    throw refusal(
      "conflict",
      `${found.length} skills are named ${JSON.stringify(name)}.`,
      "Use the path: category/name.",
      { matches: found.map(({ folder }) => join(folder, "SKILL.md")) },
    );
  }
  if (only !== undefined) return { kind: "skill", skill: only };
  const file = shelf
    .roots()
    .map((root) => join(root, `${way}.md`))
    .find((path) => existsSync(path));
  if (file !== undefined) return { kind: "file", name, path: file };
  const available = all
    .filter(({ hidden }) => hidden === undefined)
    .slice(0, MAX_NAMED)
    .map((skill) => skill.name);
  throw refusal("not_found", `There is no skill ${JSON.stringify(name)}.`, LIST, { available_skills: available });
}
