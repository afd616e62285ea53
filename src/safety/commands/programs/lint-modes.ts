import type { Call } from "../evaluate/call.ts";
import { readable } from "../parse/marks.ts";

/**
 * The option with which an interpreter looks at a program and runs nothing of it, and what may stand beside it before
 * the program's name.
 */
interface Check {
  readonly checks: RegExp;
  readonly beside: RegExp;
}

/** `+n` takes it back, and an interactive shell (`-i`) does not heed it. */
const SHELL: Check = { checks: /^-[efuvx]*n[efuvx]*$/, beside: /^-[efuvx]+$|^--(?:posix|norc|noprofile)$/ };

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ...["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"].map((name) => [name, SHELL] as const),
  ["php", { checks: /^(?:-n?lf?|--syntax-check)$/, beside: /^-[nq]$/ }],
  ["ruby", { checks: /^-[wWv]*c[wWv]*$/, beside: /^-(?:[wv]+|W\S*|I.+)$/ }],
  // Runs the code in BEGIN.
  ["perl", { checks: /^-[wWtT]*c[wWtT]*$/, beside: /^-(?:[wWtT]+|I.+)$/ }],
  ["node", { checks: /^(?:-c|--check)$/, beside: /^-$/ }],
]);

/**
 * `php -l a.php`, `bash -n`: runs nothing of the files. Options after the script belong to the script: `bash a.sh -n`
 * runs it.
 */
export function checksSyntax(program: string, args: readonly string[]): boolean {
  const mode = CHECKS.get(program);
  if (mode === undefined) return false;
  const end = args.findIndex((arg) => !/^[-+]/.test(arg) || arg === "-" || arg === "--");
  const options = end < 0 ? args : args.slice(0, end);
  return (
    options.some((arg) => mode.checks.test(arg)) &&
    options.every((arg) => mode.checks.test(arg) || mode.beside.test(arg))
  );
}

/** The same for a call whose input and files may be anything; perl's check is a run of what comes first in them. */
export function onlyChecks(call: Call): boolean {
  if (!checksSyntax(call.program, call.args)) return false;
  const strange =
    call.stdin.remote ||
    call.stdin.decoded ||
    call.args.some((arg) => call.by.written(arg, call)?.remote || call.by.written(arg, call)?.decoded);
  if (call.program === "perl" && strange) return false;
  for (const arg of call.args) if (!arg.startsWith("-")) call.by.read(arg, call);
  call.by.add({
    kind: "execute",
    program: call.program,
    words: [call.program, ...call.args.slice(0, 7).map(readable)],
  });
  return true;
}
