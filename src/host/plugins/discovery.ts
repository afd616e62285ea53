import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PluginListing } from "../../contract/app.ts";
import type { Logger } from "../../contract/logger.ts";
import type { PluginManifest } from "../../contract/plugin.ts";
import { readManifest } from "./manifest.ts";
import { manifestFile, stampFiles, type FileStamp } from "./plugin-files.ts";
import type { Registered } from "./registered.ts";

/** A place plugins come from. Later sources take the keys of earlier ones. */
export interface PluginSource {
  readonly source: PluginListing["source"];
  readonly dir: string;
}

/** A plugin as its folder says, before any of its code runs. */
export interface FoundPlugin {
  /** `name`, or `category/folder`. */
  readonly key: string;
  readonly source: PluginListing["source"];
  readonly dir: string;
  readonly manifest: PluginManifest;
  readonly files: readonly FileStamp[];
  /** What it registered when its files were as stamped. */
  readonly registered?: Registered;
  /** Its manifest cannot be read; why. It never runs. */
  readonly broken?: string;
}

/** Reads the manifests below a source: `<name>/plugin.yaml` and `<category>/<name>/plugin.yaml`, in alphabetical order. */
export async function discover({ source, dir }: PluginSource, log: Logger): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = [];
  for (const name of folders(dir)) {
    const flat = await read(join(dir, name), undefined);
    if (flat !== undefined) {
      found.push(flat);
      continue;
    }
    for (const inner of folders(join(dir, name))) {
      const nested = await read(join(dir, name, inner), `${name}/${inner}`);
      if (nested !== undefined) found.push(nested);
      else log.debug(`Skipped ${join(dir, name, inner)}: no plugin.yaml, depth cap reached`);
    }
  }
  log.debug(`Scanned ${source} plugins in ${dir}: ${found.length} ${found.length === 1 ? "manifest" : "manifests"}`);
  for (const { key, manifest, dir: path } of found) log.debug(`Found ${key}: name ${manifest.name}, kind ${manifest.kind}, source ${source}, path ${path}`);
  return found;

  async function read(path: string, category: string | undefined): Promise<FoundPlugin | undefined> {
    const file = manifestFile(path);
    if (file === undefined) return undefined;
    const files = stampFiles(path);
    try {
      const { manifest, warnings } = await readManifest(readFileSync(file, "utf8"), file, path);
      for (const warning of warnings) log.warning(warning);
      return { key: category ?? manifest.name, source, dir: path, manifest, files };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      log.warning(`The manifest of a plugin cannot be read: ${reason}`, { cause });
      const name = category ?? path.slice(dir.length + 1);
      const manifest: PluginManifest = { name, version: "", description: "", kind: "standalone", requires_env: [], optional_env: [], provides_tools: [], provides_hooks: [] };
      return { key: name, source, dir: path, manifest, files, broken: reason };
    }
  }
}

/** Names of the folders in a folder, links to folders included; hidden ones and `node_modules` are none. */
export function folders(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules" && (entry.isDirectory() || (entry.isSymbolicLink() && statSync(join(dir, entry.name), { throwIfNoEntry: false })?.isDirectory() === true)))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // No such folder: nothing was ever put there.
  }
}
