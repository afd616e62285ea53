import type { ConfigDesk, Notice } from "../../contract/app.ts";
import { UserError } from "../../contract/failure.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { EnvironmentDesk } from "../environment.ts";
import type { Home } from "../home.ts";
import { secretValuesOf } from "../secrets.ts";
import { fitValue } from "./check-settings.ts";
import { composeSchema, type PluginSection } from "./compose-schema.ts";
import { editSettings, type SettingsEdit } from "./edit-settings.ts";
import { nearest } from "../../contract/nearest.ts";
import { POLICY_SECTIONS } from "./sections/policy.ts";
import { allowedWords, canonicalKey, leaves, settingAt, splitPath, typesOf, variableOf, type Setting } from "./setting.ts";
import { isObject, masked, merge, nested, texts, valueAt } from "./settings-values.ts";
import { loadSettings, placeOf, problemLine, type LoadedSettings, type SettingsProblem } from "./settings-file.ts";

/** The settings of one process: `config.yaml`, `cli-config.yaml`, variables and flags over the defaults, validated. */
export interface Config extends ConfigDesk {
  /** Reads the files again, what the agent may do included: a person asked for it. @throws {UserError} as when they are first read. */
  load(): Promise<void>;
  /** A section with its defaults; empty when nothing is known of it. */
  section(name: string): JsonObject;
  readonly notices: readonly Notice[];
  /** Every mistake of the files, with its place. */
  readonly problems: readonly SettingsProblem[];
  /** What the files set and no code of this version reads: `terminal.docker_image (config.yaml:7)`. */
  readonly unused: readonly string[];
  /** Keys, tokens and passwords that stand in the files or flags themselves, for masking. */
  secretValues(): readonly string[];
  /** Adds values to a list, takes others out, atomically with respect to other processes. */
  changeList(path: string, change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }): Promise<void>;
  appendToList(path: string, value: string): Promise<void>;
  /** Several edits at once, all or none. */
  edit(edits: readonly SettingsEdit[]): Promise<void>;
}

export interface ConfigOptions {
  readonly home: Home;
  readonly environment: EnvironmentDesk;
  /** Sections that plugins declare in their manifests. */
  readonly sections?: readonly PluginSection[];
  /** Values of this run, by dotted path. */
  readonly flags?: { readonly [path: string]: Json | undefined };
  /** What to do when the file is wrong and no earlier state is known: refuse to start (default), or take its sound part, as `hermes config` and `hermes doctor` do. */
  readonly whenBroken?: "refuse" | "take-sound-part";
  /** `--ignore-user-config`: defaults, variables and flags only. */
  readonly ignoreFile?: boolean;
}

/**
 * Reads the settings. A wrong file never takes force: its last good state stays, with a notice.
 * @throws {UserError} (exit 78) when the file is wrong and there is no last good state.
 */
export async function openConfig(options: ConfigOptions): Promise<Config> {
  const schema = composeSchema(options.sections);
  const config = new LayeredConfig(options, schema);
  await config.load();
  return config;
}

const FILE_NAME = "config.yaml";
const TERMINAL_FILE_NAME = "cli-config.yaml";

type Source = ReturnType<ConfigDesk["explain"]>["source"];

interface Layer {
  readonly source: Source;
  readonly data: JsonObject;
  where?(path: string): string | undefined;
}

class LayeredConfig implements Config {
  readonly file: string;
  readonly #options: ConfigOptions;
  readonly #schema: Setting;
  #layers: readonly Layer[] = [];
  #resolved: JsonObject = {};
  #notices: readonly Notice[] = [];
  #files: readonly LoadedSettings[] = [];
  #secrets: readonly string[] | undefined;

  constructor(options: ConfigOptions, schema: Setting) {
    this.#options = options;
    this.#schema = schema;
    this.file = options.home.file(FILE_NAME);
  }

