import { readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import {
  decodeBytes,
  definedFields,
  objectOf,
  readableText,
  type Json,
  type JsonObject,
  type PluginSkill,
  type Skill,
  type SkillShelf,
  type ToolContext,
} from "hermes-agent/plugin";
import { refusal } from "../refusal.ts";
import { fillText } from "./fill-text.ts";
import { findSkill } from "./find-skill.ts";
import { setupNeeds } from "./setup-needs.ts";
import { filesOf, skillFile, SUPPORT } from "./skill-file.ts";

export interface SkillQuery {
  readonly name: string;
  readonly file_path?: string;
  /** The founding document's word for `file_path`. */
  readonly path?: string;
}

const MAX_NAMED = 20;
const MAX_BYTES = 1_000_000;

/** Nothing is written. Rejects with {@link ToolFailure} that says what there is instead. */
export async function viewSkill(
  { name, file_path, path }: SkillQuery,
  shelf: SkillShelf,
  call: ToolContext,
): Promise<JsonObject> {
  const file = file_path || path || "";
  const ofPlugin = shelf.ofPlugins().find((one) => one.name === name)?.value;
  if (ofPlugin !== undefined) return pluginSkill(name, ofPlugin, file, shelf, call);
  const found = await findSkill(name, shelf).catch(async (cause: unknown) => {
    throw (await missingPlugin(name, shelf)) ?? cause;
  });
  if (found.kind === "file") return plainFile(found.name, found.path, call);
  const { skill } = found;
  if (skill.hidden?.kind === "disabled")
    throw refusal("blocked", `The skill "${skill.name}" is disabled.`, `hermes skills enable ${skill.name}`);
  if (skill.hidden?.kind === "platform")
    throw refusal("blocked", `The skill "${skill.name}" is ${skill.hidden.why}, not for this system.`, undefined, {
      readiness_status: "unsupported",
    });
  return file === "" ? ownSkill(skill, shelf, call) : supportFile(name, skill.folder, file, call, true);
}

async function ownSkill(skill: Skill, shelf: SkillShelf, call: ToolContext): Promise<JsonObject> {
  const { name, description, folder, path, problem } = skill;
  const text = readText(join(folder, "SKILL.md"), name);
  const { data } = await shelf.head(text);
  const files = filesOf(folder, call);
  const linked = Object.keys(files).length === 0 ? null : (files as unknown as Json);
  const own = objectOf(objectOf(data["metadata"])["hermes"]);
  return {
    success: true,
    name,
    description,
    tags: wordsOf(own["tags"] ?? data["tags"]),
    related_skills: wordsOf(own["related_skills"] ?? data["related_skills"]),
    content: await fillText(text, folder, call),
    path: `${path}/SKILL.md`,
    skill_dir: folder,
    linked_files: linked,
    usage_hint:
      linked === null ? null : "skill_view with file_path reads one of the linked files, such as references/api.md.",
    ...setupNeeds(data, shelf, call.agentHome),
    ...definedFields({
      compatibility: typeof data["compatibility"] === "string" ? data["compatibility"] : undefined,
      metadata: data["metadata"],
      warning: problem === undefined ? undefined : `SKILL.md of "${name}" is not valid: ${problem}.`,
    }),
  };
}

async function pluginSkill(
  name: string,
  skill: PluginSkill,
  file: string,
  shelf: SkillShelf,
  call: ToolContext,
): Promise<JsonObject> {
  const folder = dirname(skill.path);
  if (file !== "") return supportFile(name, folder, file, call, false);
  const text = readText(skill.path, name);
  const described = (await shelf.head(text)).data["description"];
  const files = Object.fromEntries(Object.entries(filesOf(folder, call)).filter(([group]) => group !== "other"));
  return {
    success: true,
    name,
    description: skill.description ?? (typeof described === "string" ? described : ""),
    content: `${banner(name, shelf)}\n\n${await fillText(text, folder, call)}`,
    linked_files: Object.keys(files).length === 0 ? null : (files as unknown as Json),
    readiness_status: "available",
  };
}

async function plainFile(name: string, path: string, call: ToolContext): Promise<JsonObject> {
  return {
    success: true,
    name,
    content: await fillText(readText(path, name), dirname(path), call),
    linked_files: null,
    readiness_status: "available",
  };
}

/** Whose it is, and what stands beside it. */
function banner(name: string, shelf: SkillShelf): string {
  const plugin = name.slice(0, name.indexOf(":"));
  const others = shelf
    .ofPlugins()
    .flatMap((one) => (one.name.startsWith(`${plugin}:`) && one.name !== name ? [one.name] : []));
  return `[Bundle context: This skill is part of the '${plugin}' plugin.${others.length === 0 ? "" : ` It also has: ${others.join(", ")}.`}]`;
}

/** `plugin:skill` of a plugin that does not run, or has others. */
async function missingPlugin(name: string, shelf: SkillShelf): Promise<Error | undefined> {
  const plugin = /^([a-zA-Z0-9_-]+):/.exec(name)?.[1];
  if (plugin === undefined) return undefined;
  const wayOn = await shelf.asleep(plugin);
  if (wayOn !== undefined)
    return refusal(
      "not_found",
      `The plugin "${plugin}" is not running, so its skill "${name}" cannot be loaded.`,
      wayOn,
    );
  const own = shelf
    .ofPlugins()
    .filter((one) => one.name.startsWith(`${plugin}:`))
    .slice(0, MAX_NAMED)
    .map((one) => one.name);
  return own.length === 0
    ? undefined
    : refusal("not_found", `There is no skill "${name}".`, `Available: ${own.join(", ")}.`, { available_skills: own });
}

function readText(path: string, name: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes; the limit is ${MAX_BYTES}`);
    return readableText(readFileSync(path));
  } catch (cause) {
    throw refusal(
      "not_found",
      `The file of the skill "${name}" cannot be read: ${path}.`,
      cause instanceof Error ? cause.message : undefined,
      {},
      cause,
    );
  }
}

/** @param beside Files next to `SKILL.md` belong to the skill, too. */
function supportFile(name: string, folder: string, file: string, call: ToolContext, beside: boolean): JsonObject {
  const inside = beside || (SUPPORT as readonly string[]).includes(file.split("/")[0]!);
  const found = inside
    ? skillFile(folder, file, "read", call)
    : { refused: `The files of this skill are in ${SUPPORT.join(", ")}.` };
  const stats = "path" in found ? statSync(found.path, { throwIfNoEntry: false }) : undefined;
  if (!("path" in found) || stats?.isFile() !== true) {
    const files = Object.fromEntries(
      Object.entries(filesOf(folder, call)).filter(([group]) => beside || group !== "other"),
    );
    throw refusal(
      "not_found",
      `"${file}" is not a file of the skill "${name}".`,
      "refused" in found ? found.refused : "available_files lists them.",
      { available_files: files as unknown as Json },
    );
  }
  const shown = { success: true, name, file, file_type: extname(file) };
  const binary = {
    ...shown,
    content: `[Binary file: ${file}, ${stats.size} bytes, at ${found.path}]`,
    is_binary: true,
  };
  if (stats.size > MAX_BYTES) return binary;
  const decoded = decodeBytes(readFileSync(found.path));
  // No text: the model learns that it is there.
  return decoded === undefined ? binary : { ...shown, content: decoded.text.toWellFormed() };
}

function wordsOf(value: Json | undefined): readonly string[] {
  const list = Array.isArray(value)
    ? (value as readonly Json[])
    : typeof value === "string"
      ? value.replace(/^\[|\]$/g, "").split(",")
      : [];
  return list.map((one) => String(one).trim()).filter((word) => word !== "");
}
