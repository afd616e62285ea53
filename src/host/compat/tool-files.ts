import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callsAtTopLevel } from "./top-level-call.ts";

const MODULE = /(?<!\.d|\.test)\.(?:ts|js|mjs)$/;

/** Modules of a folder that register a tool in their own body, in order of name; nothing is loaded. A folder that is not there has none. */
export function toolFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => MODULE.test(name) && registers(join(folder, name)))
    .sort();
}

/** Python files that do so: a plugin's folder runs those. */
export function pythonToolFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".py") && /^registry\.register\s*\(/m.test(textOf(join(folder, name))))
    .sort();
}

function registers(path: string): boolean {
  return callsAtTopLevel(textOf(path), "registry.register");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No such folder: nothing was ever put there.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // A folder, or a link to nowhere.
  }
}
