import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../contract/failure.ts";
import type { Home } from "../../home.ts";
import type { FoundPlugin } from "../discovery.ts";
import { broughtAlong, environmentOf, pythonIn } from "../python-environment.ts";
import { isAgent, readNeed } from "../python-needs.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runProgram, type ProgramRun } from "./run-program.ts";

/** Makes a virtual environment without pip. @returns its Python. */
export async function makeEnvironment(folder: string, shared: "with-shared-packages" | "alone", run: ProgramRun): Promise<string> {
  await runProgram("python3", ["-m", "venv", "--without-pip", ...(shared === "alone" ? [] : ["--system-site-packages"]), folder], run);
  return pythonIn(folder) ?? join(folder, "bin", "python");
}

/** Unpacks wheels into an environment and runs nothing of them: a source package would run its own code to be built. */
export async function installWheels(python: string, needs: readonly string[], run: ProgramRun, options: readonly string[] = []): Promise<void> {
  for (const need of needs) {
    // What pip takes for an option, or fetches from an address of its own, is not an index's package.
    if (readNeed(need) === undefined) throw new UserError(`"${need}" is no package of an index, so it is not installed.`, { hint: "Look at it, and install it with pip yourself." });
  }
  const args = ["-m", "pip", "--python", python, "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-compile", "--only-binary=:all:", ...options, "--", ...needs];
  try {
    await runProgram("python3", args, run);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const name = /No matching distribution found for (.+)/.exec(text)?.[1]?.trim();
    if (name !== undefined) throw new UserError(`${name} cannot be installed: there is no wheel of it that fits this Python. ${NO_SOURCE}`, { hint: OWN_WHEEL, cause });
    if (text.includes("ResolutionImpossible")) {
      throw new UserError(`${needs.join(", ")} cannot be installed: what its versions need does not go together, or has no wheel that fits this Python. ${NO_SOURCE}`, { hint: `python3 -m pip install --dry-run --only-binary=:all: ${needs.join(" ")} names it. ${OWN_WHEEL}`, cause });
    }
    throw cause;
  }
}

const NO_SOURCE = "A source package is not taken: building one runs its code.";
const OWN_WHEEL = "Wheels that you built yourself are taken from the folder that PIP_FIND_LINKS names.";

/** Installs what a plugin's folder says it needs: into the environment it came with, else into one of its own in the home, made anew. */
export async function installPackages(plugin: FoundPlugin, home: Home, run: Omit<ProgramRun, "cwd">): Promise<void> {
  const needs = (plugin.manifest.dependencies ?? []).filter((need) => !isAgent(need));
  const brought = pythonIn(broughtAlong(plugin));
  const place = environmentOf(plugin, home);
  if (brought !== undefined && !existsSync(place)) return installWheels(brought, needs, { ...run, cwd: plugin.dir });
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const stage = mkdtempSync(join(home.folder("packages"), ".install-"));
  try {
    const folder = join(stage, "environment");
    const python = await makeEnvironment(folder, "with-shared-packages", { ...run, cwd: stage });
    await installWheels(python, needs, { ...run, cwd: stage });
    replaceFolder(folder, place);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
