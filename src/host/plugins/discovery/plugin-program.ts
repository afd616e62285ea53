import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { entryModule, manifestFile } from "./plugin-files.ts";

interface Place {
  readonly dir: string;
  readonly program: readonly string[];
}

/**
 * The arguments of `program` in a manifest: a program on PATH or a file of the folder, and its arguments.
 * @throws {UserError} with the location, if they name something else or another entry exists beside them.
 */
export function programOf(data: JsonObject, dir: string, at: (path: string) => string): readonly string[] | undefined {
  const message = data["program"];
  if (message === undefined || message === null) return undefined;
  const words = Array.isArray(message) ? message : [message];
  const odd = words.findIndex((word) => typeof word !== "string" || word === "");
  if (words.length === 0 || odd >= 0)
    throw new UserError(
      `${at(odd > 0 ? `program.${odd}` : "program")}: "program" must be a list of strings, \`[perl, ./plugin.pl]\`, or one program, \`./plugin\`. Put numbers in quotes.`,
    );
  const [first = "", ...rest] = words as readonly string[];
  const place = (index: number): string => at(Array.isArray(message) ? `program.${index}` : "program");
  if (!Array.isArray(message) && /\s/.test(first))
    throw new UserError(
      `${at("program")}: "program" is not a shell command line; list each argument: \`program: [${first.trim().split(/\s+/).join(", ")}]\`.`,
    );
  if (first.includes("/") && !first.startsWith("./"))
    throw new UserError(
      `${place(0)}: "${first}" must be a file of the plugin, which begins with "./", or a program on PATH, which has no "/".`,
    );
  const out = [first, ...rest].findIndex((word) => /^\.\.?\//.test(word) && leavesFolder(word));
  if (out >= 0) throw new UserError(`${place(out)}: "${String(words[out])}" leads out of the plugin's folder.`);
  const entry = entryModule(dir);
  if ("file" in entry)
    throw new UserError(
      `${at("program")}: a plugin has one entry, but this one has "program" and ${relative(dir, entry.file)}. Remove one.`,
    );
  return [first, ...rest];
}

/** The command line: arguments that begin with `./` are files of the plugin. */
export function programLine({ dir, program }: Place): readonly string[] {
  return program.map((word) => (word.startsWith("./") ? join(dir, word) : word));
}

/** Why it cannot start now, with a fix. */
export function programLack({ dir, program }: Place, path: string | undefined): string | undefined {
  const [first = ""] = program;
  if (!first.startsWith("./") && onPath(first, path) === undefined)
    return `missing: ${first} on the PATH, which ${placeIn(dir)} names as its program`;
  for (const [index, word] of program.entries()) {
    const reason = word.startsWith("./") ? lackOfFile(dir, word, index === 0) : undefined;
    if (reason !== undefined) return `${placeIn(dir)}: ${reason}`;
  }
  return undefined;
}

/** Where the manifest says it. */
function placeIn(dir: string): string {
  const file = manifestFile(dir);
  if (file === undefined) return dir;
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => /^["']?program["']?\s*:/.test(text));
  return line < 0 ? file : `${file}:${line + 1}:1`;
}

function lackOfFile(dir: string, word: string, started: boolean): string | undefined {
  const file = join(dir, word);
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    return `there is no file ${word} in ${dir}; build the program first`;
  }
  const from = relative(realpathSync(dir), real);
  if (from.startsWith("..") || isAbsolute(from)) return `${word} leads out of the plugin's folder, to ${real}`;
  if (!statSync(real).isFile()) return started ? `${word} is not a file` : undefined;
  return started && !isExecutable(real) ? `${word} is not executable: chmod +x ${file}` : undefined;
}

function onPath(name: string, path: string | undefined): string | undefined {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true && isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Or it cannot be read, which has the same effect.
  }
}

function leavesFolder(word: string): boolean {
  return !join("/plugin", word).startsWith("/plugin/");
}
