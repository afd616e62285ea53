import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { shownOf, toSettled } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { SlashHost } from "./slash-host.ts";

const MAX_SKILLS = 5;

/**
 * Builds the message for `/skill [/skill …] words`: each skill's text, loaded as a model would, then the words.
 * `undefined` if the first word names no skill.
 */
export async function skillMessage(
  line: string,
  { app, session }: Pick<SlashHost, "app" | "session">,
): Promise<string | undefined> {
  const known = new Map(
    (await app.skills.all())
      .filter(({ hidden }) => hidden === undefined)
      .map(({ name, path }) => [slugOf(name), { name, path }] as const),
  );
  const chosen: { readonly name: string; readonly path: string }[] = [];
  let rest = line.trim();
  while (chosen.length < MAX_SKILLS) {
    const [token, word] = /^\/([\w-]+)(?:\s+|$)/.exec(rest) ?? [];
    const skill = token === undefined ? undefined : known.get(slugOf(word!));
    if (token === undefined || skill === undefined || chosen.includes(skill)) break;
    chosen.push(skill);
    rest = rest.slice(token.length);
  }
  if (chosen.length === 0) return undefined;
  const tool = app.tools.withRole("skill");
  if (tool === undefined)
    throw new UserError("No tool can load skills.", {
      hint: "Enable the plugin skills: hermes plugins enable skills.",
    });
  const texts: string[] = [];
  for (const { name, path } of chosen) texts.push(blockOf(name, tool, await loaded(path, tool, session())));
  return [...texts, ...(rest === "" ? [] : [rest])].join("\n\n");
}

async function loaded(name: string, tool: string, session: ReturnType<SlashHost["session"]>): Promise<JsonObject> {
  const outcome = toSettled(await session.call(tool, { name }));
  const text = textOf(shownOf(outcome));
  const result: unknown = parsed(text);
  if (outcome.kind !== "ok" || !isObject(result))
    throw new UserError(isObject(result) && typeof result["error"] === "string" ? result["error"] : text);
  return result;
}

/** A long result is truncated, so it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function blockOf(name: string, tool: string, { content, skill_dir, linked_files, setup_note }: JsonObject): string {
  const files = isObject(linked_files) ? Object.values(linked_files).flat().map(String) : [];
  return [
    `[The user chose the skill "${name}" for this. Follow it.]`,
    "",
    String(content).trim(),
    "",
    ...(typeof skill_dir === "string" ? [`[The skill's folder: ${skill_dir}]`] : []),
    ...(files.length === 0 ? [] : [`[Its files, for ${tool} with file_path: ${files.join(", ")}]`]),
    ...(typeof setup_note === "string" ? [`[${setup_note}]`] : []),
  ]
    .join("\n")
    .trimEnd();
}

/** The name as a slash command. */
/** The word behind the slash that stands for a skill. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-")
    .replaceAll(/[^a-z0-9-]/g, "");
}
