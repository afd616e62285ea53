import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { distributionName, readNeed } from "./python-needs.ts";

/**
 * Packages that a plugin imports without naming them, because the original bundles them. Only those: for any other
 * module, a package of the same name could be another publisher's.
 */
export function impliedNeeds(dir: string, files: readonly string[], named: readonly string[]): readonly string[] {
  const taken = new Set(named.map((need) => readNeed(need)?.name));
  const found = new Set<string>();
  for (const file of files.filter(
    (name) =>
      name.endsWith(".py") && !/(^|\/)(tests?|examples?|docs?)\/|(^|\/)(test_[^/]*|conftest|setup)\.py$/.test(name),
  )) {
    for (const [, module = ""] of textOf(join(dir, file)).matchAll(/^[ \t]*(?:import|from)[ \t]+(\w+)/gm)) {
      const package_ = BROUGHT_ALONG.get(module);
      if (package_ !== undefined && !isOwn(dir, module)) found.add(package_);
    }
  }
  return [...found].filter((name) => !taken.has(distributionName(name))).sort();
}

/** The original's own dependencies, by import name. A YAML reader is built into the bridge. */
const BROUGHT_ALONG: ReadonlyMap<string, string> = new Map([
  ["httpx", "httpx"],
  ["requests", "requests"],
  ["aiohttp", "aiohttp"],
  ["pydantic", "pydantic"],
  ["rich", "rich"],
  ["openai", "openai"],
  ["jinja2", "Jinja2"],
  ["dotenv", "python-dotenv"],
  ["tenacity", "tenacity"],
  ["croniter", "croniter"],
  ["packaging", "packaging"],
  ["markdown", "Markdown"],
  ["jwt", "PyJWT"],
  ["cryptography", "cryptography"],
  ["psutil", "psutil"],
  ["websockets", "websockets"],
  ["pathspec", "pathspec"],
  ["fastapi", "fastapi"],
  ["uvicorn", "uvicorn"],
  ["PIL", "Pillow"],
  ["prompt_toolkit", "prompt_toolkit"],
  ["ruamel", "ruamel.yaml"],
  ["fire", "fire"],
  ["ptyprocess", "ptyprocess"],
  ["urllib3", "urllib3"],
  ["certifi", "certifi"],
]);

/** The package of that module, or the module itself: the name that the plugin would have to list. */
export function packageOfModule(module: string): string {
  return BROUGHT_ALONG.get(module) ?? module;
}

function isOwn(dir: string, module: string): boolean {
  return [`${module}.py`, module].some((name) => statSync(join(dir, name), { throwIfNoEntry: false }) !== undefined);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").slice(0, 1 << 18);
  } catch {
    return ""; // It disappeared while the folder was read.
  }
}
