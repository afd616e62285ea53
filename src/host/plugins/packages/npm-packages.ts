import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { brokenPlugin, readFolder, type FoundPlugin } from "../discovery/discovery.ts";
import { folders } from "../discovery/plugin-files.ts";
import { manifestOf } from "../discovery/manifest.ts";
import { manifestFile, stampFiles } from "../discovery/plugin-files.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/**
 * Finds plugins among the packages of a `node_modules`: those whose `package.json` has `"hermes": { "plugin": … }`. The
 * value is the folder with `plugin.yaml`, the entry module, `true` for the package itself, or the manifest's keys with
 * `entry`. Otherwise `"hermes_agent.plugins"`, a map from names to modules, works like the entry points of a Python
 * package.
 */
export async function findNpmPlugins(modules: string, log: Logger): Promise<readonly FoundPlugin[]> {
  const names = folders(modules).flatMap((name) =>
    name.startsWith("@") ? folders(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  const found: FoundPlugin[] = [];
  for (const name of names) found.push(...(await readPackage(join(modules, name), log)));
  return found;
}

/** @returns nothing for a package that is not a plugin. */
export async function readPackage(dir: string, log: Logger): Promise<readonly FoundPlugin[]> {
  const file = join(dir, "package.json");
  const data = readJson(file);
  if (data === undefined) return [];
  const entries = data["hermes_agent.plugins"];
  const text =
    (data["hermes"] as JsonObject | undefined)?.["plugin"] ??
    (entries === undefined ? textByKeyword(data, dir) : undefined);
  const name = keyOf(String(data["name"] ?? ""));
  if (text !== undefined) return text === false ? [] : [await listed(name, () => asListed(text))];
  if (entries === undefined || entries === null) return [];
  if (typeof entries !== "object" || Array.isArray(entries))
    return [
      await listed(name, () =>
        Promise.reject(new UserError(`${file}: "hermes_agent.plugins" must be a map from names to modules.`)),
      ),
    ];
  return Promise.all(Object.entries(entries).map(([key, module]) => listed(key, () => entryPoint(key, module))));

  /** An unreadable plugin is listed with its reason. */
  async function listed(key: string, read: () => Promise<FoundPlugin>): Promise<FoundPlugin> {
    try {
      return await read();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      log.warning(`Cannot read the plugin's manifest: ${reason}`, { cause });
      return brokenPlugin({ key, source: "npm", dir }, reason);
    }
  }

  async function asListed(text: Json): Promise<FoundPlugin> {
    if (text === true) return await atPath(".");
    if (typeof text === "string") return await atPath(text);
    if (typeof text !== "object" || text === null || Array.isArray(text))
      throw new UserError(`${file}: "hermes.plugin" must be a path, true, or a manifest.`);
    const { entry, ...manifest } = text as JsonObject;
    return fromManifest(manifest, inside(typeof entry === "string" ? entry : String(data!["main"] ?? "index.js")));
  }

  /** A manifest beside the module names the requirements; the entry names the plugin. */
  async function entryPoint(key: string, module: unknown): Promise<FoundPlugin> {
    if (typeof module !== "string")
      throw new UserError(`${file}: "hermes_agent.plugins" names no module for "${key}".`);
    const entry = inside(module);
    if (statSync(entry, { throwIfNoEntry: false })?.isFile() !== true)
      throw new UserError(`${file}: "hermes_agent.plugins" names ${module} for "${key}", which does not exist.`);
    const beside = [dirname(entry), dir].find((folder) => manifestFile(folder) !== undefined);
    const found = beside === undefined ? undefined : await readFolder({ source: "npm", dir: beside, key }, log);
    if (found?.broken !== undefined) throw new UserError(found.broken);
    const plain = fromManifest({ name: key }, entry);
    return found === undefined
      ? plain
      : {
          ...plain,
          manifest: {
            ...found.manifest,
            name: key,
            version: found.manifest.version || plain.manifest.version,
            description: found.manifest.description || plain.manifest.description,
          },
        };
  }

  async function atPath(path: string): Promise<FoundPlugin> {
    const target = inside(path);
    if (statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return fromManifest({}, target);
    if (manifestFile(target) === undefined) return fromManifest({}, join(target, String(data!["main"] ?? "index.js")));
    const found = await readFolder({ source: "npm", dir: target, key: undefined }, log);
    if (found === undefined)
      throw new UserError(`${file}: "hermes.plugin" names ${path}, but that folder contains no plugin.`);
    return { ...found, foreign: true };
  }

  /** The package's own fields fill the gaps of its manifest. */
  function fromManifest(manifest: JsonObject, entry: string): FoundPlugin {
    const author = data!["author"];
    const read = manifestOf(
      {
        name,
        version: data!["version"] ?? "",
        description: data!["description"] ?? "",
        ...definedFields({ author: typeof author === "string" ? author : undefined }),
        ...manifest,
      },
      dir,
      (path) => `${file}: hermes.plugin.${path}`,
    );
    for (const warning of [...read.warnings, ...read.unused]) log.warning(warning);
    return {
      key: read.manifest.name,
      source: "npm",
      dir,
      manifest: read.manifest,
      files: stampFiles(dirname(entry)).map(([path, at, bytes]) => [
        relative(dir, join(dirname(entry), path)),
        at,
        bytes,
      ]),
      entry,
      foreign: true,
    };
  }

  function inside(path: string): string {
    const target = resolve(dir, path);
    const from = relative(dir, target);
    if (from.startsWith("..") || isAbsolute(from))
      throw new UserError(`${file}: the plugin path leads out of the package: ${path}`);
    return target;
  }
}

/** The keyword and a `plugin.yaml` identify a plugin, too. */
function textByKeyword(data: JsonObject | undefined, dir: string): true | undefined {
  const keywords = data?.["keywords"];
  return Array.isArray(keywords) && keywords.includes("hermes-plugin") && manifestFile(dir) !== undefined
    ? true
    : undefined;
}

/** `@someone/hermes-plugin-dice` becomes `someone-hermes-plugin-dice`: a slash in a key means a category. */
function keyOf(name: string): string {
  return name.replace(/^@/, "").replaceAll("/", "-");
}

function readJson(file: string): JsonObject | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as JsonObject;
  } catch {
    return undefined; // A folder in node_modules that is not a package.
  }
}
