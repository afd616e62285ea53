import type { Call } from "../call.ts";
import type { Options } from "../options.ts";
import { configured } from "./git-config.ts";

/** Verbs that speak to another repository. */
export const NETWORK = new Set("clone fetch pull ls-remote push".split(" "));

/** By verb: options whose value git runs. */
const RUNS: ReadonlyMap<string, readonly string[]> = new Map([
  ["clone", ["u", "upload-pack", "c", "config", "template"]],
  ["fetch", ["upload-pack"]],
  ["pull", ["upload-pack"]],
  ["ls-remote", ["upload-pack", "exec"]],
  ["push", ["receive-pack", "exec"]],
  ["rebase", ["x", "exec"]],
  ["grep", ["O", "open-files-in-pager"]],
  ["difftool", ["x", "extcmd"]],
  ["archive", ["exec"]],
  ["init", ["template"]],
  ["send-email", ["smtp-server", "to-cmd", "cc-cmd", "sendmail-cmd"]],
]);

/** Options with which a git command runs a program of the caller's choice. */
export function programs(verb: string, options: Options, call: Call): void {
  for (const name of RUNS.get(verb) ?? []) {
    for (const value of options.values(name)) {
      if (name === "c" || name === "config") configured(value, call);
      else if (verb === "rebase") {
        strangeProgram(`git rebase --exec ${value}`, value, call);
        call.by.script(value, call);
      }
      else if (!(verb === "clone" && name === "c")) {
        call.by.harm("option-runs", `git ${verb} ${name.length > 1 ? "--" : "-"}${name} runs ${value}`);
        call.by.script(value, call);
      }
    }
  }
  for (const operand of options.operands)
    if (operand.startsWith("ext::")) {
      call.by.harm("option-runs", `git ${verb} ${operand} runs a program`);
      call.by.script(operand.slice(5), call);
    }
  for (const operand of options.operands) if (NETWORK.has(verb) && operand.startsWith("-o")) call.by.harm("option-runs", `git ${verb} ${operand}`);
}

/** A file outside the repository, run at every commit: it is there whatever is checked out, and no commit shows what it does. */
const OUTSIDE = /(?:^|[\s;&|"'])(?:\.\.\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|~\/\.|\$HOME\/\.)[^\s;&|]*/;
const RUNS_FILE = /^\s*(?:(?:env\s+)?(?:\w+=\S*\s+)*(?:(?:ba|z|da|k)?sh|source|\.|python3?|node|perl|ruby|exec)\s+(?:-\w+\s+)*|make\s+-C\s*)?(?=\.\.\/|\/|~|\$HOME)/;

export function strangeProgram(show: string, text: string, call: Call): void {
  if (text.length < 500 && RUNS_FILE.test(text) && OUTSIDE.test(text)) call.by.harm("option-runs", show);
}
