import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { broughtAlong, environmentOf, pythonIn } from "../packages/python-environment.ts";
import { isAgent } from "../packages/python-needs.ts";
import { installNeeds, type NeedsRun } from "./install-needs.ts";
import { replaceFolder, stageName } from "./replace-folder.ts";
import { runProgram, type ProgramRun } from "./run-program.ts";

/**
 * Makes a virtual environment without pip.
 * @returns its Python.
 */
export async function makeEnvironment(
  folder: string,
  shared: "with-shared-packages" | "alone",
  run: ProgramRun,
  program = "python3",
): Promise<string> {
  await runProgram(
    program,
    ["-m", "venv", "--without-pip", ...(shared === "alone" ? [] : ["--system-site-packages"]), folder],
    run,
  );
  return pythonIn(folder) ?? join(folder, "bin", "python");
}

/**
 * Installs the Python packages of a plugin's folder into the environment that came with it, else into a new one in the
 * home.
 */
export async function installPackages(plugin: FoundPlugin, home: Home, run: Omit<NeedsRun, "cwd">): Promise<void> {
  const needs = (plugin.manifest.dependencies ?? []).filter((need) => !isAgent(need));
  const brought = pythonIn(broughtAlong(plugin));
  const place = environmentOf(plugin, home);
  if (brought !== undefined && !existsSync(place)) return installNeeds(brought, needs, { ...run, cwd: plugin.dir });
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const stage = mkdtempSync(stageName(home.folder("packages")));
  try {
    const folder = join(stage, "environment");
    const python = await makeEnvironment(folder, "with-shared-packages", { ...run, cwd: stage });
    await installNeeds(python, needs, { ...run, cwd: stage });
    replaceFolder(folder, place);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