  async load(): Promise<void> {
    const { home, environment } = this.#options;
    const shared = { home, schema: this.#schema, env: (name: string) => environment.get(name) };
    this.#files = this.#options.ignoreFile
      ? []
      : [await loadSettings(home.file(TERMINAL_FILE_NAME), { ...shared, copyName: "cli-config.last-good.json", only: "terminal" }), await loadSettings(this.file, { ...shared, copyName: "config.last-good.json" })];
    const notices: Notice[] = [];
    for (const file of this.#files) {
      if (file.state === "partly" && (this.#options.whenBroken ?? "refuse") === "refuse") throw brokenError(file);
      if (file.problems.length > 0) notices.push(brokenNotice(file));
      for (const conflict of file.checked.conflicts) notices.push({ level: "warning", text: `${file.file}: ${conflict}` });
    }
    const [fromProcess, fromDotEnv] = this.#variables(notices);
    const settingsFiles = this.#files.map((file) => this.#fileLayer(file));
    const flags = this.#flags();
    this.#layers = [{ source: "default", data: defaultsOf(this.#schema) }, fromDotEnv, ...settingsFiles, fromProcess, flags];
    this.#secrets = undefined;
    this.#resolved = this.#layers.reduce<JsonObject>((all, { data }) => merge(all, data), {});
    if (environment.get("OPENAI_BASE_URL") !== undefined && this.get("model.base_url") === undefined) {
      notices.push({ level: "info", text: "OPENAI_BASE_URL is set and does not choose an endpoint; the configuration does.", hint: "hermes config set model.base_url URL" });
    }
    this.#notices = notices;
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get problems(): readonly SettingsProblem[] {
    return this.#files.flatMap(({ problems }) => problems);
  }

  get unused(): readonly string[] {
    return this.#files.flatMap(({ file, checked, places }) => checked.unused.map((path) => `${path} (${file}${lineSuffix(placeOf(places, path))})`));
  }

  get(path: string): Json | undefined {
    return valueAt(this.#resolved, this.#canonical(path));
  }

  shown(path: string): Json | undefined {
    const value = this.get(path);
    return value === undefined ? undefined : masked(value, splitPath(path).findLast((key) => !/^\d+$/.test(key)) ?? "");
  }

  section(name: string): JsonObject {
    const value = this.get(name);
    return isObject(value) ? value : {};
  }

  explain(path: string): ReturnType<ConfigDesk["explain"]> {
    const canonical = this.#canonical(path);
    const setting = settingAt(this.#schema, canonical);
    const value = valueAt(this.#resolved, canonical);
    const layer = this.#layers.findLast(({ data }) => valueAt(data, canonical) !== undefined);
    const where = layer?.where?.(canonical);
    return {
      value,
      source: layer?.source ?? "unset",
      ...(where === undefined ? {} : { where }),
      ...(setting?.description === undefined ? {} : { description: setting.description }),
      ...(setting === undefined ? {} : { allowed: setting.unused === true ? "anything: this version does not use it" : allowedWords(setting) }),
    };
  }

  async set(path: string, value: string): Promise<void> {
    // A name in capitals is a variable: keys and tokens belong into `.env`.
    if (/^[A-Z][A-Z0-9_]*$/.test(path)) return this.#options.environment.set(path, value);
    const canonical = this.#canonical(path);
    const setting = this.#known(path, canonical);
    const fitted = fitValue(readTyped(value, setting), setting);
    if (fitted === undefined) {
      throw new UserError(`"${canonical}" cannot be ${JSON.stringify(value)}.`, { hint: allowedHint(value, setting), exitCode: 2 });
    }
    await this.edit([{ kind: "set", path: canonical, value: fitted }]);
  }

  async unset(path: string): Promise<boolean> {
    if (/^[A-Z][A-Z0-9_]*$/.test(path)) return this.#options.environment.unset(path);
    const changed = await editSettings(this.file, [{ kind: "unset", path: this.#canonical(path) }], { home: this.#options.home, schema: this.#schema });
    await this.load();
    return changed;
  }

  keys(): ReturnType<ConfigDesk["keys"]> {
    return leaves(this.#schema).flatMap(({ path, setting, unused }) => (unused ? [] : [{ path, description: setting.description ?? "", default: setting.default }]));
  }

  secretValues(): readonly string[] {
    this.#secrets ??= secretValuesOf(texts(this.#resolved, ""));
    return this.#secrets;
  }

  async changeList(path: string, change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }): Promise<void> {
    await this.edit([{ kind: "list", path, ...change }]);
  }

  async appendToList(path: string, value: string): Promise<void> {
    await this.changeList(path, { add: [value] });
  }

  async edit(edits: readonly SettingsEdit[]): Promise<void> {
    for (const { path } of edits) this.#known(path, this.#canonical(path));
    await editSettings(this.file, edits, { home: this.#options.home, schema: this.#schema });
    await this.load();
  }

  #fileLayer(file: LoadedSettings): Layer {
    const ofProfile = this.#options.home.profile !== "default" && this.#options.home.profile !== "custom";
    const data = file.state === "partly" ? withoutBrokenPolicy(file) : file.checked.value;
    return { source: ofProfile ? "profile" : "file", data, where: (path) => `${file.file}${lineSuffix(placeOf(file.places, path))}${file.state === "last-good" ? " (its last good state)" : ""}` };
  }

  /** What variables say: those of the process beat the files, those of `.env` only fill what the files leave open. */
  #variables(notices: Notice[]): readonly [Layer, Layer] {
    const { environment } = this.#options;
    let fromProcess: JsonObject = {};
    let fromDotEnv: JsonObject = {};
    const names = new Map<string, string>();
    for (const { path, setting, unused } of leaves(this.#schema)) {
      const name = unused ? undefined : variableOf(setting);
      if (name === undefined) continue;
      const text = environment.get(name);
      if (text === undefined) continue;
      const value = fitValue(readTyped(text, setting), setting);
      if (value === undefined) {
        notices.push({ level: "error", text: `The variable ${name} cannot be ${JSON.stringify(text)} and is ignored.`, hint: allowedHint(text, setting) });
        continue;
      }
      names.set(path, name);
      if (environment.source(name) === "process") fromProcess = merge(fromProcess, nested(path, value));
      else fromDotEnv = merge(fromDotEnv, nested(path, value));
    }
    return [
      { source: "environment", data: fromProcess, where: (path) => names.get(path) },
      { source: "environment", data: fromDotEnv, where: (path) => `${names.get(path)} in ${environment.file}` },
    ];
  }

  #flags(): Layer {
    let data: JsonObject = {};
    for (const [path, value] of Object.entries(this.#options.flags ?? {})) {
      if (value !== undefined) data = merge(data, nested(this.#canonical(path), value));
    }
    return { source: "flag", data };
  }

  #known(path: string, canonical: string): Setting {
    const setting = settingAt(this.#schema, canonical);
    if (setting !== undefined) return setting;
    const known = leaves(this.#schema).flatMap((leaf) => (leaf.unused ? [] : [leaf.path]));
    const near = nearest(path, known) ?? known.find((one) => one.endsWith(`.${splitPath(path).at(-1)}`));
    throw new UserError(`"${path}" is not a setting.`, { hint: near === undefined ? "hermes config get lists all settings." : `Did you mean "${near}"?`, exitCode: 2 });
  }

  #canonical(path: string): string {
    let setting: Setting | undefined = this.#schema;
    return splitPath(path)
      .map((key): string => {
        const name: string = canonicalKey(setting?.properties ?? {}, key);
        setting = setting?.properties?.[name];
        return name;
      })
      .join(".");
  }
}

function brokenError(file: LoadedSettings): UserError {
  return new UserError(`The configuration is not valid.\n${problemList(file)}`, { hint: "hermes config edit opens the file; hermes doctor checks it again.", exitCode: 78 });
}

function brokenNotice(file: LoadedSettings): Notice {
  const inForce = file.state === "last-good" ? "The last good configuration stays in force until it is mended." : "Only its sound part is in force.";
  return { level: "error", text: `${problemList(file)}\n${inForce}`, hint: "hermes config edit" };
}

function problemList(file: LoadedSettings): string {
  return file.problems.map((problem) => `${problemLine(problem)}${problem.hint === undefined ? "" : ` ${problem.hint}`}`).join("\n");
}

/** Of a file that is wrong and has no last good state, a section that grants something counts only if it is sound as a whole. */
function withoutBrokenPolicy(file: LoadedSettings): JsonObject {
  const broken = new Set(file.problems.map(({ path }) => splitPath(path ?? "")[0]!));
  return Object.fromEntries(Object.entries(file.checked.value).filter(([section]) => !(POLICY_SECTIONS.includes(section) && broken.has(section))));
}

/** The text of a flag, variable or `config set` as the setting's type asks; lists and maps as JSON, lists also with commas. */
function readTyped(text: string, setting: Setting): Json {
  const types = typesOf(setting);
  if (types.includes("string") || setting.enum !== undefined) return text;
  if (types.includes("array") || types.includes("object") || types.length === 0) {
    try {
      const value = JSON.parse(text) as Json;
      if (types.length === 0 || typeof value === "object") return value;
    } catch {
      // Not JSON: a plain text, or values between commas.
    }
    if (types.includes("array")) return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  }
  return text;
}

function allowedHint(text: string, setting: Setting): string {
  const near = setting.enum === undefined ? undefined : nearest(text, setting.enum.map(String));
  return `Allowed: ${allowedWords(setting)}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

function defaultsOf(setting: Setting): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(setting.properties ?? {})) {
    if (inner.unused === true) continue;
    if (inner.default !== undefined) result[key] = inner.default;
    else if (inner.properties !== undefined) {
      const defaults = defaultsOf(inner);
      if (Object.keys(defaults).length > 0) result[key] = defaults;
    }
  }
  return result;
}

function lineSuffix(place: readonly [number, number] | undefined): string {
  return place === undefined ? "" : `:${place[0]}`;
}
