import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { pythonPlugin } from "./python-template.ts";
import { typeScriptPlugin } from "./typescript-template.ts";
import type { PluginNames } from "./plugin-files.ts";

/**
 * Creates the folder of a working plugin.
 * @returns its path.
 * @throws {UserError} if the folder exists or the name is invalid.
 */
export function newPlugin(name: string, options: { readonly python: boolean; readonly folder: string }): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new UserError(`"${name}" is not a valid name for a new plugin.`, {
      hint: "Use lower-case letters and digits, words joined by -, beginning with a letter: my-dice",
      exitCode: 2,
    });
  const dir = join(options.folder, name);
  if (existsSync(dir))
    throw new UserError(`There is already a file or folder at ${dir}.`, {
      hint: "Choose another name, or move it away.",
      exitCode: 2,
    });
  const names: PluginNames = { name, word: name.replaceAll("-", "_") };
  for (const [path, text] of Object.entries(options.python ? pythonPlugin(names) : typeScriptPlugin(names))) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text, { flag: "wx" });
  }
  return dir;
}
