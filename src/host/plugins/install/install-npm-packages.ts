import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { npmNeeds } from "../packages/npm-needs.ts";
import { wrongPackages } from "../packages/wrong-package.ts";
import { checkTree } from "./check-tree.ts";
import { runNpm, type NpmRun } from "./run-npm.ts";
import { replaceFolder, stageName } from "./replace-folder.ts";

const LOCK = "package-lock.json";

/**
 * Installs the npm packages that a plugin's `package.json` names into its folder, without running their scripts. Keeps
 * other packages that the user put there.
 */
export async function installNpmPackages(plugin: FoundPlugin, home: Home, run: NpmRun): Promise<void> {
  const stage = mkdtempSync(stageName(home.folder("packages")));
  try {
    // npm resolves a local folder from the package.json that names it.
    const dependencies = Object.fromEntries(
      Object.entries(npmNeeds(plugin)).map(([name, version]) => [
        name,
        version.startsWith("file:") ? `file:${resolve(plugin.dir, version.slice("file:".length))}` : version,
      ]),
    );
    writeFileSync(join(stage, "package.json"), JSON.stringify({ private: true, dependencies }));
    // A lock that names another publisher's package would install it.
    if (existsSync(join(plugin.dir, LOCK)) && wrongPackages(plugin.dir).length === 0)
      copyFileSync(join(plugin.dir, LOCK), join(stage, LOCK));
    await runNpm(["--prefix", stage], stage, run);
    const [made, place] = [join(stage, "node_modules"), join(plugin.dir, "node_modules")];
    checkTree(made, made);
    if (existsSync(place)) cpSync(made, place, { recursive: true, force: true, verbatimSymlinks: true });
    else replaceFolder(made, place);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
