import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { splitCommand } from "./split-command.ts";

const SCRIPT = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd)$/i;
/** Programs of the system change with its updates; the command's own words say what is done with them. */
const SYSTEM = /^\/(?:usr\/)?(?:s?bin|lib\d*|libexec)\//;

/** Files whose content is what a command does: its scripts, or the program of the person's own that it names by its path. */
export function scriptsOf(command: string, userHome: string): readonly string[] {
  const words = wordsOf(command).map((word) => (word === "~" || word.startsWith("~/") ? join(userHome, word.slice(1)) : word));
  const files = words.filter((word) => word.includes("/") || SCRIPT.test(word)).map((word) => (isAbsolute(word) ? word : resolve(word)));
  const scripts = files.filter((file) => SCRIPT.test(file));
  const program = files.find((file) => !SYSTEM.test(file) && isFile(file));
  return scripts.length > 0 ? scripts : program === undefined ? [] : [program];
}

/** Of the scripts' content as it is now. A script that is not there has a hash too, so that its coming is a change. */
export function scriptHash(command: string, userHome: string): string {
  const hash = createHash("sha256").update(command);
  for (const file of scriptsOf(command, userHome)) hash.update(`\0${file}\0`).update(contentOf(file));
  return hash.digest("hex");
}

function wordsOf(command: string): readonly string[] {
  try {
    return splitCommand(command).flatMap((word) => (/\s/.test(word) ? word.split(/[\s;&|<>()]+/) : word.split(/[;&|<>()]+/)));
  } catch {
    return command.split(/[\s;&|<>()'"]+/);
  }
}

function contentOf(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch {
    return "";
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
