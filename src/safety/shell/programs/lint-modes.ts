import type { Call } from "../call.ts";
import { readable } from "../marks.ts";

const SHELL = { checks: /^-[efuvx]*n[efuvx]*$/, runs: /^-[a-z]*c|^--rcfile|^--init-file/ };

/** The option with which an interpreter looks at a program and runs nothing of it, and options that make it run something all the same. */
const CHECKS: ReadonlyMap<string, { readonly checks: RegExp; readonly runs: RegExp }> = new Map([
  ...["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"].map((name) => [name, SHELL] as const),
  ["php", { checks: /^(?:-lf?|--syntax-check)$/, runs: /^-[rBRE]|^-d(?:auto_|.*(?:prepend|append)_file)|^--(?:run|process-)/ }],
  ["ruby", { checks: /^-[wWv]*c[wWv]*$/, runs: /^-[a-z]*[re]/ }],
  // Runs what stands in BEGIN.
  ["perl", { checks: /^-[wWtT]*c[wWtT]*$/, runs: /^-[a-z]*[eEMm]|^-d/ }],
  ["node", { checks: /^(?:-c|--check)$/, runs: /^(?:-[epr]|--(?:eval|print|require|import|loader|experimental-loader))/ }],
]);

/** `php -l a.php`, `bash -n`: whatever the files hold, none of it is run. */
export function checksSyntax(program: string, args: readonly string[]): boolean {
  const mode = CHECKS.get(program);
  return mode !== undefined && args.some((arg) => mode.checks.test(arg)) && !args.some((arg) => mode.runs.test(arg));
}

/** The same for a call whose input and files may be anything; perl's check is a run of what comes first in them. */
export function onlyChecks(call: Call): boolean {
  if (!checksSyntax(call.program, call.args)) return false;
  const strange = call.stdin.remote || call.stdin.decoded || call.args.some((arg) => call.by.written(arg, call)?.remote || call.by.written(arg, call)?.decoded);
  if (call.program === "perl" && strange) return false;
  for (const arg of call.args) if (!arg.startsWith("-")) call.by.read(arg, call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7).map(readable)] });
  return true;
}
