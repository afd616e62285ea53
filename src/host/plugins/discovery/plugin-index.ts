import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../../contract/common/logger.ts";
import type { PluginSection } from "../../config/compose-schema.ts";
import type { Home } from "../../environment/home.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { readBundled } from "./bundled-snapshot.ts";
import type { FoundPlugin } from "./discovery.ts";
import { readOwnCopy, writeOwnCopy, type OwnCopy } from "./plugin-cache.ts";
import { folders, manifestFile, unchanged } from "./plugin-files.ts";
import type { PluginPins } from "../consent/plugin-pins.ts";
import type { PythonPlace } from "../packages/python-packages.ts";
import { succeeding, type Registered } from "../registry/registered.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface IndexPorts {
  readonly home: Home;
  readonly log: Logger;
  /** Folders of the bundled plugins. */
  readonly bundledDirs: readonly string[];
  /** The version of this program; another version registers every plugin again. */
  readonly version: string;
  readonly pins: Pick<PluginPins, "get">;
  /** `HERMES_SAFE_MODE`: only the bundled ones. */
  readonly bundledOnly?: boolean;
  /** `.hermes/plugins` of the working directory, if project plugins are enabled. */
  readonly projectDir?: string;
  /** The `node_modules` in which the agent is installed; its packages may be plugins. */
  readonly modulesDir?: string;
  /** The folders in which `python3` is looked up. */
  readonly path?: string;
}

/**
 * All plugins, read from one snapshot for the bundled and one cache for the user's, before the configuration is read.
 */
export interface PluginIndex {
  readonly bundled: readonly FoundPlugin[];
  /**
   * All others. Of several with one key the later counts: Python packages, npm packages, folders of the home, the
   * project's.
   */
  readonly own: readonly FoundPlugin[];
  /** The package folders of the Python on PATH, as far as known. */
  readonly python: readonly PythonPlace[];
  /** The sections that their manifests add to `config.yaml`. */
  readonly sections: readonly PluginSection[];
  /**
   * Reads the folders again, even if no stamp changed.
   * @param python Also asks the Python on PATH for its package folders, which takes as long as starting Python.
   */
  rescan(python?: "ask-python"): Promise<void>;
  /**
   * From now on the plugin in this folder is the last one of its key, enabled and never cached.
   * @throws {UserError} when there is none.
   */
  develop(dir: string): Promise<FoundPlugin>;
  /** Whether a plugin of that key may have been added since the cache was written. */
  mayBeNew(key: string): boolean;
  /** Saves what the plugin in that folder registered, for the next start. */
  remember(plugin: FoundPlugin, registered: Registered): void;
  /** Saves the hash of the content, valid as long as no file changes. */
  verified(plugin: FoundPlugin, hash: string): void;
  save(): void;
}

/** Reads the snapshot of the bundled plugins and the cache of the user's, and reads folders only if those are stale. */
export async function openPluginIndex(ports: IndexPorts): Promise<PluginIndex> {
  const index = new Index(ports);
  await index.open();
  return index;
}

/** Most starts read no folder. */
const discovery = () => import("./discovery.ts");

class Index implements PluginIndex {
  readonly #ports: IndexPorts;
  readonly #userDir: string;
  readonly #npmDir: string;
  readonly #pythonDir: string;
  readonly #copyFile: string;
  #bundled: readonly FoundPlugin[] = [];
  #extra: FoundPlugin[] = [];
  #own: FoundPlugin[] = [];
  #python: readonly PythonPlace[] = [];
  #developed: string | undefined;
  #folders: OwnCopy["folders"] = {};
  #changed = false;

  constructor(ports: IndexPorts) {
    this.#ports = { ...ports, log: ports.log.child("plugins") };
    this.#userDir = ports.home.file("plugins");
    this.#npmDir = ports.home.file("packages", "npm");
    this.#pythonDir = ports.home.file("packages", "python");
    this.#copyFile = ports.home.file("cache", "plugins.json");
  }

  get bundled(): readonly FoundPlugin[] {
    // The snapshot is sorted by key.
    return this.#extra.length === 0
      ? this.#bundled
      : [...this.#bundled, ...this.#extra].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  get own(): readonly FoundPlugin[] {
    return this.#own;
  }

  get python(): readonly PythonPlace[] {
    return this.#python;
  }

  get sections(): readonly PluginSection[] {
    return [...this.bundled, ...this.#own].flatMap(({ key, source, manifest: { name, config } }) => {
      // A plugin that declares no settings may still read a section of its name from the file.
      if (config === undefined)
        return source === "bundled"
          ? []
          : spellings(name).map((section) => ({ owner: key, section, schema: { type: "object" } as const }));
      // The settings of a plugin from elsewhere stay in its own entry, unless its manifest names an unused section.
      const section =
        source !== "bundled" && config.section.startsWith("plugins") ? `plugins.entries.${key}` : config.section;
      return [{ owner: key, section, schema: config.schema }];
    });
  }

