import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { grepLeaves } from "./process-lists.ts";
import { fileBelow, namePattern, printedNames } from "./printed-names.ts";
import { reader } from "./reader.ts";

const readGrep = reader({
  short: "efmABCdD",
  long: [
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
    "color",
    "colour",
    "label",
  ],
  skip: 1,
  insteadOfSkip: ["e", "f", "regexp", "file"],
  recursive: ["r", "R", "recursive"],
});
const grep: Program = (call) => grepLeaves(call, readGrep(call) as Flow);
const ripgrep = reader({
  short: "efmABCgtTjMEr",
  long: [
    "regexp",
    "file",
    "max-count",
    "glob",
    "iglob",
    "type",
    "type-not",
    "type-add",
    "context",
    "after-context",
    "before-context",
    "replace",
    "sort",
    "sortr",
    "max-depth",
    "threads",
    "color",
    "colors",
  ],
  runs: ["pre", "hostname-bin"],
  skip: 1,
  insteadOfSkip: ["e", "f", "regexp", "file", "files", "type-list"],
  walks: true,
});

const fzf: Program = (call): Flow => {
  const options = parseOptions(call.args, {
    short: "nqdm",
    long: ["preview", "bind", "query", "height", "prompt", "header", "delimiter", "with-nth", "nth", "layout"],
  });
  for (const text of options.values("preview")) call.by.script(text.replace(/\{[^}]*\}/g, UNKNOWN), call);
  for (const text of options.values("bind"))
    for (const [, , command] of text.matchAll(/(execute|execute-silent|become|reload|transform)[(:[]([^)\]]*)/g))
      call.by.script(command!.replace(/\{[^}]*\}/g, UNKNOWN), call);
  return UNSEEN;
};

const fd: Program = (call): Flow => {
  const files = hiddenFiles(call);
  const exec = call.args.findIndex((arg) => ["-x", "-X", "--exec", "--exec-batch"].includes(arg));
  if (exec >= 0) {
    const argv = call.args.slice(exec + 1).filter((arg) => arg !== ";");
    if (["rm", "unlink", "shred"].includes(argv[0] ?? "")) {
      call.by.harm("find-rm", `fd ${call.args.join(" ")}`);
      // The pattern matches every file below the folder that follows it.
      const [pattern = ".", place] = parseOptions(call.args.slice(0, exec), { short: "dteESjc" }).operands;
      if (
        /^(\.|\*|\.\*|)$/.test(pattern) &&
        place !== undefined &&
        !call.args.slice(0, exec).some((arg) => /^-[eS]|^--(extension|size)/.test(arg))
      )
        call.by.remove(place, call, { recursive: true, by: "fd" });
    }
    const inside: Call["state"] = { ...call.state, eachFile: "find-rm" };
    call.by.run(
      argv.some((arg) => arg.includes("{"))
        ? argv.map((arg) => arg.replace(/\{[./]*\}/g, UNKNOWN))
        : [...argv, UNKNOWN],
      { ...call, state: inside },
      call.stdin,
      inside,
    );
    const found = printedNames(files, call)?.text?.trimEnd().split("\n") ?? [];
    if (found.length > 0 && !/^(?:rm|unlink|shred|ls|stat|du)$/.test(argv[0] ?? ""))
      call.by.run(
        argv.some((arg) => arg.includes("{"))
          ? argv.map((arg) => arg.replace(/\{[./]*\}/g, found[0]!))
          : [...argv, ...found],
        { ...call, state: inside },
        call.stdin,
        inside,
      );
  }
  return printedNames(files, call) ?? UNSEEN;
};

/** The files that fd prints, as patterns. Without an option, fd leaves out hidden files. */
function hiddenFiles({ args }: Call): readonly string[] {
  if (!args.some((arg) => /^-[a-zA-Z]*[Hu]|^--(?:hidden|unrestricted)$/.test(arg))) return [];
  const end = args.findIndex((arg) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(arg));
  const [pattern = "", ...places] = parseOptions(end === -1 ? args : args.slice(0, end), {
    short: "dteESjc",
    long: ["type", "extension", "exclude", "max-depth", "size", "base-directory"],
  }).operands;
  const name = /^(?:\.|\.\*|\^|)$/.test(pattern) ? COMPUTED : `${COMPUTED}${namePattern(pattern)}${COMPUTED}`;
  return (places.length === 0 ? ["."] : places).map((place) => fileBelow(place.replace(/(?<=.)\/$/, ""), name));
}

/** Programs that search names or text. Some run a command for each result. */
export const SEARCHERS: Readonly<Record<string, Program>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  ugrep: grep,
  ug: grep,
  zgrep: grep,
  rg: ripgrep,
  ag: reader({ runs: ["pager"], skip: 1, short: "GABCm", walks: true }),
  ack: reader({ runs: ["pager"], skip: 1, walks: true }),
  "git-grep": grep,
  fd,
  fdfind: fd,
  fzf,
};
