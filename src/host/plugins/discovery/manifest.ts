import { basename } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import type { ManifestVariable, PluginGrants, PluginManifest } from "../../../contract/plugins/plugin.ts";
import { parseSettings, type ParsedSettings } from "../../config/parse-settings.ts";
import { placeOf } from "../../config/settings-file.ts";
import { programOf } from "./plugin-program.ts";
import { isSecretName } from "../../../safety/secrets/secret-names.ts";

const KINDS: readonly PluginManifest["kind"][] = ["standalone", "backend", "exclusive", "platform", "model-provider"];
const FORMAT = 1;
/** The name becomes a folder name and the namespace of skills. */
// oxlint-disable-next-line no-control-regex
const NAME = /^[^./\\:\s\u0000-\u001f][^/\\:\u0000-\u001f]{0,63}$/;

/** Keys that Hermes reads, and keys for people and other programs that need no reader here. */
const READ = [
  "name",
  "version",
  "description",
  "author",
  "label",
  "kind",
  "chosen_by",
  "opt_in",
  "manifest_version",
  "requires_env",
  "optional_env",
  "provides_tools",
  "provides_hooks",
  "hooks",
  "pip_dependencies",
  "python_dependencies",
  "grants",
  "config",
  "program",
];
const FOR_OTHERS = [
  "license",
  "homepage",
  "repository",
  "keywords",
  "authors",
  "external_dependencies",
  "provides_web_providers",
  "provides_browser_providers",
  "platforms",
];
/** Other words for a known key that are too different for a typo. */
const MEANT: { readonly [key: string]: string | undefined } = {
  requirements: "pip_dependencies",
  dependencies: "pip_dependencies",
  tools: "provides_tools",
  env: "requires_env",
  type: "kind",
  config_schema: "config",
  command: "program",
  executable: "program",
  entry: "program",
};
const GRANTS = ["read", "write", "hosts", "tools"] as const;

export interface ReadManifest {
  readonly manifest: PluginManifest;
  /** Whether the manifest declares its kind, rather than leaving it to the code. */
  readonly saysKind: boolean;
  /** Odd entries that were read anyway, each with its location. */
  readonly warnings: readonly string[];
  /**
   * Unknown keys, and descriptive keys in an unexpected form, each with its location. They do not stop a start, but
   * fail `plugins check`.
   */
  readonly unused: readonly string[];
  /**
   * `provides_…` keys that have no effect, because the registration defines what the plugin provides. For `plugins
   * check`.
   */
  readonly notes: readonly string[];
}

/**
 * Reads `plugin.yaml`. Ignores unknown keys, so that newer manifests load. Reads descriptive keys in an unexpected form
 * as far as possible and reports them, as the original does. An invalid name, variable or grant is an error.
 * @throws {UserError} with file, line and column.
 */
export async function readManifest(text: string, file: string, dir: string): Promise<ReadManifest> {
  const parsed = await parseSettings(text);
  const [first] = parsed.problems;
  if (first === undefined) return manifestOf(parsed.data, dir, (path) => `${file}${lineOf(parsed, path)}`);
  const quoted = text.replaceAll(
    UNQUOTED,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
  );
  const again = quoted === text ? parsed : await parseSettings(quoted);
  if (again.problems.length > 0) throw new UserError(`${file}:${first.line}:${first.column}: ${first.text}`);
  const read = manifestOf(again.data, dir, (path) => `${file}${lineOf(again, path)}`);
  const line = `${file}:${first.line}: a text that contains ": " must be in quotes; it was read as if it were.`;
  return { ...read, warnings: [line, ...read.warnings] };
}

