import { readdirSync } from "node:fs";
import { within, zonesOf, type Zone } from "hermes-agent/plugin";
import { dirname, join } from "node:path";
import { exists, real } from "./look.ts";

/** In a home directory these folders hold programs and settings, not the user's files. */
const NOT_FILES = new Set(["bin", "go", "snap", "Library", "Applications"]);

/**
 * The folders that belong to a task started in `cwd`: the repository around it, or the folder itself. Of a home the
 * folders in it that have no dot, so that start-up files stay as they are. None for the root and for what belongs to
 * the system.
 */
export function workspaceOf(
  cwd: string,
  { home, agentHome }: { readonly home: string; readonly agentHome: string },
): readonly string[] {
  const here = real(cwd);
  const own = real(home) ?? home;
  if (here === undefined) return [];
  if (here === own) {
    const entries = readdirSync(own, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NOT_FILES.has(entry.name))
      .map((entry) => join(own, entry.name));
  }
  const places = { home: own, agentHome: real(agentHome) ?? agentHome };
  if (!isTasks(here, places)) return [];
  for (let at = here; isTasks(at, places); at = dirname(at)) if (exists(join(at, ".git"))) return [at];
  return [here];
}

const NOBODYS_TASK: readonly Zone[] = [
  "root",
  "home",
  "system-directory",
  "system",
  "system-config",
  "kernel",
  "credentials",
  "unit",
  "startup",
  "schedule",
  "agent-secret",
  "agent-config",
];

/** Neither a home nor something above one, nor the system's, nor what the agent keeps about itself. */
function isTasks(path: string, places: { readonly home: string; readonly agentHome: string }): boolean {
  if (path === "/" || path === places.agentHome || within(places.home, path) !== undefined) return false;
  const zones = zonesOf(path, places);
  return !NOBODYS_TASK.some((zone) => zones.has(zone));
}
