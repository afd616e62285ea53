import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";
import { outputsInto } from "../risk/unknown-options.ts";

export const pip: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "rceifdtpC",
    long: [
      "directory",
      "project",
      "requirement",
      "constraint",
      "editable",
      "index-url",
      "extra-index-url",
      "index",
      "default-index",
      "find-links",
      "target",
      "prefix",
      "root",
      "proxy",
      "trusted-host",
      "python",
      "with",
      "from",
      "source",
    ],
  });
  const show = `${call.program} ${call.args.join(" ")}`;
  outputsInto(call);
  const words = options.operands;
  for (const url of options.values("i", "index-url", "extra-index-url", "index", "default-index", "f", "find-links"))
    if (/:\/\/|[\uE000-\uE00F]/.test(url)) call.by.harm("package-index", show);
  if (options.has("trusted-host")) call.by.harm("package-index", show);
  if (words[0] === "config" && /^(set|edit)$/.test(words[1] ?? "")) call.by.harm("package-index", show);
  if (
    words.some((word) => /^(git\+|hg\+|svn\+|https?:|\S+ @ (git\+|http))/.test(word)) ||
    options.values("e", "r", "requirement", "editable").some((value) => /^(https?:|git\+)/.test(value))
  )
    call.by.harm("remote-run", show);
  if (
    call.program === "uv" ||
    call.program === "uvx" ||
    call.program === "poetry" ||
    call.program === "pipenv" ||
    call.program === "pdm" ||
    call.program === "hatch" ||
    call.program === "rye" ||
    call.program === "pipx"
  ) {
    if (words[0] === "run" || (words[0] === "env" && words[1] === "run")) return runWords(call, ["run"]);
    if (words[0] === "source" && words[1] === "add") call.by.harm("package-index", show);
    if (words[0] === "tool" && words[1] === "run") return runWords(call, ["tool", "run"]);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function runWords(call: Call, verbs: readonly string[]): Flow {
  const at = call.args.indexOf(verbs.at(-1)!);
  const options = parseOptions(call.args.slice(at + 1), {
    short: "pmw",
    long: [
      "python",
      "with",
      "extra",
      "group",
      "env-file",
      "project",
      "directory",
      "package",
      "module",
      "with-requirements",
      "index",
      "filter",
      "dir",
      "index-url",
    ],
    stop: true,
  });
  const words = options.operands[0] === "--" ? options.operands.slice(1) : options.operands;
  // `uv run -` runs Python with the program from standard input.
  if (words[0] === "-" || words[0] === "/dev/stdin") return call.by.run(["python3", "-"], call);
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
}
