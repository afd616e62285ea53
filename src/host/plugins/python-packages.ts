import { readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Logger } from "../../contract/logger.ts";
import { brokenPlugin, folders, readFolder, type FoundPlugin } from "./discovery.ts";
import { manifestOf } from "./manifest.ts";
import { manifestFile, stampFiles, type FileStamp } from "./plugin-files.ts";

/** A Python that may hold plugins, and where its packages lie. */
export interface PythonPlace {
  readonly python: string;
  readonly site: string;
}

export const ENTRY_GROUP = "hermes_agent.plugins";

/** Plugins among the packages of a Python: those with an entry point in the group `hermes_agent.plugins`. Runs no Python. */
export async function findPythonPlugins({ python, site }: PythonPlace, log: Logger): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = [];
  for (const info of folders(site).filter((name) => name.endsWith(".dist-info") || name.endsWith(".egg-info"))) {
    for (const { name, module, attribute } of entryPoints(join(site, info, "entry_points.txt"))) {
      const dir = folderOf(site, module);
      const about = metadataOf(join(site, info));
      const data = { name, version: about["Version"] ?? "", description: about["Summary"] ?? "", author: about["Author"] ?? "" };
      try {
        // The manifest beside the code names the variables; the entry point names the plugin.
        const own = manifestFolder(site, module, dir);
        const beside = own === undefined ? undefined : await readFolder({ source: "python", dir: own, key: name }, log);
        if (beside?.broken !== undefined) throw new Error(beside.broken);
        const manifest = beside?.manifest ?? manifestOf(data, dir ?? site, (path) => `${info}: ${path}`).manifest;
        found.push({
          key: name,
          source: "python",
          dir: dir ?? site,
          manifest: { ...manifest, name, version: manifest.version || data.version, description: manifest.description || data.description },
          files: dir === undefined ? single(site, module) : stampFiles(dir),
          module: { python, name: module, ...(attribute === undefined ? {} : { attribute }) },
          foreign: true,
        });
      } catch (cause) {
        found.push(brokenPlugin({ key: name, source: "python", dir: dir ?? site }, cause instanceof Error ? cause.message : String(cause)));
      }
    }
  }
  return found;
}

/** `site-packages` of a virtual environment. */
export function siteOf(environment: string): string | undefined {
  const lib = join(environment, "lib");
  const version = folders(lib).find((name) => name.startsWith("python"));
  return version === undefined ? undefined : join(lib, version, "site-packages");
}

/** Asks the `python3` of the PATH where its packages lie; nothing without one. */
export async function askPython(path: string | undefined): Promise<readonly PythonPlace[]> {
  const python = (path ?? "").split(delimiter).map((folder) => join(folder, "python3")).find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (python === undefined) return [];
  const { execFile } = await import("node:child_process");
  const said = await new Promise<string>((resolve) => {
    // -I: neither this folder nor PYTHONPATH may put a module in between.
    execFile(python, ["-I", "-c", "import sys, site, json; print(json.dumps([p for p in sys.path if p.endswith('-packages')] + ([site.getusersitepackages()] if site.ENABLE_USER_SITE is not None else [])))"], { timeout: 10_000 }, (error, stdout) => resolve(error === null ? stdout : "[]"));
  });
  return [...new Set(JSON.parse(said) as readonly string[])].filter((site) => statSync(site, { throwIfNoEntry: false })?.isDirectory()).map((site) => ({ python, site }));
}

function entryPoints(file: string): readonly { readonly name: string; readonly module: string; readonly attribute?: string }[] {
  const text = read(file);
  const start = text.indexOf(`[${ENTRY_GROUP}]`);
  if (start < 0) return [];
  const lines = text.slice(start).split("\n").slice(1);
  const end = lines.findIndex((line) => line.startsWith("["));
  return lines.slice(0, end < 0 ? undefined : end).flatMap((line) => {
    const found = /^\s*([^=\s][^=]*?)\s*=\s*([\w.]+)\s*(?::\s*([\w.]+))?/.exec(line);
    return found === null ? [] : [{ name: found[1]!, module: found[2]!, ...(found[3] === undefined ? {} : { attribute: found[3] }) }];
  });
}

/** The folder of the package that a module belongs to; a single file has none. */
function folderOf(site: string, module: string): string | undefined {
  const dir = join(site, module.split(".")[0]!);
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() ? dir : undefined;
}

/** The folder with the manifest of a module: its own, else its package's. */
function manifestFolder(site: string, module: string, dir: string | undefined): string | undefined {
  return [join(site, ...module.split(".")), ...(dir === undefined ? [] : [dir])].find((folder) => manifestFile(folder) !== undefined);
}

function single(site: string, module: string): readonly FileStamp[] {
  const name = `${module}.py`;
  const stat = statSync(join(site, name), { throwIfNoEntry: false });
  return stat === undefined ? [] : [[name, stat.mtimeMs, stat.size]];
}

function metadataOf(info: string): { readonly [key: string]: string } {
  const file = readdirSync(info).find((name) => name === "METADATA" || name === "PKG-INFO");
  const head = file === undefined ? "" : read(join(info, file)).split(/\r?\n\r?\n/)[0]!;
  return Object.fromEntries(head.split(/\r?\n/).flatMap((line) => (/^[A-Z][A-Za-z-]*: /.test(line) ? [[line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]] : [])));
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Most packages have no entry points.
  }
}
