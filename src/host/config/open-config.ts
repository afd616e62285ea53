import { statSync } from "node:fs";
import type { ConfigService } from "../../contract/services/config-service.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Notice } from "../../contract/common/notice.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { EnvironmentVariables } from "../environment/environment.ts";
import type { Home } from "../environment/home.ts";
import { secretValuesOf } from "../environment/secrets.ts";
import { allowedHint, fitValue } from "./check-settings.ts";
import { composeSchema, type PluginSection } from "./compose-schema.ts";
import { editSettings } from "./edit-settings.ts";
import type { ListItem, SettingsEdit } from "./settings-edit.ts";
import { allowedWords, leaves, settingAt, splitPath, type Setting } from "./setting.ts";
import { canonicalPath, isUnused, knownSetting } from "./setting-paths.ts";
import { masked, merge, nested, texts, valueAt } from "./settings-values.ts";
import { defaultsOf, fileLayer, lineSuffix, variableLayers, withPolicyOf, type Layer } from "./setting-layers.ts";
import { loadSettings, placeOf, problemLine, type LoadedSettings, type SettingsProblem } from "./settings-file.ts";
import { readTyped } from "./typed-text.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** The settings of one process: `config.yaml`, `cli-config.yaml`, variables and flags over the defaults, validated. */
export interface Config extends ConfigService {
  /**
   * Reads the files again, including what the agent may do, because the user asked for it.
   * @throws {UserError} as on the first read.
   */
  load(): Promise<void>;
  /** The values of files, variables and flags, without defaults. */
  written(path: string): Json | undefined;
  /** A section with its defaults; empty when nothing is known of it. */
  section(name: string): JsonObject;
  readonly notices: readonly Notice[];
  /** Every mistake of the files, with its place. */
  readonly problems: readonly SettingsProblem[];
  /** Keys in the files that this version does not use: `terminal.docker_image (config.yaml:7)`. */
  readonly unused: readonly string[];
  /** Keys, tokens and passwords that stand in the files or flags themselves, for masking. */
  secretValues(): readonly string[];
  /** Adds values to a list, takes others out, atomically with respect to other processes. */
  changeList(
    path: string,
    change: { readonly add?: readonly ListItem[]; readonly remove?: readonly string[] },
  ): Promise<void>;
  appendToList(path: string, value: string): Promise<void>;
  /** Several edits at once, all or none. */
  edit(edits: readonly SettingsEdit[]): Promise<void>;
}

export interface ConfigOptions {
  readonly home: Home;
  readonly environment: EnvironmentVariables;
  /** Sections that plugins declare in their manifests. */
  readonly sections?: readonly PluginSection[];
  /** Values of this run, by dotted path. */
  readonly flags?: { readonly [path: string]: Json | undefined };
  /**
   * What to do when the file is wrong and no earlier state is known: refuse to start (default), or take its sound part,
   * as `hermes config` and `hermes doctor` do.
   */
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

/** Limit of cached paths. Larger than the number of settings, because a plugin may ask for any path. */
const MAX_ASKED = 2_000;
const FILE_NAME = "config.yaml";
const TERMINAL_FILE_NAME = "cli-config.yaml";
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

class LayeredConfig implements Config {
  readonly file: string;
  readonly envFile: string;
  readonly #options: ConfigOptions;
  readonly #schema: Setting;
  #layers: readonly Layer[] = [];
  #resolved: JsonObject = {};
  /** Values by the path they were asked for with. */
  #asked = { of: this.#resolved, values: new Map<string, Json | undefined>() };
  #notices: readonly Notice[] = [];
  #files: readonly LoadedSettings[] = [];
  #secrets: readonly string[] | undefined;
  #fileLayers: readonly Layer[] = [];
  #inForce: Notice | undefined;
  /** How the files looked when they were read. */
  #stamped = "";

  constructor(options: ConfigOptions, schema: Setting) {
    this.#options = options;
    this.#schema = schema;
    this.file = options.home.file(FILE_NAME);
    this.envFile = options.environment.file;
  }

