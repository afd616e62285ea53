import { basename } from "node:path";
import { UserError } from "../../contract/failure.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { PluginManifest } from "../../contract/plugin.ts";
import { parseSettings, type ParsedSettings } from "../config/parse-settings.ts";
import { placeOf } from "../config/settings-file.ts";
import { isSecretName } from "../../safety/secret-names.ts";

const KINDS: readonly PluginManifest["kind"][] = ["standalone", "backend", "exclusive", "platform", "model-provider"];

export interface ReadManifest {
  readonly manifest: PluginManifest;
  /** What was odd and read all the same, each with its place. */
  readonly warnings: readonly string[];
}

/**
 * Reads `plugin.yaml`. Unknown keys are ignored, so that newer manifests load; what is known and wrong is an error.
 * @throws {UserError} with file, line and column.
 */
export async function readManifest(text: string, file: string, dir: string): Promise<ReadManifest> {
  const parsed = await parseSettings(text);
  const [first] = parsed.problems;
  if (first !== undefined) throw new UserError(`${file}:${first.line}:${first.column}: ${first.text}`);
  const { data } = parsed;
  const at = (path: string): string => `${file}${lineOf(parsed, path)}`;
  const warnings: string[] = [];
  const word = (key: string): string => {
    const value = data[key];
    if (value === undefined || value === null) return "";
    if (typeof value === "object") throw new UserError(`${at(key)}: "${key}" must be a text.`);
    return String(value).trim();
  };
  const words = (key: string): readonly string[] => {
    const value = data[key];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new UserError(`${at(key)}: "${key}" must be a list of names.`);
    return value.map(String);
  };
  const name = word("name") || basename(dir);
  const kindWord = word("kind").toLowerCase();
  const kind = KINDS.find((known) => known === kindWord);
  if (kindWord !== "" && kind === undefined) warnings.push(`${at("kind")}: "${kindWord}" is no kind of plugin and counts as standalone. Kinds: ${KINDS.join(", ")}.`);
  const author = word("author");
  const config = configOf(data, name, at);
  return {
    warnings,
    manifest: {
      name,
      version: word("version"),
      description: word("description"),
      ...(author === "" ? {} : { author }),
      kind: kind ?? "standalone",
      requires_env: needs(data, "requires_env", at),
      optional_env: needs(data, "optional_env", at),
      provides_tools: words("provides_tools"),
      provides_hooks: words("provides_hooks"),
      ...(config === undefined ? {} : { config }),
    },
  };
}

function needs(data: JsonObject, key: "requires_env" | "optional_env", at: (path: string) => string): PluginManifest["requires_env"] {
  const value = data[key];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new UserError(`${at(key)}: "${key}" must be a list of variables.`);
  return value.map((need: unknown, index) => {
    if (typeof need === "string") return { name: need };
    const map = need as JsonObject | null;
    if (typeof map !== "object" || map === null || typeof map["name"] !== "string" || map["name"] === "") {
      throw new UserError(`${at(`${key}.${index}`)}: an item of "${key}" is a variable's name, or a map with "name".`);
    }
    const description = map["description"] ?? map["prompt"];
    const secret = map["secret"] ?? map["password"];
    return {
      name: map["name"],
      ...(typeof description === "string" ? { description } : {}),
      ...(typeof map["url"] === "string" ? { url: map["url"] } : {}),
      secret: typeof secret === "boolean" ? secret : isSecretName(map["name"]),
    };
  });
}

function configOf(data: JsonObject, name: string, at: (path: string) => string): PluginManifest["config"] {
  const config = data["config"];
  if (config === undefined || config === null) return undefined;
  const { section, schema } = typeof config === "object" && !Array.isArray(config) ? (config as JsonObject) : {};
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new UserError(`${at("config")}: "config" is a map with "schema", and "section" unless the settings live in plugins.entries.${name}.`);
  return { section: typeof section === "string" ? section : `plugins.entries.${name}`, schema: schema as JsonObject };
}

function lineOf(parsed: ParsedSettings, path: string): string {
  const place = placeOf(parsed.places, path);
  return place === undefined ? "" : `:${place[0]}:${place[1]}`;
}
