import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { judgeEnvironment } from "../evaluate/environment.ts";
import { parseOptions } from "../parse/options.ts";
import { runInput } from "./shells.ts";

export const make: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "CfIjlOoWE",
    long: ["directory", "file", "makefile", "eval", "include-dir", "jobs", "old-file", "what-if"],
  });
  for (const text of options.values("eval", "E")) {
    call.by.harm("option-runs", `make --eval ${text}`);
    makefile(text.replace(/;/g, "\n\t"), call);
    for (const match of text.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(match[1]!, call);
  }
  const file =
    options.value("f", "file", "makefile") ??
    ["GNUmakefile", "makefile", "Makefile"].find((name) => call.by.written(name, call) !== undefined);
  if (file === "-" || file === "/dev/stdin") runInput(call.stdin, call, (text) => makefile(text, call));
  else if (file !== undefined) {
    const own = call.by.written(file, call);
    if (own) runInput(own, call, (text) => makefile(text, call));
  }
  for (const operand of options.operands) {
    const [, name = "", value = ""] = /^([\w.]+)[:+?]?=(.*)$/s.exec(operand) ?? [];
    const quiet =
      name === "SHELL"
        ? USUAL_SHELL.test(value)
        : name !== ".SHELLFLAGS" && (name !== "MAKEFLAGS" || value.split(/\s+/).every((word) => QUIET_FLAG.test(word)));
    if (!quiet) call.by.harm("option-runs", `make ${operand}`);
    else if (name !== "" && name !== "SHELL") judgeEnvironment(name, value, call);
    for (const match of operand.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(match[1]!, call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const USUAL_SHELL = /^((\/usr)?\/bin\/(env )?)?(ba|da|z|k)?sh( -[a-z]+( pipefail)?)*$/;
const QUIET_FLAG =
  /^(-[a-zA-Z]+\d*|--(no-print-directory|silent|jobs(=\d+)?|output-sync(=\w+)?|keep-going|warn-undefined-variables))?$/;

function makefile(text: string, call: Call): void {
  for (const line of text
    .split("\n")
    .flatMap((row) => (/^[^\t#=]*:[^=;]*;/.test(row) ? [row, `\t${row.slice(row.indexOf(";") + 1)}`] : [row])))
    if (line.startsWith("\t"))
      call.by.script(
        line
          .trim()
          .replace(/^[@+-]+/, "")
          .replaceAll("$$", "$"),
        call,
      );
  for (const match of text.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(match[1]!, call);
}
