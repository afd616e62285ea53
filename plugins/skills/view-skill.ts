import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";
import { ToolFailure } from "../../contract/failure.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { PluginSkill } from "../../contract/plugin.ts";

export interface SkillWish {
  readonly name: string;
  readonly file_path?: string;
}

/** The skills of plugins. */
export interface SkillShelf {
  /** By `plugin:skill`. */
  list(): readonly { readonly name: string; readonly value: PluginSkill }[];
  /** What would let a plugin run that has a skill of that name and does not; `undefined` when there is none. */
  asleep(plugin: string): Promise<string | undefined>;
}

/** Folders of a skill whose files may be read beside it. */
const SUPPORT = ["references", "templates", "assets", "scripts"] as const;
const MAX_NAMED = 20;
const MAX_DEPTH = 4;

/** Nothing is written and nothing run. Rejects with {@link ToolFailure} that says what there is instead. */
export async function viewSkill({ name, file_path }: SkillWish, shelf: SkillShelf, sessionId: string): Promise<JsonObject> {
  const skill = await find(name, shelf);
  const folder = dirname(skill.path);
  if (file_path !== undefined && file_path !== "") return supportFile(name, folder, file_path);
  const text = readText(skill.path, name);
  const tokens: { readonly [token: string]: string } = { SKILL_DIR: folder, SESSION_ID: sessionId };
  const files = supportFiles(folder);
  return {
    success: true,
    name,
    description: skill.description ?? (await describedIn(text)),
    content: `${banner(name, shelf)}\n\n${text.replaceAll(/\$\{HERMES_(SKILL_DIR|SESSION_ID)\}/g, (_, token: string) => tokens[token]!)}`,
    linked_files: Object.keys(files).length === 0 ? null : (files as unknown as Json),
    readiness_status: "available",
  };
}

async function find(name: string, shelf: SkillShelf): Promise<PluginSkill> {
  const all = shelf.list();
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found.value;
  const plugin = /^([a-zA-Z0-9_-]+):/.exec(name)?.[1];
  const wayOn = plugin === undefined ? undefined : await shelf.asleep(plugin);
  if (wayOn !== undefined) throw refusal(`The plugin "${plugin}" does not run, so its skill "${name}" cannot be loaded.`, wayOn);
  const own = all.filter((one) => plugin !== undefined && one.name.startsWith(`${plugin}:`));
  const available = (own.length > 0 ? own : all).slice(0, MAX_NAMED).map((one) => one.name);
  throw refusal(`There is no skill "${name}".`, available.length === 0 ? "No plugin brings a skill." : `There is: ${available.join(", ")}.`, { available_skills: available });
}

/** Whose it is, and what stands beside it. */
function banner(name: string, shelf: SkillShelf): string {
  const plugin = name.slice(0, name.indexOf(":"));
  const others = shelf.list().flatMap((one) => (one.name.startsWith(`${plugin}:`) && one.name !== name ? [one.name] : []));
  return `[Bundle context: This skill is part of the '${plugin}' plugin.${others.length === 0 ? "" : ` It also has: ${others.join(", ")}.`}]`;
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw refusal(`The file of the skill "${name}" is gone: ${path}.`, "Its plugin has to be loaded again: /reload", {}, cause);
  }
}

function supportFile(name: string, folder: string, file: string): JsonObject {
  const path = within(folder, file);
  if (path === undefined) throw refusal(`"${file}" is no file of the skill "${name}".`, "Files of a skill lie in references, templates, assets or scripts.", { available_files: supportFiles(folder) as unknown as Json });
  const bytes = readFileSync(path);
  const type = extname(file);
  const shown = { success: true, name, file, file_type: type };
  try {
    return { ...shown, content: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    // No text: the model learns that it is there.
    return { ...shown, content: `[Binary file: ${file}, ${bytes.length} bytes, at ${path}]`, is_binary: true };
  }
}

/** The file's own path, links followed; `undefined` for what lies elsewhere or is none. */
function within(folder: string, file: string): string | undefined {
  try {
    const path = realpathSync(join(folder, file));
    const inside = relative(realpathSync(folder), path).split(sep);
    return (SUPPORT as readonly string[]).includes(inside[0]!) && !inside.includes("..") && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined; // Nothing of that name.
  }
}

/** By folder; folders without files are left out. */
function supportFiles(folder: string): { readonly [folder: string]: readonly string[] } {
  const listed = SUPPORT.map((name) => [name, filesBelow(folder, name, 0).toSorted()] as const);
  return Object.fromEntries(listed.filter(([, files]) => files.length > 0));
}

function filesBelow(folder: string, name: string, depth: number): readonly string[] {
  try {
    return readdirSync(join(folder, name), { withFileTypes: true }).flatMap((entry) => {
      const path = `${name}/${entry.name}`;
      if (entry.isDirectory()) return depth < MAX_DEPTH ? filesBelow(folder, path, depth + 1) : [];
      return within(folder, path) === undefined ? [] : [path];
    });
  } catch {
    return []; // Most skills have no such folder.
  }
}

async function describedIn(text: string): Promise<string> {
  const [, head] = /^---\r?\n([^]*?)\r?\n---/.exec(text) ?? [];
  if (head === undefined) return "";
  const { parse } = await import("yaml");
  try {
    const description = (parse(head) as { readonly description?: unknown } | null)?.description;
    return typeof description === "string" ? description : "";
  } catch {
    return ""; // The text says it all the same.
  }
}

function refusal(message: string, hint: string, data: JsonObject = {}, cause?: unknown): ToolFailure {
  return new ToolFailure("not_found", message, { hint, data: { success: false, ...data }, cause });
}
