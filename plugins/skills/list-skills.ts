import type { JsonObject, SkillShelf } from "hermes-agent/plugin";

/** Names and descriptions, of one category or of all. No skill's text is read. */
export async function skillsList(category: string | undefined, shelf: SkillShelf): Promise<JsonObject> {
  const all = (await shelf.all()).filter(({ hidden }) => hidden === undefined);
  if (all.length === 0)
    return { success: true, skills: [], categories: [], message: `No skills yet. Their folder is ${shelf.folder}.` };
  const wanted = (category ?? "").trim();
  const shown =
    wanted === "" ? all : all.filter((skill) => skill.category === wanted || skill.path.startsWith(`${wanted}/`));
  const categories = [...new Set(shown.flatMap((skill) => skill.category ?? []))].sort();
  return {
    success: true,
    skills: shown.map(({ name, description, category: of, problem }) => ({
      name,
      description,
      category: of ?? null,
      warning: problem,
    })),
    categories,
    count: shown.length,
    hint: "skill_view(name) returns the whole text, tags and linked files.",
  };
}

/** The names of categories and nothing else. */
export async function skillsCategories(shelf: SkillShelf): Promise<readonly string[]> {
  return [
    ...new Set(
      (await shelf.all()).flatMap(({ hidden, category }) =>
        hidden === undefined && category !== undefined ? [category] : [],
      ),
    ),
  ].sort();
}
