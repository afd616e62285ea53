import type { Program } from "../evaluate/call.ts";
import { wordsHold } from "../evaluate/conditions.ts";
import { NOTHING, UNSEEN } from "../risk/effect.ts";
import { activateGlobs, hasGlob, isKnown, UNKNOWN } from "../parse/marks.ts";
import { evaluating } from "./evaluating.ts";
import { printedNames } from "./printed-names.ts";
import { SHELL_RUNS } from "./shell-runs.ts";
import { SHELL_TEXTS } from "./shell-texts.ts";
import { SHELL_VARIABLES } from "./shell-variables.ts";

const cd: Program = (call) => {
  const target = call.args.filter((arg) => arg !== "--" && !/^-[PLe@]+$/.test(arg))[0] ?? call.by.home;
  const [was] = call.state.cwds.length === 1 ? call.state.cwds : [];
  const last = call.state.variables.get("OLDPWD");
  const next =
    target === "-"
      ? [typeof last === "string" && isKnown(last) ? last : undefined]
      : call.by
          .paths(target, call.state)
          .map((path) => (isKnown(path) && !hasGlob(path) ? path : path.startsWith("/") ? path : undefined));
  call.state.cwds = next;
  const only = next.length === 1 ? next[0] : undefined;
  call.state.variables.set("PWD", only ?? UNKNOWN);
  call.state.variables.set("OLDPWD", was ?? UNKNOWN);
  return call.program === "cd" ? NOTHING : UNSEEN;
};

const question: Program = (call) => {
  const words = call.program === "[" ? (call.args.at(-1) === "]" ? call.args.slice(0, -1) : undefined) : call.args;
  call.state.status = words === undefined ? undefined : wordsHold(words);
  return UNSEEN;
};

const succeeds: Program = (call) => ((call.state.status = true), NOTHING);
const none: Program = () => NOTHING;

/** Builtins without an effect that matters here. */
const HARMLESS =
  "unalias wait jobs fg bg disown exit return break continue umask ulimit shopt getopts times caller help logout suspend clear reset tabs stty setopt unsetopt autoload".split(
    " ",
  );

/** The shell's builtins. */
export const BUILTINS: Readonly<Record<string, Program>> = {
  ...SHELL_VARIABLES,
  ...SHELL_TEXTS,
  ...SHELL_RUNS,
  ...Object.fromEntries(HARMLESS.map((name) => [name, none])),
  cd,
  pushd: cd,
  popd: (call) => ((call.state.cwds = [undefined]), NOTHING),
  dirs: () => UNSEEN,
  compgen: (call) => {
    const pattern = call.args.find((_, i) => /^-[A-Za-z]*G$/.test(call.args[i - 1] ?? ""));
    return (pattern === undefined ? undefined : printedNames([activateGlobs(pattern)], call)) ?? UNSEEN;
  },
  test: evaluating(question),
  "[": evaluating(question),
  true: succeeds,
  ":": succeeds,
  false: (call) => ((call.state.status = false), NOTHING),
};
