import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import type { Json, JsonObject, Skill, SkillShelf } from "hermes-agent/plugin";
import { refusal } from "../refusal.ts";
import { filesOf, skillFile, SUPPORT, type Places } from "../view/skill-file.ts";
import { tooLong, whyNoSkill } from "./check-text.ts";
import { decodeBytes, definedFields } from "hermes-agent/plugin";

export interface ManageInput {
  readonly action: string;
  readonly name: string;
  readonly content?: string;
  readonly category?: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly file_path?: string;
  readonly file_content?: string;
  /** Of `delete`: the skill that has the content now. */
  readonly absorbed_into?: string;
}

/** The effect of a call, computed without applying it. */
export interface Change {
  /** From the folder of skills. */
  readonly path: string;
  /** In the skill; absent: all of it. */
  readonly file?: string;
  readonly does: { readonly kind: "write"; readonly text: string } | { readonly kind: "remove" };
  /** It is there already: what is there is kept as a version. */
  readonly exists: boolean;
  readonly result: JsonObject;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const NAME_RULE = "use lower-case letters, digits, dots, _ and -, at most 64, starting with a letter or digit";

/** @throws {ToolFailure} for whatever keeps the call from being carried out; nothing is changed then. */
export async function planChange(input: ManageInput, shelf: SkillShelf, places: Places): Promise<Change> {
  if (!(Object.keys(PLANS) as string[]).includes(input.action))
    throw refusal("bad_arguments", `Unknown action '${input.action}'. Use: ${Object.keys(PLANS).join(", ")}`);
  if ((input.name ?? "").trim() === "") throw refusal("bad_arguments", `name is required for '${input.action}'.`);
  return PLANS[input.action as keyof typeof PLANS](input, shelf, places);
}

const PLANS = { create, edit, patch, delete: remove, write_file: writeFile, remove_file: removeFile } as const;

async function create(input: ManageInput, shelf: SkillShelf): Promise<Change> {
  const { name, category = "" } = input;
  const content = needed(input, "content");
  if (!NAME.test(name))
    throw refusal("bad_arguments", `${JSON.stringify(name)} is not a valid skill name: ${NAME_RULE}.`);
  if (category !== "" && !NAME.test(category))
    throw refusal("bad_arguments", `${JSON.stringify(category)} is not a valid category name: ${NAME_RULE}.`);
  await valid(content, shelf);
  const path = category === "" ? name : `${category}/${name}`;
  const named = String((await shelf.head(content)).data["name"]);
  const before = (await shelf.all()).find(
    (skill) => basename(skill.path) === name || skill.name === name || skill.name === named,
  );
  const there = before?.folder ?? (existsSync(join(shelf.folder, path)) ? join(shelf.folder, path) : undefined);
  if (there !== undefined)
    throw refusal(
      "conflict",
      `A skill named '${name}' already exists at ${there}.`,
      "Change it with patch, or use another name.",
    );
  const hint = `Add references, templates, scripts or assets with skill_manage(action='write_file', name='${name}', file_path='references/example.md', file_content='...').`;
  return {
    path,
    file: "SKILL.md",
    does: { kind: "write", text: content },
    exists: false,
    result: definedFields({
      success: true,
      message: `Skill '${name}' created.`,
      path,
      skill_md: join(shelf.folder, path, "SKILL.md"),
      _change: await described(content, shelf),
      category: category === "" ? undefined : category,
      hint,
    }),
  };
}

async function edit(input: ManageInput, shelf: SkillShelf): Promise<Change> {
  const content = needed(input, "content");
  await valid(content, shelf);
  const skill = await own(input.name, shelf);
  return {
    path: skill.path,
    file: "SKILL.md",
    does: { kind: "write", text: content },
    exists: true,
    result: {
      success: true,
      message: `Skill '${input.name}' updated (full rewrite).`,
      path: skill.folder,
      _change: await described(content, shelf),
    },
  };
}

async function patch(input: ManageInput, shelf: SkillShelf, places: Places): Promise<Change> {
  const oldString = needed(input, "old_string").replaceAll("\r\n", "\n");
  const newString = needed(input, "new_string", "may be empty").replaceAll("\r\n", "\n");
  const skill = await own(input.name, shelf);
  const file = input.file_path || "SKILL.md";
  const path = file === "SKILL.md" ? join(skill.folder, file) : supportPath(skill, file, "write", places);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw noFile(input.name, skill, file, places);
  const stored = decodeBytes(readFileSync(path))?.text;
  if (stored === undefined) throw refusal("bad_arguments", `${file} is not text, so it cannot be patched.`);
  const text = stored.replaceAll("\r\n", "\n");
  const { describeFault, replace } = await import("hermes-agent/edit");
  const replaced = replace(text, oldString, newString, { all: input.replace_all === true, path });
  const preview = { file_preview: text.length > 500 ? `${text.slice(0, 500).toWellFormed()}...` : text };
  if (replaced.kind === "ambiguous")
    throw refusal(
      "conflict",
      `Found ${replaced.count} matches for old_string; nothing was changed.`,
      "Include more lines around it in old_string, or set replace_all.",
      preview,
    );
  if (replaced.kind !== "replaced") {
    const { message, hint } = describeFault(replaced, text, oldString, file);
    throw refusal(
      "conflict",
      message,
      replaced.kind === "missing" ? "Copy the text exactly from skill_view." : hint,
      preview,
    );
  }
  const problem = file === "SKILL.md" ? await whyNoSkill(replaced.text, shelf) : tooLong(replaced.text);
  if (problem !== undefined)
    throw refusal(
      "bad_arguments",
      file === "SKILL.md" ? `Patch would break SKILL.md structure: ${problem}` : problem,
      undefined,
      preview,
    );
  const counted = `${replaced.count} replacement${replaced.count === 1 ? "" : "s"}`;
  return {
    path: skill.path,
    file,
    does: { kind: "write", text: stored.includes("\r\n") ? replaced.text.replaceAll("\n", "\r\n") : replaced.text },
    exists: true,
    result: {
      success: true,
      message: `Patched ${file} in skill '${input.name}' (${counted}).`,
      strategy: replaced.strategy,
      _change: { old: short(oldString), new: short(newString) },
    },
  };
}

async function writeFile(input: ManageInput, shelf: SkillShelf, places: Places): Promise<Change> {
  const file = needed(input, "file_path");
  const text = needed(input, "file_content", "may be empty");
  if (file === "SKILL.md") await valid(text, shelf);
  const skill = await own(input.name, shelf);
  const path = file === "SKILL.md" ? join(skill.folder, file) : supportPath(skill, file, "write", places);
  const problem = tooLong(text);
  if (problem !== undefined) throw refusal("bad_arguments", problem);
  if (existsSync(path) && !statSync(path).isFile()) throw refusal("conflict", `${file} is a folder.`);
  return {
    path: skill.path,
    file,
    does: { kind: "write", text },
    exists: true,
    result: { success: true, message: `File '${file}' written to skill '${input.name}'.`, path },
  };
}

async function removeFile(input: ManageInput, shelf: SkillShelf, places: Places): Promise<Change> {
  const file = needed(input, "file_path");
  const skill = await own(input.name, shelf);
  if (statSync(supportPath(skill, file, "delete", places), { throwIfNoEntry: false })?.isFile() !== true)
    throw noFile(input.name, skill, file, places);
  return {
    path: skill.path,
    file,
    does: { kind: "remove" },
    exists: true,
    result: { success: true, message: `File '${file}' removed from skill '${input.name}'.` },
  };
}

async function remove(input: ManageInput, shelf: SkillShelf): Promise<Change> {
  const skill = await own(input.name, shelf);
  const into = input.absorbed_into ?? "";
  if (into !== "") {
    const other = await own(into, shelf);
    if (other.folder === skill.folder) throw refusal("bad_arguments", "A skill cannot be absorbed into itself.");
  }
  return {
    path: skill.path,
    does: { kind: "remove" },
    exists: true,
    result: { success: true, message: `Skill '${input.name}' deleted.` },
  };
}

/** A skill of the home that a call may change. */
async function own(name: string, shelf: SkillShelf): Promise<Skill> {
  if (shelf.ofPlugins().some((one) => one.name === name))
    throw refusal(
      "blocked",
      `The skill '${name}' belongs to a plugin and is read-only.`,
      "Create one with another name and your changes.",
    );
  const named = (await shelf.all()).filter(
    (skill) => skill.path === name || basename(skill.path) === name || skill.name === name,
  );
  const found = named.filter(({ source }) => source === "home");
  const [skill] = found;
  if (skill === undefined) {
    if (named.length > 0)
      throw refusal(
        "blocked",
        `The skill '${name}' is in ${named[0]!.folder}, a folder of skills.external_dirs, and is read-only.`,
      );
    throw refusal("not_found", `Skill '${name}' not found.`, "skills_list lists all skills.");
  }
  if (found.length > 1)
    throw refusal("conflict", `${found.length} skills are named '${name}'.`, "Use the path: category/name.", {
      matches: found.map(({ path }) => path),
    });
  const inside = relative(realpathSync(shelf.folder), realpathSync(skill.folder));
  if (
    inside === "" ||
    inside.split(sep)[0] === ".." ||
    inside !== skill.path.split("/").join(sep) ||
    lstatSync(skill.folder).isSymbolicLink()
  )
    throw refusal("blocked", `The skill '${name}' is a link to ${realpathSync(skill.folder)}, and is read-only.`);
  return skill;
}

function supportPath(skill: Skill, file: string, access: "write" | "delete", places: Places): string {
  const found = skillFile(skill.folder, file, access, places);
  if ("refused" in found) throw refusal("blocked", found.refused);
  const [top, ...rest] = file.split("/");
  if (!(SUPPORT as readonly string[]).includes(top!) || rest.length === 0)
    throw refusal("bad_arguments", `File must be under one of: ${[...SUPPORT].sort().join(", ")}. Got: '${file}'`);
  // Links inside a skill are followed for reading only: what is behind one may be another file's.
  if (found.path !== join(realpathSync(skill.folder), file))
    throw refusal("blocked", `'${file}' is a link, and is read-only.`);
  return found.path;
}

function noFile(name: string, skill: Skill, file: string, places: Places): Error {
  const files = Object.values(filesOf(skill.folder, places)).flat();
  return refusal(
    "not_found",
    `File '${file}' not found in skill '${name}'.`,
    files.length === 0 ? "The skill has no files besides SKILL.md." : undefined,
    { available_files: files.length === 0 ? null : (files as unknown as Json) },
  );
}

function needed(
  input: ManageInput,
  key: "content" | "old_string" | "new_string" | "file_path" | "file_content",
  empty?: "may be empty",
): string {
  const value = input[key];
  if (typeof value !== "string" || (empty === undefined && value.trim() === ""))
    throw refusal("bad_arguments", `${key} is required for '${input.action}'.`);
  return value;
}

async function valid(content: string, shelf: SkillShelf): Promise<void> {
  const problem = await whyNoSkill(content, shelf);
  if (problem !== undefined)
    throw refusal(
      "bad_arguments",
      problem,
      "SKILL.md starts with --- and name: and description:, then ---, then the instructions.",
    );
}

async function described(content: string, shelf: SkillShelf): Promise<JsonObject> {
  return { description: short(String((await shelf.head(content)).data["description"])) };
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197).toWellFormed()}...` : text;
}
