import type { Json } from "../../contract/common/json.ts";

/**
 * The allowed values of one key of `config.yaml`: the part of JSON Schema that settings need, as in a plugin's
 * manifest, and five more words: `env`, `aliases`, `unused`, `undone`, `instead`.
 */
export interface Setting {
  readonly type?: SettingType | readonly SettingType[];
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** A text of this kind; empty is allowed. */
  readonly format?: "time-zone";
  readonly items?: Setting;
  /** Keys of a map. With them any other key is an error, unless `additionalProperties` describes those. */
  readonly properties?: Settings;
  readonly additionalProperties?: boolean | Setting;
  readonly required?: readonly string[];
  /** A variable of the process that beats the file; in `.env` it only fills what the file leaves open. */
  readonly env?: string;
  /** `env` as a manifest may spell it, since JSON Schema asks for the prefix. */
  readonly "x-env"?: string;
  /** Other spellings of this key. */
  readonly aliases?: readonly string[];
  /** A plain value in place of the map means this key of it: `model: x` is `model: { default: x }`. */
  readonly shorthand?: string;
  /** Known from the original and read by nothing here: accepted, listed by `hermes doctor`. */
  readonly unused?: boolean;
  /** Values of the original without effect here: the user gets a notice, and the default applies. */
  readonly undone?: readonly Json[];
  /** A hint for a value that is refused or has no effect. */
  readonly instead?: string;
}

export type SettingType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
export type Settings = { readonly [key: string]: Setting };

/** The setting at a dotted path. `undefined`: no such key. */
export function settingAt(root: Setting, path: string): Setting | undefined {
  let here: Setting | undefined = root;
  for (const key of splitPath(path)) {
    const properties: Settings | undefined = here?.properties;
    const name: string = properties === undefined ? key : canonicalKey(properties, key);
    if (properties !== undefined && Object.hasOwn(properties, name)) here = properties[name];
    else if (typeof here?.additionalProperties === "object") here = here.additionalProperties;
    else if (isOpen(here)) here = {};
    else return undefined;
  }
  return here;
}

/** A map that takes any key. */
export function isOpen(setting: Setting | undefined): boolean {
  if (setting === undefined) return false;
  if (setting.additionalProperties !== undefined) return setting.additionalProperties !== false;
  const types = typesOf(setting);
  return setting.properties === undefined && (types.length === 0 || types.includes("object"));
}

export function typesOf(setting: Setting): readonly SettingType[] {
  if (setting.type === undefined) return [];
  return typeof setting.type === "string" ? [setting.type] : setting.type;
}

export function canonicalKey(properties: Settings, key: string): string {
  if (Object.hasOwn(properties, key)) return key;
  for (const name in properties) {
    if (properties[name]!.aliases?.includes(key)) return name;
  }
  return key;
}

export function splitPath(path: string): readonly string[] {
  return path.split(".");
}

export interface Leaf {
  readonly path: string;
  readonly setting: Setting;
  readonly unused: boolean;
}

/** Every leaf and open map with its path; maps with known keys are entered. */
export function leaves(root: Setting): readonly Leaf[] {
  const found: Leaf[] = [];
  visit(root, "", false);
  return found;

  function visit(setting: Setting, path: string, above: boolean): void {
    const unused = above || setting.unused === true;
    if (setting.properties === undefined) {
      found.push({ path, setting, unused });
      return;
    }
    for (const key in setting.properties) visit(setting.properties[key]!, path === "" ? key : `${path}.${key}`, unused);
  }
}

/** The variable that beats the file for this setting. */
export function variableOf(setting: Setting): string | undefined {
  return setting.env ?? setting["x-env"];
}

/** The allowed values in words: `manual, smart or off`, `a whole number from 1`. */
export function allowedWords(setting: Setting): string {
  if (setting.enum !== undefined)
    return joinOr(setting.enum.map((value) => (typeof value === "string" ? value || '""' : JSON.stringify(value))));
  const words = typesOf(setting).map((type) => typeWords(type, setting));
  return words.length === 0 ? "anything" : joinOr(words);
}

function typeWords(type: SettingType, setting: Setting): string {
  const range =
    setting.minimum !== undefined && setting.maximum !== undefined
      ? ` from ${setting.minimum} to ${setting.maximum}`
      : setting.minimum !== undefined
        ? ` from ${setting.minimum}`
        : setting.maximum !== undefined
          ? ` up to ${setting.maximum}`
          : "";
  switch (type) {
    case "string":
      if (setting.format === "time-zone") return "the name of a time zone, like Europe/Berlin, or empty";
      return setting.pattern === undefined ? "text" : `text that matches ${setting.pattern}`;
    case "integer":
      return `a whole number${range}`;
    case "number":
      return `a number${range}`;
    case "boolean":
      return "true or false";
    case "array":
      return setting.items === undefined ? "a list" : `a list, each ${allowedWords(setting.items)}`;
    case "object":
      return setting.properties === undefined ? "a map" : `a map of ${Object.keys(setting.properties).join(", ")}`;
    case "null":
      return "null";
  }
}

function joinOr(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
