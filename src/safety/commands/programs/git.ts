import type { Call, Program } from "../evaluate/call.ts";
import { NOTHING, UNSEEN } from "../risk/effect.ts";
import { hasMark } from "../parse/marks.ts";
import { gh } from "./forges.ts";
import { configured, configuredFrom } from "./git-config.ts";
import { judgeRepository, judgeWorkTree } from "./git-repository.ts";
import { judgeVerb } from "./git-verbs.ts";

/** Options before the subcommand that take a value, joined by `=` or as the next word. */
const VALUED = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--shallow-file",
]);

export const git: Program = (call) => {
  let args = call.args;
  let state = call.state;
  let workTree: string | undefined;
  while (args[0]?.startsWith("-")) {
    const [option, value, length] = globalOption(args);
    args = args.slice(length);
    const here = { ...call, state };
    if (value === undefined) continue;
    if (option === "-C") state = { ...state, cwds: call.by.paths(value, state) };
    else if (option === "-c") configured(value, here);
    else if (option === "--config-env") configuredFrom(value, here);
    else if (option === "--git-dir") judgeRepository(value, here);
    else if (option === "--work-tree") workTree = value;
    else if (option === "--exec-path") call.by.harm("option-runs", `git --exec-path=${value}`);
  }
  const [verb, ...rest] = args;
  if (verb === undefined) return UNSEEN;
  if (hasMark(verb)) {
    call.by.harm("computed-command", `git ${verb}: the command is computed`);
    return UNSEEN;
  }
  const inside: Call = { ...call, args: rest, state };
  if (workTree !== undefined) judgeWorkTree(workTree, verb, inside);
  return judgeVerb(verb, inside);
};

/** The first option, its value, and how many words the two are. */
function globalOption(args: readonly string[]): readonly [option: string, value: string | undefined, length: number] {
  const first = args[0]!;
  const short = /^(-[cC])(.+)$/s.exec(first);
  if (short !== null) return [short[1]!, short[2]!, 1];
  const equals = first.indexOf("=");
  if (first.startsWith("--") && equals > 0) return [first.slice(0, equals), first.slice(equals + 1), 1];
  // Without a value it prints the folder of git's own programs.
  if (first === "--exec-path") return /^[a-z-]+$/.test(args[1] ?? "a") ? [first, undefined, 1] : [first, args[1], 2];
  return VALUED.has(first) ? [first, args[1] ?? "", 2] : [first, undefined, 1];
}

export const GIT: Readonly<Record<string, Program>> = {
  git,
  hub: (call) => (call.args[0] === "delete" ? gh(call) : git(call)),
  gh,
  glab: gh,
  "git-lfs": () => NOTHING,
};
