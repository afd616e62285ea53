import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callsAtTopLevel } from "./top-level-call.ts";

const MODULE = /(?<!\.d|\.test)\.(?:ts|js|mjs)$/;

/** Modules of a folder that register a tool in their own body, in order of name; nothing is loaded. A folder that is not there has none. */
export function toolFiles(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // No such folder: nothing was ever put there.
  }
  return names.filter((name) => MODULE.test(name) && registers(join(folder, name))).sort();
}

function registers(path: string): boolean {
  try {
    return callsAtTopLevel(readFileSync(path, "utf8"), "registry.register");
  } catch {
    return false; // A folder, or a link to nowhere.
  }
}
