import { isSecretName } from "../../secret-names.ts";
import { subscript } from "../arithmetic.ts";
import type { Call, Program } from "../call.ts";
import { type Flow, literal, NOTHING, UNSEEN } from "../effect.ts";
import { wordsHold } from "../conditions.ts";
import { judgeEnvironment } from "../environment.ts";
import { COMPUTED, hasGlob, hasMark, isKnown, REFERENCE, SECRET, UNKNOWN } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { ownName, UNSET } from "../state.ts";
import { printfText, unescape } from "../transform.ts";
import { setVariable } from "../variables.ts";

const cd: Program = (call) => {
  const target = call.args.filter((arg) => arg !== "--" && !/^-[PLe@]+$/.test(arg))[0] ?? call.by.home;
  const next =
    target === "-"
      ? [undefined]
      : call.by.paths(target, call.state).map((path) => (isKnown(path) && !hasGlob(path) ? path : path.startsWith("/") ? path : undefined));
  call.state.cwds = next;
  const only = next.length === 1 ? next[0] : undefined;
  call.state.variables.set("PWD", only ?? UNKNOWN);
  return call.program === "cd" ? NOTHING : UNSEEN;
};

const echo: Program = (call) => {
  let args = call.args;
  let escapes = false;
  let newline = true;
  while (args[0] !== undefined && /^-[neE]+$/.test(args[0])) {
    if (args[0].includes("e")) escapes = true;
    if (args[0].includes("n")) newline = false;
    args = args.slice(1);
  }
  const text = args.join(" ");
  tellSecrets(text, call);
  if (hasGlob(text)) return { text: undefined, from: "pipe" };
  return literal((escapes ? unescape(text) : text) + (newline ? "\n" : ""));
};

const printf: Program = (call) => {
  const toVariable = call.args[0] === "-v" ? call.args[1] : undefined;
  const args = (toVariable === undefined ? call.args : call.args.slice(2)).filter((arg, index) => !(index === 0 && arg === "--"));
  tellSecrets(args.join(" "), call);
  // Its options end it.
  const text = toVariable === undefined && /^-./.test(call.args[0] ?? "") && call.args[0] !== "--" ? "" : printfText(args[0] ?? "", args.slice(1));
  if (toVariable !== undefined) {
    setVariable(toVariable, text ?? COMPUTED, call.state);
    return NOTHING;
  }
  return text === undefined ? UNSEEN : literal(text);
};

function tellSecrets(text: string, call: Call): void {
  if (text.includes(SECRET)) call.by.harm("environment-read", `${call.program} prints a secret variable`);
}

const evaluate: Program = (call) => call.by.script(call.args.join(" "), call, { same: true });

/** Programs whose output is made to be evaluated: `eval "$(ssh-agent -s)"`. */
const source: Program = (call) => {
  const file = call.args[0];
  if (file === undefined) return NOTHING;
  if (file === "/dev/stdin" || file === "-") return runFlow(call.stdin, call, "sourced from its input");
  const content = call.by.written(file, call);
  if (content) return runFlow(content, call, `sourced from ${file}`);
  if (!isKnown(file) && file.includes(COMPUTED)) call.by.harm("computed-command", "sources a file whose name is computed");
  call.by.add({ kind: "execute", program: call.program, words: [call.program, file] });
  return UNSEEN;
};

function runFlow(flow: Flow, call: Call, how: string): Flow {
  if (flow.remote) call.by.harm("remote-shell", `text from the network is ${how}`);
  else if (flow.decoded) call.by.harm("decoded-shell", `decoded text is ${how}`);
  else if (flow.text === undefined) call.by.harm("unseen-shell", `text that is not shown is ${how}`);
  return flow.text === undefined ? UNSEEN : call.by.script(flow.text, call, { same: true });
}

