import type { Call } from "../evaluate/call.ts";
import { readable } from "../parse/marks.ts";

/**
 * The option with which an interpreter checks a program without running it, and the options allowed beside it before
 * the program's name.
 */
interface Check {
  readonly checks: RegExp;
  readonly beside: RegExp;
}

/** Options that undo the check: `+n`, and `-i`, since an interactive shell ignores `-n`. */
const SHELL: Check = { checks: /^-[efuvx]*n[efuvx]*$/, beside: /^-[efuvx]+$|^--(?:posix|norc|noprofile)$/ };

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ...["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"].map((name) => [name, SHELL] as const),
  ["php", { checks: /^(?:-n?lf?|--syntax-check)$/, beside: /^-[nq]$/ }],
  ["ruby", { checks: /^-[wWv]*c[wWv]*$/, beside: /^-(?:[wv]+|W\S*|I.+)$/ }],
  // A check still runs the code in BEGIN.
  ["perl", { checks: /^-[wWtT]*c[wWtT]*$/, beside: /^-(?:[wWtT]+|I.+)$/ }],
  ["node", { checks: /^(?:-c|--check)$/, beside: /^-$/ }],
]);

/**
 * Whether it only checks the files: `php -l a.php`, `bash -n`. Options after the script belong to the script, so
 * `bash a.sh -n` runs it.
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

/** Whether it only checks files with unknown content. Perl's check runs BEGIN blocks, so perl does not count. */
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
