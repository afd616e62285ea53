import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";

const evaluate: Program = (call) => call.by.script(call.args.join(" "), call, { same: true });

const source: Program = (call) => {
  const file = call.args[0];
  if (file === undefined) return NOTHING;
  if (file === "/dev/stdin" || file === "-") return runFlow(call.stdin, call, "sourced from standard input");
  const content = call.by.written(file, call);
  if (content) return runFlow(content, call, `sourced from ${file}`);
  if (!isKnown(file) && file.includes(COMPUTED))
    call.by.harm("computed-command", "sources a file whose name is computed");
  // The shell prints a line that is no command in its error message.
  call.by.read(file, call, { shown: false });
  call.by.add({ kind: "execute", program: call.program, words: [call.program, file] });
  return UNSEEN;
};

function runFlow(flow: Flow, call: Call, how: string): Flow {
  if (flow.remote) call.by.harm("remote-shell", `text from the network is ${how}`);
  else if (flow.decoded) call.by.harm("decoded-shell", `decoded text is ${how}`);
  else if (flow.text === undefined) call.by.harm("unseen-shell", `text that is not shown is ${how}`);
  return flow.text === undefined ? UNSEEN : call.by.script(flow.text, call, { same: true });
}

const alias: Program = (call) => {
  for (const arg of call.args) {
    const equals = arg.indexOf("=");
    if (equals <= 0) continue;
    call.state.aliases.set(arg.slice(0, equals), arg.slice(equals + 1));
    // The shell keeps the alias after this command, so its text is judged now.
    call.by.script(arg.slice(equals + 1), call);
  }
  return NOTHING;
};

const trap: Program = (call) => {
  const action = call.args[0];
  if (
    call.args.length >= 2 &&
    action !== undefined &&
    action !== "-" &&
    action !== "--" &&
    action !== "-p" &&
    action !== "-l"
  ) {
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
  if (options.has("v", "V"))
    return options.operands[0] !== undefined && isKnown(options.operands[0]) ? literal(options.operands[0]) : UNSEEN;
  return options.operands.length > 0
    ? call.by.run(
        options.operands,
        { ...call, state: { ...call.state, functions: new Map(), aliases: new Map() } },
        call.stdin,
        withoutFunctions(call),
      )
    : NOTHING;
};

/** `command` and `builtin` bypass functions and aliases, and can change this shell. */
function withoutFunctions(call: Call): Call["state"] {
  const name = call.args.find((arg) => !arg.startsWith("-"));
  if (name === undefined) return call.state;
  call.state.functions.delete(name);
  call.state.aliases.delete(name);
  return call.state;
}

const hash: Program = (call) => {
  if (call.args.includes("-p"))
    call.by.harm("env-code", `hash -p makes a name run ${call.args[call.args.indexOf("-p") + 1] ?? "another program"}`);
  return NOTHING;
};

const enable: Program = (call) => {
  if (parseOptions(call.args, { short: "f" }).has("f"))
    call.by.harm("env-code", "enable -f loads a library into the shell");
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

const historyEditor: Program = (call) => {
  const editor = parseOptions(call.args, { short: "e" }).value("e");
  if (editor !== undefined) {
    call.by.harm("option-runs", `fc -e runs ${editor}`);
    call.by.script(editor, call);
  }
  if (call.args.includes("-s")) call.by.harm("computed-command", "fc -s runs a command of the history");
  return UNSEEN;
};

/** Builtins that run a text or a command from their words, now or later. */
export const SHELL_RUNS: Readonly<Record<string, Program>> = {
  eval: evaluate,
  source,
  ".": source,
  alias,
  trap,
  exec,
  command,
  builtin: command,
  hash,
  enable,
  complete,
  bind,
  history,
  fc: historyEditor,
};
