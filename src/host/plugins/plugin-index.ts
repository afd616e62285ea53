import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../contract/logger.ts";
import type { PluginSection } from "../config/compose-schema.ts";
import { writeCopy } from "../config/write-atomically.ts";
import type { Home } from "../home.ts";
import { discover, folders, type FoundPlugin, type PluginSource } from "./discovery.ts";
import { manifestFile, unchanged } from "./plugin-files.ts";
import type { Registered } from "./registered.ts";

export interface IndexPorts {
  readonly home: Home;
  readonly log: Logger;
  /** Folders of the plugins that ship with us. */
  readonly bundledDirs: readonly string[];
  /** Of this program; another one registers everything afresh. */
  readonly version: string;
  /** `HERMES_SAFE_MODE`: none but the bundled ones. */
  readonly bundledOnly?: boolean;
}

/** Every plugin there is, from one file each for ours and the person's, before configuration is read. */
export interface PluginIndex {
  readonly bundled: readonly FoundPlugin[];
  readonly user: readonly FoundPlugin[];
  /** What their manifests add to `config.yaml`. */
  readonly sections: readonly PluginSection[];
  /** Looks at the folders again, however sure the files are. */
  rescan(): Promise<void>;
  /** Whether a folder of that key lies there, known or not. */
  isThere(key: string): boolean;
  /** Keeps what the plugin in that folder registered, for the next start. */
  remember(dir: string, registered: Registered): void;
  save(): void;
}

/** `plugins/snapshot.json`: made by `scripts/generate-snapshot.ts`, committed. */
export interface BundledSnapshot {
  readonly format: typeof FORMAT;
  readonly plugins: readonly { readonly key: string; readonly manifest: FoundPlugin["manifest"]; readonly registered: Registered }[];
}

interface UserCopy {
  readonly format: typeof FORMAT;
  readonly version: string;
  /** When the plugins folder was last changed. */
  readonly folderMs: number;
  readonly plugins: readonly FoundPlugin[];
  /** Bundled ones that no snapshot speaks for. */
  readonly extra: readonly FoundPlugin[];
}

export const FORMAT = 1;
export const SNAPSHOT_FILE = "snapshot.json";

/** Reads the snapshot of the bundled plugins and the copy of the person's, and looks into folders only where those are stale. */
export async function openPluginIndex(ports: IndexPorts): Promise<PluginIndex> {
  const index = new Index(ports);
  await index.open();
  return index;
}

class Index implements PluginIndex {
  readonly #ports: IndexPorts;
  readonly #userDir: string;
  readonly #copyFile: string;
  #bundled: readonly FoundPlugin[] = [];
  #extra: FoundPlugin[] = [];
  #user: FoundPlugin[] = [];
  #changed = false;
  #keptFolderMs: number | undefined;

  constructor(ports: IndexPorts) {
    this.#ports = { ...ports, log: ports.log.child("plugins") };
    this.#userDir = ports.home.file("plugins");
    this.#copyFile = ports.home.file("cache", "plugins.json");
  }

  get bundled(): readonly FoundPlugin[] {
    // The snapshot is sorted by key.
    return this.#extra.length === 0 ? this.#bundled : [...this.#bundled, ...this.#extra].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  get user(): readonly FoundPlugin[] {
    return this.#user;
  }

