import type { Call } from "./call.ts";
import { COMPUTED, DECODED, REMOTE } from "../parse/marks.ts";
import { once } from "../parse/once.ts";

const UNSHOWN = new RegExp(`[${REMOTE}${DECODED}${COMPUTED}]`);
/** A text that another command prints, and not only a value in a text that is shown. */
const WHOLE = new RegExp(`^[\\s'"(]*[${REMOTE}${DECODED}${COMPUTED}]`);

const anyOf = (names: string, options: RegExp): readonly (readonly [string, RegExp])[] =>
  names.split(" ").map((name) => [name, options]);

/**
 * Programs with their own language, and the option or verb before a program text. Shells, databases and supported
 * languages are handled elsewhere.
 */
const takes = once(
  (): ReadonlyMap<string, RegExp> =>
    new Map([
      ...anyOf("osascript lldb-vscode v kak stap", /^-[eE]$/),
      ...anyOf("pwsh powershell", /^-c(?:ommand)?$/i),
      ...anyOf("tclsh wish expect", /^-c$/),
      ...anyOf("gdb", /^--?(?:ex|iex|eval-command|init-eval-command)$/),
      ...anyOf("lldb", /^(?:-[oOkKbB]*[oOkK]|--(?:one-line\S*))$/),
      ...anyOf("vim nvim vi ex view gvim mvim rvim", /^(?:-c|--cmd|-[sEeRnu]+c)$/),
      ...anyOf("crystal wp bq", /^(?:eval|query)$/),
      ...anyOf("drush", /^(?:php:eval|php-eval|ev|eval|sql:query|sql-query|sqlq)$/),
      ...anyOf("nim", /^--?(?:eval|e)$/),
      ...anyOf("dtrace", /^-[nPmf]$/),
      ...anyOf("nix nix-build nix-instantiate nix-env nix-shell", /^(?:-E|--expr|--run|--command|-c)$/),
      ...anyOf("rails", /^(?:runner|r)$/),
      ...anyOf("artisan tinker", /^--execute$/),
      ...anyOf("manage.py django-admin", /^(?:-c|--command)$/),
      ...anyOf("mix iex elixir", /^(?:-e|--eval|--rpc-eval)$/),
      ...anyOf("sed", /^(?:-\w*e|--expression)$/),
      ...anyOf("cypher-shell surreal influx", /^(?:-q|--query|query|sql)$/),
      ...anyOf("ansible", /^(?:-a|--args)$/),
      ...anyOf("arangosh", /^--javascript\.execute-string$/),
      ...anyOf("nvim-remote nvr", /^(?:-c|-cc|--remote-send|--remote-expr)$/),
    ]),
);
/** Programs whose first word that is no option is such a text. */
const FIRST: ReadonlySet<string> = new Set(["pwsh", "powershell", "sed"]);

/** The program text is unknown: `osascript -e "$(curl …)"`. */
export function judgeProgramText(call: Call): void {
  const options = call.args.some((arg) => UNSHOWN.test(arg)) ? takes().get(call.program) : undefined;
  if (options === undefined) return;
  for (const [at, arg] of call.args.entries()) {
    if (!UNSHOWN.test(arg)) continue;
    const [, option = call.args[at - 1] ?? "", text = arg] =
      /^(--?[A-Za-z][\w.-]*)[=:](.*)$/s.exec(arg) ?? /^(-[A-Za-z])([\uE000-\uE00F].*)$/s.exec(arg) ?? [];
    const first =
      FIRST.has(call.program) &&
      call.args.slice(0, at).every((word) => word.startsWith("-")) &&
      !call.args.slice(0, at).some((word) => options.test(word));
    if (!options.test(option) && !first && !/^\+[\uE000-\uE00F]/.test(arg)) continue;
    if (text.includes(REMOTE)) call.by.harm("remote-shell", `${call.program} runs text from the network`);
    else if (text.includes(DECODED))
      call.by.harm("decoded-shell", `${call.program} runs text that came out of a decoder`);
    else if (WHOLE.test(text)) call.by.harm("code-runs", `${call.program} runs a text that another command prints`);
  }
}
