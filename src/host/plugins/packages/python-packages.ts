import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Logger } from "../../../contract/common/logger.ts";
import type { PluginManifest } from "../../../contract/plugins/plugin.ts";
import { editablePackages } from "./editable-packages.ts";
import { brokenPlugin, readFolder, type FoundPlugin } from "../discovery/discovery.ts";
import { folders } from "../discovery/plugin-files.ts";
import { manifestOf } from "../discovery/manifest.ts";
import { manifestFile, stampFiles, type FileStamp } from "../discovery/plugin-files.ts";
import { pythonOnPath } from "./python-environment.ts";
import { readModules, type ModuleFacts } from "./python-facts.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** A Python that may have plugins, and its package folders. */
export interface PythonPlace {
  readonly python: string;
  readonly site: string;
  /** It was made for one plugin, whose package may work without an entry point. */
  readonly alone?: true;
}

export const ENTRY_GROUP = "hermes_agent.plugins";
const MEMORY_GROUP = "hermes_agent.memory_providers";

interface Entry {
  readonly name: string;
  readonly module: string;
  readonly attribute?: string;
  readonly kind?: PluginManifest["kind"];
}

/**
 * Finds plugins among the packages of a Python: those with an entry point in the group `hermes_agent.plugins`. Only of a
 * package without one, that Python reads the code; it never runs it.
 */
