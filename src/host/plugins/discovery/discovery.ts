import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { PluginManifest } from "../../../contract/plugins/plugin.ts";
import { guessBareKind, guessKind } from "./kind-guess.ts";
import { manifestOf, readManifest } from "./manifest.ts";
import { entryText, folders, isPythonPlugin, manifestFile, stampFiles, type FileStamp } from "./plugin-files.ts";
import type { Registered } from "../registry/registered.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** A folder of plugins. */
export interface PluginSource {
  readonly source: PluginListing["source"];
  readonly dir: string;
}

/** A plugin as its files describe it, before any of its code runs. */
export interface FoundPlugin {
  /** `name`, or `category/folder`. */
  readonly key: string;
  readonly source: PluginListing["source"];
  readonly dir: string;
  readonly manifest: PluginManifest;
  readonly files: readonly FileStamp[];
  /** Absolute path of the entry module, if a package names one other than `index.*` of its folder. */
  readonly entry?: string;
  /**
   * A Python package: the module that has `register` (as itself, or as that attribute), and the Python it is installed
   * for.
   */
  readonly module?: { readonly python: string; readonly name: string; readonly attribute?: string };
  /** It was fetched from elsewhere or belongs to a project: it runs apart from the agent. */
  readonly foreign?: true;
  /** The registrations of the files with these stamps. */
  readonly registered?: Registered;
  /** The plugin's author develops it in this process, so it runs with its current files. */
  readonly dev?: true;
  /** Hash of its content at that time. */
  readonly verified?: string;
  /** Why its manifest cannot be read. The plugin never runs. */
  readonly broken?: string;
}

/**
 * Reads the manifests below a source: `<name>/plugin.yaml` and `<category>/<name>/plugin.yaml`, in alphabetical order.
 */
export async function discover({ source, dir }: PluginSource, log: Logger): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = [];
  for (const name of folders(dir)) {
    const flat = await readFolder({ source, dir: join(dir, name), key: undefined }, log);
    if (flat !== undefined) {
      found.push(flat);
      continue;
    }
    const inside = folders(join(dir, name));
    for (const inner of inside) {
      const nested =
        (await readFolder({ source, dir: join(dir, name, inner), key: `${name}/${inner}` }, log)) ??
        unnamed({ source, dir: join(dir, name, inner), key: `${name}/${inner}` });
      if (nested !== undefined) found.push(nested);
      else log.debug(`Skipped ${join(dir, name, inner)}: no plugin.yaml, depth cap reached`);
    }
    const bare = unnamed({ source, dir: join(dir, name), key: name });
    if (bare !== undefined) found.push(bare);
    else if (inside.length === 0) log.debug(`Skipped ${join(dir, name)}: no plugin.yaml`);
  }
  return found;
}

/** One line for the folder, one for each manifest in it. */
export function reportScanned(
  source: PluginListing["source"],
  dir: string,
  found: readonly FoundPlugin[],
  log: Logger,
): void {
  const what =
    source === "python"
      ? "entry-points (hermes_agent.plugins)"
      : source === "npm"
        ? "npm packages"
        : `${source} plugins`;
  log.debug(`Scanned ${what} in ${dir}: ${found.length} ${found.length === 1 ? "manifest" : "manifests"}`);
  for (const { key, manifest, dir: path } of found)
    log.debug(`Found ${key}: name ${manifest.name}, kind ${manifest.kind}, source ${source}, path ${path}`);
}

/**
 * The plugin in a folder; `undefined` if there is neither a manifest nor code that works without one. Its key is its
 * name unless it is in a category.
 */
export async function readFolder(
  {
    source,
    dir,
    key,
  }: { readonly source: PluginListing["source"]; readonly dir: string; readonly key: string | undefined },
  log: Logger,
): Promise<FoundPlugin | undefined> {
  const file = manifestFile(dir);
  if (file === undefined) return withoutManifest({ source, dir, key });
  const files = stampFiles(dir);
  try {
    const { manifest, saysKind, warnings, unused } = await readManifest(readFileSync(file, "utf8"), file, dir);
    for (const warning of [...warnings, ...unused]) log.warning(warning);
    const kind = saysKind ? manifest.kind : kindOf(manifest, dir, log);
    const needs = isPythonPlugin(dir) ? await needsOf(dir, manifest, files) : [];
    const stamps = manifest.program === undefined ? files : stampFiles(dir, manifest.program);
    return {
      key: key ?? manifest.name,
      source,
      dir,
      manifest: { ...manifest, kind, ...definedFields({ dependencies: needs.length === 0 ? undefined : needs }) },
      files: stamps,
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    log.warning(`Cannot read the plugin's manifest: ${reason}`, { cause });
    return { ...brokenPlugin({ key: key ?? dir.slice(dir.lastIndexOf("/") + 1), source, dir }, reason), files };
  }
}

/** Code that registers something and lacks only a plugin.yaml: lists report that. */
function unnamed(place: Pick<FoundPlugin, "key" | "source" | "dir">): FoundPlugin | undefined {
  return /\bregister\b/.test(entryText(place.dir))
    ? brokenPlugin(
        place,
        `there is no plugin.yaml in ${place.dir}; create one with the lines \`name:\` and \`description:\``,
      )
    : undefined;
}

/** The code identifies a provider of memory, context or models. Such a plugin runs only if a setting names it. */
async function withoutManifest({
  source,
  dir,
  key,
}: {
  readonly source: PluginListing["source"];
  readonly dir: string;
  readonly key: string | undefined;
}): Promise<FoundPlugin | undefined> {
  const kind = guessBareKind(entryText(dir));
  if (kind === undefined) return undefined;
  const name = basename(dir);
  const { manifest } = manifestOf({ name, kind }, dir, () => dir);
  const files = stampFiles(dir);
  const needs = isPythonPlugin(dir) ? await needsOf(dir, manifest, files) : [];
  return {
    key: key ?? name,
    source,
    dir,
    manifest: { ...manifest, ...definedFields({ dependencies: needs.length === 0 ? undefined : needs }) },
    files,
  };
}

/**
 * The Python packages that its manifest and the files beside it name, and those that it imports without naming them.
 */
async function needsOf(dir: string, manifest: PluginManifest, files: readonly FileStamp[]): Promise<readonly string[]> {
  const [{ needsBeside }, { impliedNeeds }] = await Promise.all([
    import("../packages/python-needs.ts"),
    import("../packages/implied-needs.ts"),
  ]);
  const named = [...new Set([...(manifest.dependencies ?? []), ...needsBeside(dir)])];
  return [
    ...named,
    ...impliedNeeds(
      dir,
      files.map(([name]) => name),
      named,
    ),
  ];
}

/** Placeholder listing of a plugin whose manifest is empty. */
export function brokenPlugin(place: Pick<FoundPlugin, "key" | "source" | "dir">, reason: string): FoundPlugin {
  const manifest: PluginManifest = {
    name: place.key,
    version: "",
    description: "",
    kind: "standalone",
    requires_env: [],
    optional_env: [],
    provides_tools: [],
    provides_hooks: [],
  };
  return { ...place, manifest, files: [], broken: reason };
}

function kindOf(manifest: PluginManifest, dir: string, log: Logger): PluginManifest["kind"] {
  // A plugin that lists tools is an ordinary plugin, whatever its code mentions.
  if (manifest.provides_tools.length > 0) return manifest.kind;
  const guess = guessKind(entryText(dir));
  if (guess.why !== undefined) log.debug(`${dir} counts as ${guess.kind}: ${guess.why}`);
  return guess.kind;
}
