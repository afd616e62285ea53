import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { definedFields, objectOf, type Json, type JsonObject, type SkillShelf } from "hermes-agent/plugin";

/** A variable that a skill's frontmatter asks for. */
interface Need {
  readonly name: string;
  readonly prompt: string;
  readonly help?: string;
  readonly required_for?: string;
  readonly optional?: true;
}

/** Requirements of a skill, and which are missing. Never reads or reports values. */
export function setupNeeds(data: JsonObject, shelf: SkillShelf, home: string): JsonObject {
  const setup = objectOf(data["setup"]);
  const needs = needsOf([
    ...listOf(data["required_environment_variables"]),
    ...listOf(setup["collect_secrets"]),
    ...listOf(objectOf(data["prerequisites"])["env_vars"]),
  ]);
  const missing = needs.filter(({ name, optional }) => optional !== true && !shelf.has(name)).map(({ name }) => name);
  const files = listOf(data["required_credential_files"]).flatMap(
    (one) => textOf(typeof one === "string" ? one : objectOf(one)["path"]) ?? [],
  );
  const absent = files.filter(
    (file) => isAbsolute(file) || file.split("/").includes("..") || !existsSync(join(home, file)),
  );
  const needed = missing.length + absent.length > 0;
  const help =
    textOf(setup["help"]) ?? needs.find(({ name, help: own }) => own !== undefined && missing.includes(name))?.help;
  return definedFields({
    required_environment_variables: needs as unknown as Json,
    required_commands: [],
    missing_required_environment_variables: missing,
    missing_credential_files: absent,
    missing_required_commands: [],
    setup_needed: needed,
    setup_skipped: false,
    readiness_status: needed ? "setup_needed" : "available",
    setup_help: help,
    setup_note: needed ? noteOf(missing, absent) : undefined,
  });
}

function noteOf(variables: readonly string[], files: readonly string[]): string {
  const message = [
    ...variables.map((name) => `${name} is not set; the user can store it with: hermes config set ${name} VALUE`),
    ...files.map((file) => `the file ${file} is not in the agent's home`),
  ];
  return `Setup needed: ${message.join("; ")}.`;
}

/** The first mention of a name counts. */
function needsOf(mentions: readonly Json[]): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const mention of mentions) {
    const data = typeof mention === "string" ? { name: mention } : objectOf(mention);
    const name = textOf(data["name"]) ?? textOf(data["env_var"]);
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name) || needs.has(name)) continue;
    const help = textOf(data["help"]) ?? textOf(data["provider_url"]) ?? textOf(data["url"]);
    const requiredFor = textOf(data["required_for"]);
    needs.set(name, {
      name,
      prompt: textOf(data["prompt"]) ?? `Enter value for ${name}`,
      help,
      required_for: requiredFor,
      optional: data["optional"] === true ? true : undefined,
    });
  }
  return [...needs.values()];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined || value === null ? [] : [value];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
