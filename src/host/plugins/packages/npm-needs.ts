import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { hasEntryModule, isPythonPlugin } from "../discovery/plugin-files.ts";
import { PACKAGE } from "../registry/door.ts";

/** Hermes resolves these itself. */
const OWN: ReadonlySet<string> = new Set(["hermes-agent", PACKAGE]);

/** The packages that the `package.json` of a TypeScript plugin's folder names, with their versions. */
export function npmNeeds({ dir }: Pick<FoundPlugin, "dir">): { readonly [name: string]: string } {
  try {
    const data = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { readonly dependencies?: object };
    return Object.fromEntries(
      Object.entries(data.dependencies ?? {}).flatMap(([name, version]) =>
        typeof version === "string" && !OWN.has(name) ? [[name, version]] : [],
      ),
    );
  } catch {
    return {}; // Without a package.json, or with one that the check reports.
  }
}

/**
 * Those of {@link npmNeeds} that Node would not find, as `NAME@VERSION`. The packages of a plugin that npm installed are
 * npm's business.
 */
export function missingNpmPackages(plugin: FoundPlugin): readonly string[] {
  if (!takesNpmPackages(plugin)) return [];
  return Object.entries(npmNeeds(plugin)).flatMap(([name, version]) =>
    isInstalled(name, plugin.dir) ? [] : [`${name}@${version}`],
  );
}

/** Whether it is a folder with TypeScript or JavaScript that Hermes installs packages into. */
export function takesNpmPackages({ source, dir, files, manifest, entry }: FoundPlugin): boolean {
  return (
    (source === "user" || source === "project") &&
    manifest.program === undefined &&
    (entry !== undefined || hasEntryModule(files)) &&
    !isPythonPlugin(dir, files)
  );
}

/** As Node looks for it: in the folder's `node_modules` and in those of the folders above. */
function isInstalled(name: string, dir: string): boolean {
  for (let folder = dir; ; folder = dirname(folder)) {
    if (statSync(join(folder, "node_modules", name), { throwIfNoEntry: false }) !== undefined) return true;
    if (dirname(folder) === folder) return false;
  }
}