export async function findPythonPlugins(
  { python, site, alone }: PythonPlace,
  log: Logger,
): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = [];
  const infos = folders(site).filter((name) => name.endsWith(".dist-info") || name.endsWith(".egg-info"));
  const entries = infos.map((info) => [info, entryPoints(join(site, info, "entry_points.txt"))] as const);
  const editable = editablePackages(site);
  const bare =
    alone === true && entries.every(([, own]) => own.length === 0)
      ? await Promise.all(infos.map(async (info) => [info, await bareEntries(python, site, info)] as const))
      : [];
  for (const [info, named] of [...entries, ...bare]) {
    for (const { name, module, attribute, kind } of named) {
      const code = codeOf(site, module, editable);
      const dir = code?.dir;
      const about = metadataOf(join(site, info));
      const data = {
        name,
        version: about["Version"] ?? "",
        description: about["Summary"] ?? "",
        author: about["Author"] ?? "",
      };
      try {
        // The manifest beside the code names the variables; the entry point names the plugin.
        const own = manifestFolder(module, dir);
        const beside = own === undefined ? undefined : await readFolder({ source: "python", dir: own, key: name }, log);
        if (beside?.broken !== undefined) throw new Error(beside.broken);
        const manifest = beside?.manifest ?? manifestOf(data, dir ?? site, (path) => `${info}: ${path}`).manifest;
        found.push({
          key: name,
          source: "python",
          dir: dir ?? site,
          manifest: {
            ...manifest,
            ...definedFields({ kind }),
            name,
            version: manifest.version || data.version,
            description: manifest.description || data.description,
          },
          files: dir === undefined ? single(site, code?.file) : stampFiles(dir),
          module: { python, name: module, attribute },
          foreign: true,
        });
      } catch (cause) {
        found.push(
          brokenPlugin(
            { key: name, source: "python", dir: dir ?? site },
            cause instanceof Error ? cause.message : String(cause),
          ),
        );
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

/** Asks the `python3` on PATH for its package folders; returns none without one. */
export async function askPython(path: string | undefined): Promise<readonly PythonPlace[]> {
  const python = pythonOnPath(path);
  if (python === undefined) return [];
  const { execFile } = await import("node:child_process");
  const message = await new Promise<string>((resolve) => {
    // -I: no module of the working directory or of PYTHONPATH may interfere.
    execFile(
      python,
      [
        "-I",
        "-c",
        "import sys, site, json; print(json.dumps([p for p in sys.path if p.endswith('-packages')] + ([site.getusersitepackages()] if site.ENABLE_USER_SITE is not None else [])))",
      ],
      { timeout: 10_000 },
      (error, stdout) => resolve(error === null ? stdout : "[]"),
    );
  });
  return [...new Set(JSON.parse(message) as readonly string[])]
    .filter((site) => statSync(site, { throwIfNoEntry: false })?.isDirectory())
    .map((site) => ({ python, site }));
}

/** Of one that is in both groups, the first counts. */
function entryPoints(file: string): readonly Entry[] {
  const text = read(file);
  const plugins = entriesOf(text, ENTRY_GROUP);
  const memories = entriesOf(text, MEMORY_GROUP).map((entry): Entry => ({ ...entry, kind: "exclusive" }));
  return [...plugins, ...memories.filter(({ module }) => !plugins.some((plugin) => plugin.module === module))];
}

/** More modules than these are a library that the plugin needs. */
const MOST_MODULES = 300;

/**
 * For a package without an entry point: a folder with a manifest, which another program would copy to the plugins, or
 * a module whose `register` registers something, or with a class of a memory provider or a context engine.
 */
async function bareEntries(python: string, site: string, info: string): Promise<readonly Entry[]> {
  const record = read(join(site, info, "RECORD"));
  const files = [...record.matchAll(/^([\w/]+)\.py,/gm)].map(([, path = ""]) => path);
  if (files.length === 0 || files.length > MOST_MODULES) return [];
  const modules = await readModules(
    python,
    files.map((path) => [path.replace(/\/__init__$/, "").replaceAll("/", "."), join(site, `${path}.py`)]),
  );
  const manifests = [...record.matchAll(/^([\w/]+)\/plugin\.ya?ml,/gm)].map(([, folder = ""]) => folder);
  const carried = manifests.flatMap((folder): readonly Entry[] => {
    const file = manifestFile(join(site, folder));
    const name = /^name:\s*["']?([\w.-]+)/m.exec(file === undefined ? "" : read(file))?.[1];
    const found = pluginModule(folder.replaceAll("/", "."), modules);
    return found === undefined || name === undefined ? [] : [{ name, module: found.module }];
  });
  if (carried.length > 0) return carried;
  const tops = [...new Set(files.map((path) => path.split("/")[0]!))];
  return tops.flatMap((top): readonly Entry[] => {
    const found = pluginModule(top, modules);
    return found === undefined ? [] : [{ name: top, ...found }];
  });
}

/**
 * The module of a package that is the plugin: its own if it has `register` or the provider's class, else the one that
 * does, the shortest name first.
 */
function pluginModule(top: string, modules: readonly ModuleFacts[]): Pick<Entry, "module" | "kind"> | undefined {
  const own = modules
    .filter(({ module }) => (module === top || module.startsWith(`${top}.`)) && !/(^|\.)tests?(\.|_|$)/.test(module))
    .sort((one, other) => one.module.split(".").length - other.module.split(".").length);
  const root = own.find(({ module }) => module === top);
  const registering = own.find(({ registers }) => registers.length > 0);
  if (registering !== undefined) {
    const calls = registering.registers;
    const only = ["register_memory_provider", "register_context_engine"];
    const exclusive =
      calls.some((name) => only.includes(name)) && calls.every((name) => only.includes(name) || name === "");
    return {
      module: root?.names.includes("register") === true ? root.module : registering.module,
      kind: exclusive ? "exclusive" : undefined,
    };
  }
  const providing = own.find((facts) => Object.keys(facts.extends).length > 0);
  if (providing === undefined) return undefined;
  const classes = Object.values(providing.extends).flat();
  const importing = root?.names.some((name) => classes.includes(name)) === true;
  return { module: importing ? root.module : providing.module, kind: "exclusive" };
}

function entriesOf(text: string, group: string): readonly Entry[] {
  const start = text.indexOf(`[${group}]`);
  if (start < 0) return [];
  const lines = text.slice(start).split("\n").slice(1);
  const end = lines.findIndex((line) => line.startsWith("["));
  return lines.slice(0, end < 0 ? undefined : end).flatMap((line) => {
    const found = /^\s*([^=\s][^=]*?)\s*=\s*([\w.]+)\s*(?::\s*([\w.]+))?/.exec(line);
    return found === null ? [] : [{ name: found[1]!, module: found[2]!, attribute: found[3] }];
  });
}

/** The folder of the package that a module belongs to, or its single file. */
function codeOf(
  site: string,
  module: string,
  editable: (name: string) => string | undefined,
): { readonly dir?: string; readonly file?: string } | undefined {
  const name = module.split(".")[0]!;
  const found =
    [join(site, name), join(site, `${name}.py`)].find(
      (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
    ) ?? editable(name);
  return found === undefined ? undefined : found.endsWith(".py") ? { file: found } : { dir: found };
}

/** The folder with the manifest of a module: its own, its parent folder, else its package's. */
function manifestFolder(module: string, dir: string | undefined): string | undefined {
  if (dir === undefined) return undefined;
  const inside = module.split(".").slice(1);
  return [join(dir, ...inside), join(dir, ...inside.slice(0, -1)), dir].find(
    (folder) => manifestFile(folder) !== undefined,
  );
}

function single(site: string, file: string | undefined): readonly FileStamp[] {
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? [] : [[relative(site, file!), stat.ctimeMs, stat.size]];
}

function metadataOf(info: string): { readonly [key: string]: string } {
  const file = readdirSync(info).find((name) => name === "METADATA" || name === "PKG-INFO");
  const head = file === undefined ? "" : read(join(info, file)).split(/\r?\n\r?\n/)[0]!;
  return Object.fromEntries(
    head
      .split(/\r?\n/)
      .flatMap((line) =>
        /^[A-Z][A-Za-z-]*: /.test(line) ? [[line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]] : [],
      ),
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Most packages have no entry points.
  }
}
