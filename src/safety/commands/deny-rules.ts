import { posix } from "node:path";
import type { JsonObject } from "../../contract/common/json.ts";
import { judgeCommand, type CommandContext } from "./command.ts";
import { pythonCommand } from "./python-text.ts";
import { matchesGlob } from "./rules.ts";

/** Arguments that are run by a shell, or typed into one. */
const COMMANDS = ["command", "data"];
const PLACES = ["path", "workdir"];
const SUBJECTS = [...COMMANDS, ...PLACES, "code", "url", "patch"];

/**
 * The first of the user's deny rules (`git push *`, `*.env`) that covers a call; `undefined` if none does. A rule is
 * matched against the whole command and each simple command in it, so `cd x && git push` is a push; against the
 * commands that a script starts; against a path as written and as resolved. Case does not matter.
 */
export async function denyingRule(
  rules: readonly string[],
  args: JsonObject,
  context: CommandContext,
): Promise<string | undefined> {
  const texts: string[] = [];
  for (const [key, value] of Object.entries(args)) {
    if (typeof value !== "string" || value === "") continue;
    if (COMMANDS.includes(key)) texts.push(value, ...(await linesOf(value, context)));
    else if (PLACES.includes(key)) texts.push(...pathsOf(value, context));
    else if (key === "patch") texts.push(...patchedFiles(value).flatMap((path) => pathsOf(path, context)));
    else if (key === "code") texts.push(value, ...(await linesOf(pythonCommand(value), context)));
    else if (key === "url") texts.push(value);
  }
  const normal = texts.map((text) => text.trim().toLowerCase());
  return rules.find((rule) => normal.some((text) => covers(rule.trim().toLowerCase(), text)));
}

/** Whether a call has anything that a rule could be about. */
export function hasSubject(args: JsonObject): boolean {
  return SUBJECTS.some((key) => typeof args[key] === "string");
}

/** `git push *` covers `git push` without arguments too. */
function covers(rule: string, text: string): boolean {
  if (rule === "") return false;
  return matchesGlob(rule, text) || (rule.endsWith(" *") && matchesGlob(rule.slice(0, -2), text));
}

async function linesOf(command: string, context: CommandContext): Promise<readonly string[]> {
  const { lines, key } = await judgeCommand(command, context);
  // If the analysis is incomplete, also split at anything that might separate commands: matching too many rules is the
  // safe mistake.
  const rough = /limit|malformed|computed|could not be/i.test(key)
    ? command.split(/[;&|\n\r(){}`"']+/).map((piece) => piece.replaceAll(/\s+/g, " "))
    : [];
  return [...lines, ...rough].flatMap((line) => [line, withoutFolder(line)]);
}

/** `/usr/bin/git push` is `git push`. */
function withoutFolder(line: string): string {
  const [program = "", ...rest] = line.trim().split(" ");
  return [program.slice(program.lastIndexOf("/") + 1), ...rest].join(" ");
}

function pathsOf(path: string, { cwd, home }: CommandContext): readonly string[] {
  const whole = path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
  const absolute = posix.resolve(cwd, whole);
  return [path, absolute, ...(absolute.startsWith(`${home}/`) ? [`~${absolute.slice(home.length)}`] : [])];
}

/** Files that a patch in the V4A format names. */
function patchedFiles(patch: string): readonly string[] {
  return [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to):\s*(.+?)\s*$/gim)].map(
    (match) => match[1]!,
  );
}
