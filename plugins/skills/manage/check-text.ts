import type { SkillShelf } from "hermes-agent/plugin";

const MAX_CHARS = 100_000;
const MAX_BYTES = 1_048_576;

/** Why a text cannot be a `SKILL.md`; `undefined` when it can. */
export async function whyNoSkill(text: string, shelf: SkillShelf): Promise<string | undefined> {
  const { data, body, problem } = await shelf.head(text);
  if (problem !== undefined) return `SKILL.md is not valid: ${problem}.`;
  for (const key of ["name", "description"]) {
    const value = data[key];
    if (typeof value !== "string" || value.trim() === "") return `Frontmatter must include '${key}' field.`;
  }
  const { length } = data["description"] as string;
  if (length > 1024) return `The description has ${length} characters; the limit is 1024.`;
  if (body.trim() === "") return "There are no instructions after the frontmatter.";
  return tooLong(text);
}

/** Why a text cannot be kept for its length. */
export function tooLong(text: string): string | undefined {
  if (text.length > MAX_CHARS)
    return `It has ${text.length} characters; the limit is ${MAX_CHARS}. Move details to files under references/.`;
  return Buffer.byteLength(text) > MAX_BYTES ? `It has more than ${MAX_BYTES} bytes.` : undefined;
}
