import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { splitCommand } from "./split-command.ts";

/** Programs that run the file they are given, and those that run another program. */
const RUNNERS =
  /^(?:env|sudo|nice|nohup|timeout|time|exec|command|uv|run|poetry|sh|bash|zsh|dash|ksh|fish|python[\d.]*|node|deno|bun|tsx|ruby|perl|php|lua|pwsh)$/;

/**
 * Files whose content determines a command: programs named by their path, and scripts given to an interpreter. Other
 * arguments are not scripts.
 */
export function scriptsOf(command: string, userHome: string): readonly string[] {
  const files = partsOf(command).flatMap((words) => {
    const program = programOf(words);
    if (program === undefined) return [];
    const place = program.startsWith("~/") ? join(userHome, program.slice(2)) : program;
    return [isAbsolute(place) ? place : resolve(place)];
  });
  return [...new Set(files)];
}

/** A hash of the scripts' current content. A missing script has a hash, too, so that creating it is a change. */
export function scriptHash(command: string, userHome: string): string {
  const hash = createHash("sha256").update(command);
  for (const file of scriptsOf(command, userHome)) hash.update(`\0${file}\0`).update(contentOf(file));
  return hash.digest("hex");
}

function programOf(words: readonly string[]): string | undefined {
  let interpreted = false;
  for (const word of words) {
    if (/^[A-Za-z_]\w*=/.test(word) || /^\d+[smhd]?$/.test(word)) continue;
    if (interpreted && /^-[a-z]*[cem]$/.test(word)) return undefined; // The program text is in the command, or in a module.
    if (word.startsWith("-")) continue;
    if (RUNNERS.test(basename(word))) interpreted = true;
    else return interpreted || word.includes("/") ? word : undefined;
  }
  return undefined;
}

/** The words of each simple command of a line, as far as they can be split without a shell. */
function partsOf(command: string): readonly (readonly string[])[] {
  let words: readonly string[];
  try {
    words = splitCommand(command.replace(/(&&|\|\||[;|&\n()])/g, " $1 "));
  } catch {
    words = command.split(/\s+/); // A quote that is not closed: the words as they stand.
  }
  const parts: string[][] = [[]];
  for (const word of words) {
    if (/^(?:&&|\|\||[;|&()])$/.test(word)) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}

function contentOf(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch {
    return ""; // Not there: its coming is then a change.
  }
}
