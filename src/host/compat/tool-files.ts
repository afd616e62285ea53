import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callsAtTopLevel } from "./top-level-call.ts";

const MODULE = /(?<!\.d|\.test)\.(?:ts|js|mjs)$/;

/**
 * Modules of a folder that register a tool in their own body, in order of name. Loads nothing. A missing folder has
 * none.
 */
export function toolFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => MODULE.test(name) && registers(join(folder, name)))
    .sort();
}

/** Python files that do so. Tools in Python run only as plugins. */
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
    return []; // The folder does not exist, so it has no tools.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // A folder, or a broken link.
  }
}
