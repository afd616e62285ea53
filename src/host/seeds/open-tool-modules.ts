import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ToolModulePorts, ToolModules } from "./tool-modules.ts";

const NONE: ToolModules = { notices: [], declaredEnv: () => [] };

/** Tools of modules that lie in folders of ours and the person's. Where there is no such folder it costs one look. */
export async function openToolModules(folders: readonly string[], ports: Omit<ToolModulePorts, "files">): Promise<ToolModules> {
  const there = folders.filter((folder) => holdsAnything(folder));
  if (there.length === 0) return NONE;
  const [{ toolFiles }, { loadToolModules }] = await Promise.all([import("./tool-files.ts"), import("./tool-modules.ts")]);
  const files = there.flatMap((folder) => toolFiles(folder).map((name) => join(folder, name)));
  return files.length === 0 ? NONE : loadToolModules({ ...ports, files });
}

function holdsAnything(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // Not there.
  }
}
