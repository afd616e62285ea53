import { isSecretName } from "../../secrets/secret-names.ts";
import type { Program } from "../evaluate/call.ts";
import { NOTHING } from "../risk/effect.ts";
import { judgeEnvironment } from "../evaluate/environment.ts";
import { COMPUTED, hasMark, isKnown, REFERENCE } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { ownName, UNSET } from "../parse/state.ts";
import { setVariable } from "../parse/variables.ts";
import { evaluating } from "./evaluating.ts";

const exported: Program = (call) => {
  if (call.args.length === 0 || call.args.every((arg) => /^-[px]+$/.test(arg))) {
    if (call.program !== "readonly" && call.program !== "local")
      call.by.harm("environment-read", `${call.program} prints the environment`);
    return { text: undefined, secret: "environment", from: "pipe" };
  }
  if (call.program === "export" || call.args.some((arg) => /^-[a-zA-Z]*x/.test(arg)))
    for (const arg of call.args) if (!arg.startsWith("-")) call.state.exported.add(arg.replace(/\+?=[\s\S]*$/, ""));
  const references = call.args.some((arg) => /^-[a-zA-Z]*n/.test(arg)) && call.program !== "export";
  // Words such as "$x" may be assignments, too.
  const own = call.program === "local" || call.program === "declare" || call.program === "typeset";
  for (const arg of call.args) {
    if (/^[A-Za-z_]\w*$/.test(arg)) {
      const before = call.state.locals?.has(arg);
      if (own) ownName(arg, call.state);
      if (references) call.state.variables.set(arg, REFERENCE);
      else if (call.program === "local" && before === false) call.state.variables.set(arg, UNSET);
    }
    const match = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/.exec(arg);
    // `+=` was applied when the words were read.
    if (!match || match[2] === "+") continue;
    if (own) ownName(match[1]!, call.state);
    if (references) call.state.variables.set(match[1]!, isKnown(match[3]!) ? REFERENCE + match[3]! : COMPUTED);
    else setVariable(match[1]!, match[3]!, call.state);
    judgeEnvironment(match[1]!, match[3]!, call);
  }
  return NOTHING;
};

const set: Program = (call) => {
  if (call.args.length === 0) {
    call.by.harm("environment-read", "set prints all variables");
    return { text: undefined, secret: "environment", from: "pipe" };
  }
  if (call.args.some((arg, i) => /^-[a-z]*a/.test(arg) || (arg === "allexport" && call.args[i - 1] === "-o")))
    for (const name of call.state.variables.keys()) call.state.exported.add(name);
  const dashes = call.args.indexOf("--");
  if (dashes >= 0) call.state.positional = call.args.slice(dashes + 1);
  else if (!/^[-+]/.test(call.args[0]!)) call.state.positional = call.args;
  return NOTHING;
};

const shift: Program = (call) => {
  if (call.state.positional) call.state.positional = call.state.positional.slice(Number(call.args[0] ?? 1) || 1);
  return NOTHING;
};

const unset: Program = (call) => {
  const options = parseOptions(call.args);
  for (const name of options.operands) {
    if (options.has("n")) call.state.variables.set(name, UNSET);
    else if (isKnown(name)) setVariable(name, UNSET, call.state);
    call.state.functions.delete(name);
  }
  return NOTHING;
};

/** `let i=1 j++` */
const calculate: Program = (call) => {
  for (const arg of call.args) {
    const [, name, value] =
      /^(?:\+\+|--)?([A-Za-z_]\w*)\s*(?:=\s*(-?\d+)$|\W)/.exec(arg) ?? /^(?:\+\+|--)([A-Za-z_]\w*)$/.exec(arg) ?? [];
    if (name !== undefined) setVariable(name, value ?? COMPUTED, call.state);
  }
  return NOTHING;
};

const printenv: Program = (call) => {
  const names = parseOptions(call.args).operands;
  if (names.length === 0) call.by.harm("environment-read", "prints the whole environment");
  for (const name of names) if (isSecretName(name) || hasMark(name)) call.by.harm("environment-read", `prints ${name}`);
  return { text: undefined, secret: names.length === 0 ? "environment" : undefined, from: "pipe" };
};

/** Builtins that set, unset or show variables. */
export const SHELL_VARIABLES: Readonly<Record<string, Program>> = {
  export: evaluating(exported),
  declare: evaluating(exported),
  typeset: evaluating(exported),
  local: evaluating(exported),
  readonly: exported,
  set,
  shift,
  unset: evaluating(unset),
  let: evaluating(calculate),
  printenv,
};