  check(): ReturnType<ConfigService["check"]> {
    return { problems: this.problems, unused: this.unused, inForce: this.#inForce };
  }

  /** @param held What a running process may do stays as these files had it. */
  async load(held?: readonly Layer[]): Promise<void> {
    const { home, environment } = this.#options;
    const shared = { home, schema: this.#schema, env: (name: string) => environment.get(name) };
    const stamp = this.#stamp();
    const notices: Notice[] = [];
    const load = () => loadSettings(this.file, { ...shared, copyName: "config.last-good.json" });
    const files = this.#options.ignoreFile
      ? []
      : [
          await loadSettings(home.file(TERMINAL_FILE_NAME), {
            ...shared,
            copyName: "cli-config.last-good.json",
            only: "terminal",
          }),
          await this.#withMoves(await load(), load, notices),
        ];
    let inForce: Notice | undefined;
    for (const file of files) {
      if (file.state === "partly" && (this.#options.whenBroken ?? "refuse") === "refuse") throw brokenError(file);
      if (file.problems.length > 0) notices.push((inForce = brokenNotice(file)));
      for (const remark of file.checked.remarks) notices.push({ level: "warning", text: `${file.file}: ${remark}` });
    }
    const [fromProcess, fromDotEnv] = variableLayers(this.#schema, environment, notices);
    const settingsFiles = files.map((file, at) => withPolicyOf(held?.[at], fileLayer(file, home.profile)));
    const flags = this.#flags();
    this.#files = files;
    this.#inForce = inForce;
    this.#stamped = stamp;
    this.#fileLayers = settingsFiles;
    this.#layers = [
      { source: "default", data: defaultsOf(this.#schema) },
      fromDotEnv,
      ...settingsFiles,
      fromProcess,
      flags,
    ];
    this.#secrets = undefined;
    this.#resolved = this.#layers.reduce<JsonObject>((all, { data }) => merge(all, data), {});
    if (environment.get("OPENAI_BASE_URL") !== undefined && this.get("model.base_url") === undefined) {
      notices.push({
        level: "info",
        text: "OPENAI_BASE_URL is set, but it does not choose an endpoint; the configuration does.",
        hint: "hermes config set model.base_url URL",
      });
    }
    this.#notices = notices;
  }

  async refresh(): Promise<readonly Notice[]> {
    const stamp = this.#stamp();
    if (stamp === this.#stamped) return [];
    this.#stamped = stamp;
    this.#options.environment.refresh();
    const before = new Set(this.#notices.map(({ text }) => text));
    const wasBroken = this.#inForce !== undefined;
    try {
      await this.load(this.#fileLayers);
    } catch (error) {
      // It was good when this process began: what is in memory stays.
      if (!(error instanceof UserError)) throw error;
      this.#inForce = {
        level: "error",
        text: `${error.message}\nThe previous configuration stays in force until you fix the file.`,
        hint: error.hint,
      };
      return [this.#inForce];
    }
    const repaired = wasBroken && this.#inForce === undefined;
    return [
      ...(repaired ? [{ level: "info", text: `${this.file} is valid again and in force.` } as const] : []),
      ...this.#notices.filter(({ text }) => !before.has(text)),
    ];
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  get problems(): readonly SettingsProblem[] {
    return this.#files.flatMap(({ problems }) => problems);
  }

  get unused(): readonly string[] {
    return this.#files.flatMap(({ file, checked, places }) =>
      checked.unused.map((path) => `${path} (${file}${lineSuffix(placeOf(places, path))})`),
    );
  }

  get(path: string): Json | undefined {
    // A turn asks some dozens of times for the same few.
    if (this.#asked.of !== this.#resolved || this.#asked.values.size > MAX_ASKED)
      this.#asked = { of: this.#resolved, values: new Map() };
    const { values } = this.#asked;
    if (!values.has(path)) values.set(path, valueAt(this.#resolved, canonicalPath(this.#schema, path)));
    return values.get(path);
  }

  written(path: string): Json | undefined {
    const canonical = canonicalPath(this.#schema, path);
    const layers = this.#layers.filter(({ source }) => source !== "default");
    return valueAt(
      layers.reduce<JsonObject>((all, { data }) => merge(all, data), {}),
      canonical,
    );
  }

  shown(path: string): Json | undefined {
    const value = this.get(path);
    return value === undefined
      ? undefined
      : masked(
          value,
          splitPath(path).findLast((key) => !/^\d+$/.test(key)) ?? "",
          settingAt(this.#schema, canonicalPath(this.#schema, path)),
        );
  }

  section(name: string): JsonObject {
    const value = this.get(name);
    return isObject(value) ? value : {};
  }

  explain(path: string): ReturnType<ConfigService["explain"]> {
    if (VARIABLE.test(path)) return this.#explainVariable(path);
    const canonical = canonicalPath(this.#schema, path);
    const setting = knownSetting(this.#schema, path);
    const value = valueAt(this.#resolved, canonical);
    const layer = this.#layers.findLast(({ data }) => valueAt(data, canonical) !== undefined);
    const where = layer?.where?.(canonical);
    return {
      value,
      source: layer?.source ?? "unset",
      where,
      ...definedFields({ description: setting.description }),
      ...(isUnused(this.#schema, canonical)
        ? { allowed: "anything: this version does not use it", unused: true }
        : { allowed: allowedWords(setting) }),
    };
  }

  /** Explains where a variable comes from, without its value, which may be a secret. */
  #explainVariable(name: string): ReturnType<ConfigService["explain"]> {
    const { environment } = this.#options;
    const source = environment.source(name);
    if (source === undefined) return { value: undefined, source: "unset" };
    return {
      value: undefined,
      source: "environment",
      where: source === "process" ? "the process's environment" : environment.file,
    };
  }

  async set(path: string, value: string): Promise<void> {
    // A name in capitals is a variable: keys and tokens belong into `.env`.
    if (VARIABLE.test(path)) return this.#options.environment.set(path, value);
    const canonical = canonicalPath(this.#schema, path);
    const setting = knownSetting(this.#schema, path);
    const fitted = fitValue(readTyped(value, setting), setting);
    if (fitted === undefined) {
      throw new UserError(`"${canonical}" cannot be ${JSON.stringify(value)}.`, {
        hint: allowedHint(value, setting),
        exitCode: 2,
      });
    }
    await this.edit([{ kind: "set", path: canonical, value: fitted }]);
  }

  hasVariable(name: string): boolean {
    return this.#options.environment.get(name) !== undefined;
  }

  setVariable(name: string, value: string): Promise<void> {
    return this.#options.environment.set(name, value);
  }

  async unset(path: string): Promise<boolean> {
    if (VARIABLE.test(path)) return this.#options.environment.unset(path);
    const canonical = canonicalPath(this.#schema, path);
    const changed = await editSettings(this.file, [{ kind: "unset", path: canonical }], {
      home: this.#options.home,
      schema: this.#schema,
    });
    // A key that nobody knows may stand in the file, and this is how it is taken out; where it does not, it is a slip.
    if (!changed) knownSetting(this.#schema, path);
    await this.load();
    return changed;
  }

  keys(): ReturnType<ConfigService["keys"]> {
    return leaves(this.#schema).flatMap(({ path, setting, unused }) =>
      unused ? [] : [{ path, description: setting.description ?? "", default: setting.default }],
    );
  }

  secretValues(): readonly string[] {
    this.#secrets ??= secretValuesOf(texts(this.#resolved, "", this.#schema));
    return this.#secrets;
  }

  async changeList(
    path: string,
    change: { readonly add?: readonly ListItem[]; readonly remove?: readonly string[] },
  ): Promise<void> {
    await this.edit([{ kind: "list", path, ...change }]);
  }

  async appendToList(path: string, value: string): Promise<void> {
    await this.changeList(path, { add: [value] });
  }

  async edit(edits: readonly SettingsEdit[]): Promise<void> {
    for (const { path } of edits) knownSetting(this.#schema, path);
    await editSettings(this.file, edits, { home: this.#options.home, schema: this.#schema });
    await this.load();
  }

  /**
   * What stands in a former place counts, and is moved in the file itself while that is sound; not by whoever looks
   * what is wrong.
   */
  async #withMoves(
    file: LoadedSettings,
    again: () => Promise<LoadedSettings>,
    notices: Notice[],
  ): Promise<LoadedSettings> {
    if (valueAt(file.checked.value, "display.tool_progress_overrides") === undefined) return file;
    const { moved, moveInFile } = await import("./move-settings.ts");
    const notice =
      file.state === "good" && this.#options.whenBroken !== "take-sound-part"
        ? await moveInFile(file, { home: this.#options.home, schema: this.#schema })
        : undefined;
    if (notice !== undefined) notices.push(notice);
    const fresh = notice?.level === "info" ? await again() : file;
    return { ...fresh, checked: { ...fresh.checked, value: moved(fresh.checked.value) } };
  }

  /** A few file attributes: cheap enough to ask before every turn. */
  #stamp(): string {
    const files = [this.file, this.#options.home.file(TERMINAL_FILE_NAME), this.#options.environment.file];
    return files
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((at) => (at === undefined ? "" : `${at.mtimeMs} ${at.size} ${at.ino}`))
      .join("|");
  }

  #flags(): Layer {
    let data: JsonObject = {};
    for (const [path, value] of Object.entries(this.#options.flags ?? {})) {
      if (value !== undefined) data = merge(data, nested(canonicalPath(this.#schema, path), value));
    }
    return { source: "flag", data };
  }
}

function brokenError(file: LoadedSettings): UserError {
  return new UserError(`The configuration is not valid.\n${problemList(file)}`, {
    hint: "hermes config edit opens the file; hermes doctor checks it again.",
    exitCode: 78,
  });
}

function brokenNotice(file: LoadedSettings): Notice {
  const inForce =
    file.state === "last-good"
      ? "The last valid configuration stays in force until you fix the file."
      : "Only the valid settings are in force.";
  return { level: "error", text: `${problemList(file)}\n${inForce}`, hint: "hermes config edit" };
}

function problemList(file: LoadedSettings): string {
  return file.problems
    .map((problem) => `${problemLine(problem)}${problem.hint === undefined ? "" : ` ${problem.hint}`}`)
    .join("\n");
}