const exported: Program = (call) => {
  if (call.args.length === 0 || call.args.every((arg) => /^-[px]+$/.test(arg))) {
    if (call.program !== "readonly" && call.program !== "local") call.by.harm("environment-read", `${call.program} prints the environment`);
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
    // What is added to was added when the words were read.
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

const read: Program = (call) => {
  const options = parseOptions(call.args, { short: "adinNptu" });
  const names = options.operands.length > 0 ? options.operands : ["REPLY"];
  const first = call.stdin.text?.split("\n")[0] ?? "";
  const line = options.has("r") ? first : first.replace(/\\(.)/g, "$1");
  const separators = call.state.variables.get("IFS");
  const known = typeof separators === "string" && isKnown(separators);
  const single = known && call.stdin.text !== undefined && call.stdin.text.trimEnd().split("\n").length === 1 && isKnown(call.stdin.text);
  const blank = !known || /^\s+$/.test(separators);
  const words = blank ? line.trim().split(/\s+/) : separators === "" ? [line] : line.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, "\\$&")}]`));
  const array = options.value("a");
  if (array !== undefined) setVariable(array, single ? words : [COMPUTED], call.state);
  else
    names.forEach((name, index) =>
      setVariable(name, single ? (index === names.length - 1 ? words.slice(index).join(blank ? " " : separators.slice(0, 1)) : (words[index] ?? "")) : COMPUTED, call.state),
    );
  return NOTHING;
};

const mapfile: Program = (call) => {
  const options = parseOptions(call.args, { short: "dnOsuCc" });
  const callback = options.value("C");
  if (callback !== undefined) call.by.script(`${callback} 0 line`, call);
  const lines = call.stdin.text?.split("\n").filter((line) => line !== "");
  setVariable(options.operands[0] ?? "MAPFILE", lines ?? [COMPUTED], call.state);
  return NOTHING;
};

const alias: Program = (call) => {
  for (const arg of call.args) {
    const equals = arg.indexOf("=");
    if (equals <= 0) continue;
    call.state.aliases.set(arg.slice(0, equals), arg.slice(equals + 1));
    // A shell that lives on keeps the alias: what it would do is judged now.
    call.by.script(arg.slice(equals + 1), call);
  }
  return NOTHING;
};

const trap: Program = (call) => {
  const action = call.args[0];
  if (call.args.length >= 2 && action !== undefined && action !== "-" && action !== "--" && action !== "-p" && action !== "-l") {
    call.by.script(action, call, { same: true });
    call.state.later.push(action);
  }
  return NOTHING;
};

const exec: Program = (call) => {
  const options = parseOptions(call.args, { short: "a", stop: true });
  return options.operands.length > 0 ? call.by.run(options.operands, call) : NOTHING;
};

const command: Program = (call) => {
  const options = parseOptions(call.args, { stop: true });
  if (options.has("v", "V")) return options.operands[0] !== undefined && isKnown(options.operands[0]) ? literal(options.operands[0]) : UNSEEN;
  return options.operands.length > 0
    ? call.by.run(
        options.operands,
        { ...call, state: { ...call.state, functions: new Map(), aliases: new Map() } },
        call.stdin,
        withoutFunctions(call),
      )
    : NOTHING;
};

/** `command` and `builtin` go past functions and aliases, and change the same shell. */
function withoutFunctions(call: Call): Call["state"] {
  const name = call.args.find((arg) => !arg.startsWith("-"));
  if (name === undefined) return call.state;
  call.state.functions.delete(name);
  call.state.aliases.delete(name);
  return call.state;
}

const hash: Program = (call) => {
  if (call.args.includes("-p")) call.by.harm("env-code", `hash -p makes a name run ${call.args[call.args.indexOf("-p") + 1] ?? "another program"}`);
  return NOTHING;
};

const enable: Program = (call) => {
  if (parseOptions(call.args, { short: "f" }).has("f")) call.by.harm("env-code", "enable -f loads a library into the shell");
  return NOTHING;
};

const complete: Program = (call) => {
  const options = parseOptions(call.args, { short: "oACFGWPSXC" });
  const code = options.value("C");
  if (code !== undefined) call.by.script(code, call);
  if (code !== undefined && /^(\.{1,2}\/|\/tmp\/)/.test(code)) call.by.harm("option-runs", `complete -C runs ${code}`);
  return NOTHING;
};

const bind: Program = (call) => {
  const code = parseOptions(call.args, { short: "xfmqur" }).value("x");
  if (code !== undefined) call.by.script(code.replace(/^[^:]*:/, ""), call);
  return NOTHING;
};

const history: Program = (call) => {
  const options = parseOptions(call.args, { short: "ds" });
  if (options.has("s")) call.by.suspect(() => void call.by.script(options.value("s") ?? "", call));
  if (options.has("a", "w", "r", "n", "s", "p")) {
    const file = options.operands[0];
    if (file !== undefined) call.by.write(file, call, "append");
  }
  return { ...UNSEEN, secret: "file" };
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

const printenv: Program = (call) => {
  const names = parseOptions(call.args).operands;
  if (names.length === 0) call.by.harm("environment-read", "prints the whole environment");
  for (const name of names) if (isSecretName(name) || hasMark(name)) call.by.harm("environment-read", `prints ${name}`);
  return { text: undefined, secret: names.length === 0 ? "environment" : undefined, from: "pipe" };
};

const none: Program = () => NOTHING;

const question: Program = (call) => {
  const words = call.program === "[" ? (call.args.at(-1) === "]" ? call.args.slice(0, -1) : undefined) : call.args;
  call.state.status = words === undefined ? undefined : wordsHold(words);
  return UNSEEN;
};

/** `let i=1 j++` */
const calculate: Program = (call) => {
  for (const arg of call.args) {
    const [, name, value] = /^(?:\+\+|--)?([A-Za-z_]\w*)\s*(?:=\s*(-?\d+)$|\W)/.exec(arg) ?? /^(?:\+\+|--)([A-Za-z_]\w*)$/.exec(arg) ?? [];
    if (name !== undefined) setVariable(name, value ?? COMPUTED, call.state);
  }
  return NOTHING;
};

/** Builtins that take names or numbers evaluate subscripts in them. */
const evaluating =
  (program: Program): Program =>
  (call) => {
    for (const arg of call.args) subscript(arg, call.state, call.by);
    return program(call);
  };

const historyEditor: Program = (call) => {
  const editor = parseOptions(call.args, { short: "e" }).value("e");
  if (editor !== undefined) {
    call.by.harm("option-runs", `fc -e runs ${editor}`);
    call.by.script(editor, call);
  }
  if (call.args.includes("-s")) call.by.harm("computed-command", "fc -s runs a command of the history");
  return UNSEEN;
};

export const BUILTINS: Readonly<Record<string, Program>> = {
  cd,
  pushd: cd,
  popd: (call) => ((call.state.cwds = [undefined]), NOTHING),
  dirs: () => UNSEEN,
  echo,
  printf: (call) => (call.args[0] === "-v" ? evaluating(printf)(call) : printf(call)),
  eval: evaluate,
  source,
  ".": source,
  export: evaluating(exported),
  declare: evaluating(exported),
  typeset: evaluating(exported),
  local: evaluating(exported),
  readonly: exported,
  set,
  read: evaluating(read),
  mapfile,
  readarray: mapfile,
  alias,
  unalias: none,
  trap,
  exec,
  command,
  builtin: command,
  hash,
  enable,
  complete,
  compgen: () => UNSEEN,
  bind,
  history,
  shift,
  unset: evaluating(unset),
  printenv,
  fc: historyEditor,
  let: evaluating(calculate),
  test: evaluating(question),
  "[": evaluating(question),
  true: (call) => ((call.state.status = true), NOTHING),
  ":": (call) => ((call.state.status = true), NOTHING),
  false: (call) => ((call.state.status = false), NOTHING),
  wait: none,
  jobs: none,
  fg: none,
  bg: none,
  disown: none,
  exit: none,
  return: none,
  break: none,
  continue: none,
  umask: none,
  ulimit: none,
  shopt: none,
  getopts: none,
  times: none,
  caller: none,
  help: none,
  logout: none,
  suspend: none,
  clear: none,
  reset: none,
  tabs: none,
  stty: none,
  setopt: none,
  unsetopt: none,
  autoload: none,
};