/** Descriptive lines that YAML refuses and the original's line reader accepts: `description: Notes: fast and small`. */
const UNQUOTED = /^(description|author|homepage|license):[ \t]+(?!["'|>&*{[])([^\n#]*: [^\n]*)$/gm;

/** Reads a manifest from data: a parsed `plugin.yaml`, or `"hermes": { "plugin": … }` of a package. */
export function manifestOf(data: JsonObject, dir: string, at: (path: string) => string): ReadManifest {
  const warnings: string[] = [];
  const odd: string[] = [];
  const word = (key: string): string => {
    const value = data[key];
    if (value === undefined || value === null) return "";
    if (typeof value !== "object") return String(value).trim();
    odd.push(`${at(key)}: "${key}" must be a string.`);
    return nameIn(value) ?? "";
  };
  /** Names in any accepted form: a list, a single name, the keys of a map, maps with "name". */
  const words = (key: string): readonly string[] => {
    const value = data[key];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      odd.push(`${at(key)}: "${key}" must be a list of names.`);
      return typeof value === "string" ? [value] : typeof value === "object" ? Object.keys(value) : [];
    }
    return value.flatMap((item: Json, index) => {
      if (typeof item !== "object") return [String(item)];
      odd.push(`${at(`${key}.${index}`)}: an item of "${key}" must be a name.`);
      const found = nameIn(item);
      return found === undefined ? [] : [found];
    });
  };
  const format = data["manifest_version"] ?? 1;
  if (format !== FORMAT)
    throw new UserError(
      `${at("manifest_version")}: the manifest has version ${JSON.stringify(format)}; this version of Hermes reads version ${FORMAT}.`,
    );
  if (typeof data["name"] === "object" && data["name"] !== null)
    throw new UserError(`${at("name")}: "name" must be a string.`);
  const name = word("name") || basename(dir);
  if (!NAME.test(name))
    throw new UserError(
      `${at("name")}: "${name}" cannot be a plugin's name. Use up to 64 characters, without / \\ : and without a leading ".".`,
    );
  const kindWord = word("kind").toLowerCase();
  const kind = KINDS.find((known) => known === kindWord);
  if (kindWord !== "" && kind === undefined)
    warnings.push(
      `${at("kind")}: "${kindWord}" is not a kind of plugin, so the plugin counts as standalone. Kinds: ${KINDS.join(", ")}.`,
    );
  const version = word("version");
  const description = inOneLine(word("description"));
  const author = word("author");
  const label = word("label");
  const chosenBy = word("chosen_by");
  const config = configOf(data, name, at, warnings);
  const grants = grantsOf(data, at);
  const program = programOf(data, dir, at);
  const toolNames = words("provides_tools");
  // Some published plugins write `hooks`; a map under that key belongs to the plugin.
  const hookNames = [...new Set([...words("provides_hooks"), ...(Array.isArray(data["hooks"]) ? words("hooks") : [])])];
  if (typeof data["requires_env"] === "string")
    odd.push(`${at("requires_env")}: "requires_env" must be a list of variables.`);
  const needs = variables(data, "requires_env", at);
  const [required, requested] = [
    needs.filter((need) => !isRequested(data, need)),
    needs.filter((need) => isRequested(data, need)),
  ];
  const unread = Object.keys(data).filter((key) => !READ.includes(key) && !FOR_OTHERS.includes(key));
  const unusedText = (key: string): string => {
    const near = (Object.hasOwn(MEANT, key) ? MEANT[key] : undefined) ?? nearest(key, READ);
    return `${at(key)}: "${key}" is not a key of plugin.yaml and has no effect.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
  };
  const dependencies = [...words("pip_dependencies"), ...words("python_dependencies")];
  return {
    warnings,
    saysKind: kindWord !== "",
    unused: [...odd, ...unread.filter((key) => !announces(key)).map(unusedText), ...oddVariables(data, at)],
    notes: unread
      .filter(announces)
      .map((key) => `${at(key)}: "${key}" has no effect: the registration defines what the plugin provides.`),
    manifest: {
      name,
      version,
      description,
      author: author === "" ? undefined : author,
      label: label === "" ? undefined : label,
      kind: kind ?? "standalone",
      chosen_by: chosenBy === "" ? undefined : chosenBy,
      opt_in: data["opt_in"] === true ? true : undefined,
      requires_env: required,
      optional_env: [...variables(data, "optional_env", at), ...requested],
      provides_tools: toolNames,
      provides_hooks: hookNames,
      program,
      dependencies: dependencies.length === 0 ? undefined : dependencies,
      grants,
      config,
    },
  };
}

/** The name in a map: `{ name: … }`, or its only key. */
function nameIn(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { name } = value as JsonObject;
  const [only, ...more] = Object.keys(value);
  return typeof name === "string" ? name : more.length === 0 ? only : undefined;
}

/** `requires_env` also lists optional variables: `required: false`. */
function isRequested(data: JsonObject, { name }: ManifestVariable): boolean {
  const listed = data["requires_env"];
  if (typeof listed !== "object" || listed === null) return false;
  const message: Json | undefined = Array.isArray(listed)
    ? (listed as readonly Json[]).find((need) => isObject(need) && need["name"] === name)
    : (listed as JsonObject)[name];
  return isObject(message) && (message["required"] === false || message["optional"] === true);
}

/** A description appears in one row of a list. */
function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function variables(
  data: JsonObject,
  key: "requires_env" | "optional_env",
  at: (path: string) => string,
): readonly ManifestVariable[] {
  const value = data[key];
  if (value === undefined || value === null) return [];
  // Reads a map by name, as the original writes it, a list, or a single one.
  const list: unknown =
    typeof value === "string"
      ? [value]
      : typeof value === "object" && !Array.isArray(value)
        ? Object.entries(value).map(([name, need]) => ({ ...(need as JsonObject | null), name }))
        : value;
  if (!Array.isArray(list)) throw new UserError(`${at(key)}: "${key}" must be a list of variables.`);
  return list.map((need: unknown, index): ManifestVariable => {
    const map = (typeof need === "string" ? { name: need } : byItsName(need)) as JsonObject | null;
    if (typeof map !== "object" || map === null || typeof map["name"] !== "string" || map["name"] === "") {
      throw new UserError(
        `${at(`${key}.${index}`)}: an item of "${key}" must be a variable's name, or a map with "name".`,
      );
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(map["name"]))
      throw new UserError(`${at(`${key}.${index}`)}: "${map["name"]}" is not a valid name of a variable.`);
    if (typeof need === "string") return { name: need };
    const description = map["description"] ?? map["prompt"];
    const secret = map["secret"] ?? map["password"];
    return {
      name: map["name"],
      description: typeof description === "string" ? inOneLine(description) : undefined,
      prompt: typeof map["prompt"] === "string" ? map["prompt"] : undefined,
      tools: Array.isArray(map["tools"]) ? map["tools"].map(String) : undefined,
      url: typeof map["url"] === "string" ? map["url"] : undefined,
      hosts: Array.isArray(map["hosts"]) ? map["hosts"].map(String) : undefined,
      secret: typeof secret === "boolean" ? secret : isSecretName(map["name"]),
    };
  });
}

