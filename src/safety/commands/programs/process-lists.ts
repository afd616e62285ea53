import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { BRACKET, isKnown, QUESTION, STAR } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";

/** The output that lists every process and that no filter has narrowed yet. */
export const EVERY_PROCESS_LIST: Flow = { text: undefined, processes: true, from: "pipe" };

/** Samples of process names. A pattern that matches all of them matches every process. */
const NAMES = ["systemd", "bash", "kworker/0:1", "nginx", "Xorg", "a"];
const NUMBERS = ["1", "42", "999", "31337"];
const MAX_PATTERN = 60;

/** Whether a pattern matches the name of every process. */
export const takesEveryName = (pattern: string): boolean => takesAll(pattern, NAMES, "i");

/** Whether a pattern matches every process number, or every line of a process list. */
const takesEveryNumber = (pattern: string): boolean =>
  takesAll(pattern.replaceAll("[[:digit:]]", "\\d"), NUMBERS, "") || takesAll(pattern, NAMES, "");

function takesAll(pattern: string, subjects: readonly string[], flags: string): boolean {
  if (!isKnown(pattern) || pattern.length > MAX_PATTERN) return false;
  try {
    const taken = new RegExp(pattern.replaceAll(STAR, "*").replaceAll(QUESTION, "?"), flags);
    return subjects.every((subject) => taken.test(subject));
  } catch {
    return false; // `[z-a]` and the like
  }
}

/**
 * `ps -e` and `ps aux` list all processes, unless an option selects some. `ps e` and `ps -E` print the environment of
 * every process.
 */
export const ps: Program = (call) => {
  const shows = call.args.some((arg) =>
    /^[a-zA-Z]+$/.test(arg)
      ? arg.includes("e") &&
        !/^(?:pid|user|cmd|command|args|time|comm|ppid|stat)$/.test(arg) &&
        call.args[call.args.indexOf(arg) - 1]?.startsWith("-") !== true
      : arg === "-E",
  );
  if (shows) call.by.harm("environment-read", `ps ${call.args.join(" ")} prints the environment of processes`);
  const letters = call.args
    .filter((arg, i) => /^-?[a-zA-Z]+$/.test(arg) && !/^-\w*[oO]$/.test(call.args[i - 1] ?? ""))
    .map((arg) => ({ dashed: arg.startsWith("-"), arg }));
  const all = letters.some(({ dashed, arg }) =>
    dashed ? /[eA]/.test(arg.split("o")[0]!) || /^-\w*a\w*x/.test(arg) : /a\w*x|x\w*a/.test(arg.split("o")[0]!),
  );
  const some = call.args.some((arg) =>
    /^(?:-[CGUgpqstu]|-[CGUgpqstu]?\d+|--(?:pid|ppid|user|User|group|Group|tty|sid|quick-pid|deselect)\b.*|p|U|\d+)$/.test(
      arg,
    ),
  );
  return all && !some ? EVERY_PROCESS_LIST : UNSEEN;
};

export const pgrep: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "dFgGPsutUr",
    long: [
      "delimiter",
      "euid",
      "uid",
      "user",
      "group",
      "pgroup",
      "session",
      "terminal",
      "parent",
      "older",
      "ns",
      "pidfile",
      "runstates",
    ],
  });
  const narrowed = options.has(
    "u",
    "U",
    "g",
    "G",
    "P",
    "s",
    "t",
    "O",
    "older",
    "n",
    "o",
    "newest",
    "oldest",
    "r",
    "F",
    "euid",
    "uid",
    "parent",
    "terminal",
    "session",
    "group",
    "pgroup",
    "pidfile",
    "c",
    "count",
  );
  const [pattern] = options.operands;
  return !narrowed && pattern !== undefined && (options.has("v", "inverse") || takesEveryName(pattern))
    ? EVERY_PROCESS_LIST
    : UNSEEN;
};

/**
 * The process list after `grep`: still all processes if the pattern matches every number, or if `-v` excludes a few.
 */
export function grepLeaves(call: Call, input: Flow): Flow {
  if (!input.processes) return input;
  const options = parseOptions(call.args, {
    short: "efmABCdD",
    long: ["regexp", "file", "max-count", "color", "colour"],
  });
  const pattern = options.value("e", "regexp") ?? options.operands[0] ?? "";
  const all =
    options.has("v", "invert-match") ||
    takesEveryNumber(options.has("E") || call.program === "egrep" ? pattern : pattern.replaceAll("\\+", "+"));
  return all && !options.has("m", "max-count", "f") ? input : { ...input, processes: false };
}

/** Whether an awk program prints a field of every line, except for lines that it skips by number. */
export const awkLeavesAll = (program: string): boolean =>
  /^\s*(?:(?:NR|FNR)\s*(?:>=?|!=)\s*\d+|1)?\s*\{?\s*(?:print\s*\(?\s*(?:\$\w+)?\s*\)?\s*;?\s*)?\}?\s*$/.test(program) &&
  program.trim() !== "";

const MARKS = `[${STAR}${QUESTION}${BRACKET}]`;
/** `/proc/[0-9]*`, and files in each of these directories. */
const PROCESS_GLOB = new RegExp(`^/proc/${MARKS}+(?:/|/stat(?:us)?)?$`);
export const namesProcesses = (word: string): boolean => PROCESS_GLOB.test(word);

/** `ls /proc`, `ls -d /proc/[0-9]*`, `find /proc -maxdepth 1 -name '[0-9]*'`. */
export const listsProc = (words: readonly string[]): boolean =>
  words.some((word) => /^\/proc\/?$/.test(word) || namesProcesses(word));
export const findsProcesses = (roots: readonly string[], tests: readonly string[]): boolean =>
  roots.length === 1 &&
  /^\/proc\/?$/.test(roots[0]!) &&
  tests.includes("-maxdepth") &&
  tests.every(
    (test, i) =>
      !test.startsWith("-") ||
      /^-(?:max|min)depth$|^-(?:type|print0?|printf)$/.test(test) ||
      (/^-(?:name|regex)$/.test(test) && takesEveryNumber((tests[i + 1] ?? "").replaceAll("*", ".*"))),
  );
