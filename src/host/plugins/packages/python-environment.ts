import { statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

export interface PluginPython {
  readonly program: string;
  /** It belongs only to this plugin: its own virtual environment's. */
  readonly own: boolean;
}

/** The Python of a plugin: its own virtual environment's, else the `python3` on PATH. */
export function pythonOf(plugin: FoundPlugin, home: Home, path: string | undefined): PluginPython | undefined {
  const shared = pythonOnPath(path);
  const own = plugin.module?.python ?? pythonIn(environmentOf(plugin, home)) ?? pythonIn(broughtAlong(plugin));
  if (own !== undefined && own !== shared) return { program: own, own: true };
  return shared === undefined ? undefined : { program: shared, own: false };
}

/** The `python3` that a shell would run. */
export function pythonOnPath(path: string | undefined): string | undefined {
  return (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "python3"))
    .find(isFile);
}

/** Where Hermes installs the packages of the plugin in a folder. */
export function environmentOf({ key }: Pick<FoundPlugin, "key">, home: Home): string {
  return home.file("packages", "environments", key.replaceAll("/", "-"));
}

/** An environment that its author or the user made beside its code. */
export function broughtAlong({ dir }: Pick<FoundPlugin, "dir">): string {
  return join(dir, ".venv");
}

export function pythonIn(environment: string): string | undefined {
  return [join(environment, "bin/python"), join(environment, "Scripts/python.exe")].find(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // It does not exist, or this user has no access to it.
  }
}