/** `- API_KEY: what it is for` names a variable, too. */
function byItsName(need: unknown): unknown {
  const [only, ...more] = typeof need === "object" && need !== null ? Object.entries(need) : [];
  return only === undefined || more.length > 0 || !/^[A-Z][A-Z0-9_]*$/.test(only[0])
    ? need
    : { name: only[0], description: only[1] as unknown };
}

/** Keys of a variable's map, with their types. */
const OF_VARIABLE: { readonly [key: string]: "string" | "boolean" | "list" } = {
  name: "string",
  description: "string",
  prompt: "string",
  url: "string",
  secret: "boolean",
  password: "boolean",
  tools: "list",
  hosts: "list",
  advanced: "boolean",
  category: "string",
  required: "boolean",
  optional: "boolean",
  default: "string",
};

/** Reports keys of a variable that are unknown or have the wrong type. */
function oddVariables(data: JsonObject, at: (path: string) => string): readonly string[] {
  return ["requires_env", "optional_env"].flatMap((list) =>
    Object.entries(data[list] ?? {}).flatMap(([index, need]) =>
      typeof need !== "object" || need === null
        ? []
        : Object.entries(need as JsonObject).flatMap(([key, value]) => {
            const path = `${list}.${index}.${key}`;
            const wanted = Object.hasOwn(OF_VARIABLE, key) ? OF_VARIABLE[key] : undefined;
            if (wanted === undefined) {
              const near = nearest(key, Object.keys(OF_VARIABLE));
              return [
                `${at(path)}: "${key}" is not a key of a variable and has no effect.${near === undefined ? "" : ` Did you mean "${near}"?`}`,
              ];
            }
            const kind =
              typeof value === "string"
                ? "string"
                : typeof value === "boolean"
                  ? "boolean"
                  : Array.isArray(value)
                    ? "list"
                    : "else";
            return value === null ||
              kind === wanted ||
              (wanted === "string" && typeof value === "number" && key === "default")
              ? []
              : [`${at(path)}: "${key}" of a variable must be a ${wanted}, not ${JSON.stringify(value)}.`];
          }),
    ),
  );
}