  get sections(): readonly PluginSection[] {
    return [...this.bundled, ...this.#user].flatMap(({ key, source, manifest: { config } }) => {
      if (config === undefined) return [];
      // What a stranger's manifest says stays in its own corner unless it names a section nobody knows.
      const section = source !== "bundled" && config.section.startsWith("plugins") ? `plugins.entries.${key}` : config.section;
      return [{ owner: key, section, schema: config.schema }];
    });
  }

  async open(): Promise<void> {
    const copy = this.#readCopy();
    this.#keptFolderMs = copy?.folderMs;
    await this.#openBundled(copy?.extra ?? []);
    if (this.#ports.bundledOnly === true) return;
    const folderMs = this.#folderMs();
    if (copy === undefined ? folderMs === 0 : copy.folderMs === folderMs && copy.plugins.every(({ dir, files }) => unchanged(dir, files))) {
      this.#user = [...(copy?.plugins ?? [])];
      return;
    }
    await this.#scan(copy?.plugins ?? []);
  }

  async rescan(): Promise<void> {
    const { log, bundledDirs } = this.#ports;
    log.debug(`Scanned bundled plugins in ${bundledDirs.join(", ")}: ${this.bundled.length} manifests`);
    for (const { key, manifest, dir } of this.bundled) log.debug(`Found ${key}: name ${manifest.name}, kind ${manifest.kind}, source bundled, path ${dir}`);
    if (this.#ports.bundledOnly !== true) await this.#scan(this.#user);
  }

  isThere(key: string): boolean {
    return !key.split("/").includes("..") && manifestFile(join(this.#userDir, key)) !== undefined;
  }

  remember(dir: string, registered: Registered): void {
    const put = (plugins: readonly FoundPlugin[]): FoundPlugin[] => plugins.map((plugin) => (plugin.dir === dir ? { ...plugin, registered } : plugin));
    this.#user = put(this.#user);
    this.#extra = put(this.#extra);
    this.#changed = true;
  }

  save(): void {
    if (!this.#changed) return;
    this.#changed = false;
    const copy: UserCopy = { format: FORMAT, version: this.#ports.version, folderMs: this.#folderMs(), plugins: this.#user, extra: this.#extra };
    writeCopy(this.#copyFile, JSON.stringify(copy));
  }

  async #openBundled(known: readonly FoundPlugin[]): Promise<void> {
    const bundled: FoundPlugin[] = [];
    const extra: FoundPlugin[] = [];
    for (const dir of this.#ports.bundledDirs) {
      const spoken = new Map(readBundled(dir, this.#ports.log).map((plugin) => [plugin.dir, plugin]));
      const present = folders(dir).map((name) => join(dir, name));
      bundled.push(...[...spoken.values()].filter((plugin) => present.some((path) => plugin.dir === path || plugin.dir.startsWith(`${path}/`))));
      const silent = present.filter((path) => !spoken.has(path) && ![...spoken.keys()].some((spokenDir) => spokenDir.startsWith(`${path}/`)) && manifestFile(path) !== undefined);
      if (silent.length > 0) extra.push(...(await this.#found({ source: "bundled", dir }, known)).filter(({ dir: path }) => silent.includes(path)));
    }
    this.#bundled = bundled;
    this.#extra = extra;
  }

  async #scan(known: readonly FoundPlugin[]): Promise<void> {
    const before = JSON.stringify(this.#user);
    this.#user = [...(await this.#found({ source: "user", dir: this.#userDir }, known))];
    if (this.#folderMs() !== this.#keptFolderMs || JSON.stringify(this.#user) !== before) this.#changed = true;
  }

  /** What was registered holds as long as no file of the plugin changed. */
  async #found(source: PluginSource, known: readonly FoundPlugin[]): Promise<readonly FoundPlugin[]> {
    const before = new Map(known.map((plugin) => [plugin.dir, plugin]));
    return (await discover(source, this.#ports.log)).map((plugin) => {
      const old = before.get(plugin.dir);
      return old?.registered !== undefined && JSON.stringify(old.files) === JSON.stringify(plugin.files) ? { ...plugin, registered: old.registered } : plugin;
    });
  }

  #folderMs(): number {
    return statSync(this.#userDir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  #readCopy(): UserCopy | undefined {
    try {
      const copy = JSON.parse(readFileSync(this.#copyFile, "utf8")) as UserCopy;
      return copy.format === FORMAT && copy.version === this.#ports.version ? copy : undefined;
    } catch {
      return undefined; // None yet, or cut off: it is made again.
    }
  }
}

function readBundled(dir: string, log: Logger): readonly FoundPlugin[] {
  let text: string;
  try {
    text = readFileSync(join(dir, SNAPSHOT_FILE), "utf8");
  } catch {
    return []; // A folder of plugins without a snapshot: each is registered afresh.
  }
  const snapshot = parse(text);
  if (snapshot?.format !== FORMAT) {
    log.warning(`${join(dir, SNAPSHOT_FILE)} is not of the format ${FORMAT}, so every plugin is registered afresh.`);
    return [];
  }
  return snapshot.plugins.map(({ key, manifest, registered }) => ({ key, source: "bundled", dir: join(dir, key), manifest, files: [], registered }));
}

function parse(text: string): BundledSnapshot | undefined {
  try {
    return JSON.parse(text) as BundledSnapshot;
  } catch {
    return undefined; // Cut off, or merged by hand: the caller says so.
  }
}