  async open(): Promise<void> {
    const copy = readOwnCopy(this.#copyFile, this.#ports.version);
    await this.#openBundled(copy?.extra ?? []);
    if (this.#ports.bundledOnly === true) return;
    this.#python = copy?.python ?? [];
    this.#folders = copy?.folders ?? {};
    this.#own = [...(copy?.plugins ?? [])];
    const fresh =
      copy === undefined
        ? [this.#userDir, this.#npmDir, this.#pythonDir].every((dir) => modifiedMs(dir) === 0)
        : this.#unmoved() && copy.plugins.every((plugin) => unchanged(plugin.dir, plugin.files));
    if (!fresh || this.#ports.projectDir !== undefined) await this.#scan(fresh);
  }

  async rescan(python?: "ask-python"): Promise<void> {
    const { bundledDirs, bundledOnly, log, projectDir } = this.#ports;
    const { reportScanned } = await discovery();
    for (const dir of bundledDirs)
      reportScanned(
        "bundled",
        dir,
        this.bundled.filter((plugin) => plugin.dir.startsWith(dir)),
        log,
      );
    if (bundledOnly === true) return;
    if (python !== undefined) await this.#askPython();
    if (projectDir === undefined) log.debug("Skipped project plugins: HERMES_ENABLE_PROJECT_PLUGINS is not set");
    await this.#scan(false);
  }

  async #askPython(): Promise<void> {
    const { askPython } = await import("../packages/python-packages.ts");
    const python = await askPython(this.#ports.path);
    if (JSON.stringify(python) !== JSON.stringify(this.#python)) this.#changed = true;
    this.#python = python;
  }

  async develop(dir: string): Promise<FoundPlugin> {
    const found = await this.#readDeveloped(dir);
    if (found === undefined)
      throw new UserError(`There is no plugin.yaml in ${dir}.`, {
        hint: "Run `hermes plugins new NAME` to create a plugin.",
        exitCode: 2,
      });
    this.#developed = dir;
    return found;
  }

  async #readDeveloped(dir: string): Promise<FoundPlugin | undefined> {
    const { readFolder } = await discovery();
    const found = await readFolder({ source: "user", dir, key: undefined }, this.#ports.log);
    return found === undefined ? undefined : { ...found, dev: true };
  }

  mayBeNew(key: string): boolean {
    if (this.#ports.bundledOnly === true) return false;
    // A new folder inside a category does not change the date of the plugins folder.
    if (!key.split("/").includes("..") && manifestFile(join(this.#userDir, key)) !== undefined) return true;
    return !this.#unmoved();
  }

  remember(plugin: FoundPlugin, registered: Registered): void {
    this.#put(plugin, (found) => ({ ...found, registered: succeeding(registered, found.registered) }));
  }

  verified(plugin: FoundPlugin, hash: string): void {
    this.#put(plugin, (found) => ({ ...found, verified: hash }));
  }

  save(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#folders = this.#foldersNow();
    writeOwnCopy(this.#copyFile, this.#ports.version, {
      folders: this.#folders,
      python: this.#python,
      plugins: this.#own.filter(({ dev }) => dev !== true),
      extra: this.#extra,
    });
  }

  async #openBundled(known: readonly FoundPlugin[]): Promise<void> {
    const bundled: FoundPlugin[] = [];
    const extra: FoundPlugin[] = [];
    for (const dir of this.#ports.bundledDirs) {
      const present = new Set(folders(dir));
      const inSnapshot = new Set<string>();
      for (const plugin of readBundled(dir, this.#ports.log)) {
        const [top = ""] = plugin.key.split("/", 1);
        inSnapshot.add(top);
        if (present.has(top)) bundled.push(plugin);
      }
      const silent = [...present]
        .filter((name) => !inSnapshot.has(name))
        .map((name) => join(dir, name))
        .filter((path) => manifestFile(path) !== undefined);
      if (silent.length > 0)
        extra.push(
          ...withRegistered(
            await (await discovery()).discover({ source: "bundled", dir }, this.#ports.log),
            known,
          ).filter(({ dir: path }) => silent.includes(path)),
        );
    }
    this.#bundled = bundled;
    this.#extra = extra;
  }

  /** @param projectOnly The cache covers everything but the project, which every start reads again. */
  async #scan(projectOnly: boolean): Promise<void> {
    const { discover, reportScanned } = await discovery();
    const before = JSON.stringify(this.#own);
    const { log, projectDir, pins } = this.#ports;
    const others = projectOnly ? this.#own.filter(({ source }) => source !== "project") : await this.#scanOthers();
    const project =
      projectDir === undefined
        ? []
        : (await discover({ source: "project", dir: projectDir }, log)).map((plugin): FoundPlugin => ({
            ...plugin,
            foreign: true,
          }));
    if (projectDir !== undefined) reportScanned("project", projectDir, project, log);
    const developed = this.#developed === undefined ? undefined : await this.#readDeveloped(this.#developed);
    const found = [...others, ...project, ...(developed === undefined ? [] : [developed])]
      .filter((plugin) => plugin.dev === true || plugin.dir !== developed?.dir)
      .map((plugin): FoundPlugin =>
        plugin.source === "user" && pins.get(plugin.dir)?.from !== undefined ? { ...plugin, foreign: true } : plugin,
      );
    this.#own = [...withRegistered(found, this.#own)];
    if (JSON.stringify(this.#own) !== before || !this.#unmoved()) this.#changed = true;
  }

  async #scanOthers(): Promise<readonly FoundPlugin[]> {
    const { log, modulesDir, home } = this.#ports;
    const { discover, reportScanned } = await discovery();
    const found: FoundPlugin[] = [];
    await endLeftInstalls([this.#userDir, this.#npmDir, this.#pythonDir, home.file("packages", "environments")]);
    const add = (source: FoundPlugin["source"], dir: string, plugins: readonly FoundPlugin[]): void => {
      reportScanned(source, dir, plugins, log);
      found.push(...plugins);
    };
    const installed = folders(this.#pythonDir).flatMap((name) => {
      const environment = join(this.#pythonDir, name);
      return [{ environment, python: join(environment, "bin", "python") }];
    });
    if (this.#python.length + installed.length > 0) {
      const { findPythonPlugins, siteOf } = await import("../packages/python-packages.ts");
      const places = [
        ...this.#python,
        ...installed.flatMap(({ environment, python }) =>
          siteOf(environment) === undefined ? [] : [{ python, site: siteOf(environment)!, alone: true as const }],
        ),
      ];
      for (const place of places) add("python", place.site, await findPythonPlugins(place, log));
    }
    const modules = [
      ...(modulesDir === undefined ? [] : [modulesDir]),
      ...folders(this.#npmDir).map((name) => join(this.#npmDir, name, "node_modules")),
    ];
    if (modules.length > 0) {
      const { findNpmPlugins } = await import("../packages/npm-packages.ts");
      for (const dir of modules) add("npm", dir, await findNpmPlugins(dir, log));
    }
    add("user", this.#userDir, await discover({ source: "user", dir: this.#userDir }, log));
    return found;
  }

  #put(plugin: FoundPlugin, change: (found: FoundPlugin) => FoundPlugin): void {
    const put = (plugins: readonly FoundPlugin[]): FoundPlugin[] =>
      plugins.map((found) =>
        found.key === plugin.key && found.dir === plugin.dir && found.source === plugin.source ? change(found) : found,
      );
    this.#own = put(this.#own);
    this.#extra = put(this.#extra);
    this.#changed = true;
  }

  #foldersNow(): OwnCopy["folders"] {
    const { modulesDir } = this.#ports;
    const watched = [
      this.#userDir,
      this.#npmDir,
      this.#pythonDir,
      ...(modulesDir === undefined ? [] : [modulesDir]),
      ...this.#python.map(({ site }) => site),
    ];
    return Object.fromEntries(watched.map((dir) => [dir, modifiedMs(dir)]));
  }

  #unmoved(): boolean {
    const saved = this.#folders;
    return Object.entries(this.#foldersNow()).every(([dir, at]) => saved[dir] === at);
  }
}

/** Registrations and content hashes stay valid as long as no file of the plugin changed. */
function withRegistered(found: readonly FoundPlugin[], known: readonly FoundPlugin[]): readonly FoundPlugin[] {
  const before = new Map(known.map((plugin) => [`${plugin.source} ${plugin.key} ${plugin.dir}`, plugin]));
  return found.map((plugin) => {
    const old = before.get(`${plugin.source} ${plugin.key} ${plugin.dir}`);
    if (old === undefined || JSON.stringify(old.files) !== JSON.stringify(plugin.files)) return plugin;
    return {
      ...plugin,
      ...definedFields({ registered: old.registered, verified: old.verified }),
    };
  });
}

/** Cleans up after a killed install, before the folders are read. */
async function endLeftInstalls(dirs: readonly string[]): Promise<void> {
  const left = dirs.filter((dir) => namesIn(dir).some((name) => /^\..*-\d+$/.test(name)));
  if (left.length === 0) return;
  const install = await import("../install/replace-folder.ts");
  for (const dir of left) install.endLeftInstalls(dir);
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // The folder does not exist.
  }
}

function modifiedMs(dir: string): number {
  return statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A section has the plugin's name, or its spelling in Python. */
function spellings(name: string): readonly string[] {
  return name.includes(".") ? [] : [...new Set([name, name.replaceAll("-", "_")])];
}