function grantsOf(data: JsonObject, at: (path: string) => string): PluginGrants | undefined {
  const grants = data["grants"];
  if (grants === undefined || grants === null) return undefined;
  if (typeof grants !== "object" || Array.isArray(grants))
    throw new UserError(`${at("grants")}: "grants" must be a map of ${GRANTS.join(", ")}.`);
  // A misspelt grant would silently grant nothing, or be read as one that does.
  const odd = Object.keys(grants).find((key) => !(GRANTS as readonly string[]).includes(key));
  if (odd !== undefined)
    throw new UserError(`${at(`grants.${odd}`)}: "${odd}" is not a grant. Grants: ${GRANTS.join(", ")}.`);
  const names = (key: (typeof GRANTS)[number]): readonly string[] => {
    const value = (grants as JsonObject)[key] ?? [];
    if (!Array.isArray(value)) throw new UserError(`${at(`grants.${key}`)}: "grants.${key}" must be a list of names.`);
    const wrong = value.findIndex((item) => typeof item === "object");
    if (wrong >= 0) throw new UserError(`${at(`grants.${key}.${wrong}`)}: an item of "grants.${key}" must be a name.`);
    return value.map(String);
  };
  const [read, write, hosts, tools] = GRANTS.map(names) as [
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
  ];
  return { read, write, hosts, tools };
}

function configOf(
  data: JsonObject,
  name: string,
  at: (path: string) => string,
  warnings: string[],
): PluginManifest["config"] {
  const config = data["config"];
  if (config === undefined || config === null) return undefined;
  // Any other form, such as the original's plugins have, is for the plugin to read.
  if (typeof config !== "object" || Array.isArray(config) || !("schema" in config)) {
    warnings.push(`${at("config")}: "config" has no "schema", so Hermes leaves it to the plugin.`);
    return undefined;
  }
  const { section, schema, registers } = config as JsonObject;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new UserError(
      `${at("config")}: "config" must be a map with "schema", and "section" unless the settings are in plugins.entries.${name}.`,
    );
  return {
    section: typeof section === "string" ? section : `plugins.entries.${name}`,
    schema: schema as JsonObject,
    registers: registers === true ? registers : undefined,
  };
}

/** Plugins of the original list here what else they provide, for readers. A typo of a known key is reported as such. */
function announces(key: string): boolean {
  const what = /^provides_(\w+)$/.exec(key)?.[1];
  return what !== undefined && nearest(what, ["tools", "hooks"]) === undefined;
}

function lineOf(parsed: ParsedSettings, path: string): string {
  const place = placeOf(parsed.places, path);
  return place === undefined ? "" : `:${place[0]}:${place[1]}`;
}
