import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { childShell } from "../parse/state.ts";
import { onlyChecks } from "./lint-modes.ts";
import { DATABASE_TASK } from "../risk/verb-words.ts";

const REMOTE_FROM = "text from the network";

/** Judges a program that an interpreter reads from `flow`: by its source, and by its text if it is shown. */
export function runInput(flow: Flow, call: Call, judge: (text: string) => void): void {
  if (flow.remote) call.by.harm("remote-shell", `${call.program} runs ${REMOTE_FROM}`);
  else if (flow.decoded) call.by.harm("decoded-shell", `${call.program} runs decoded text`);
  else if (flow.text === undefined) call.by.harm("unseen-shell", `${call.program} runs a text that is not shown`);
  const text = flow.text ?? flow.shown;
  if (text !== undefined) judge(text);
}

export const shell: Program = (call) => {
  if (onlyChecks(call)) return UNSEEN;
  const options = parseOptions(
    call.args.flatMap((arg) => (/^\+[oO]$/.test(arg) ? [`-${arg[1]!}`] : /^\+[A-Za-z]+$/.test(arg) ? [] : [arg])),
    { short: "oO", long: ["rcfile", "init-file"], stop: true },
  );
  const rc = options.value("rcfile", "init-file");
  if (rc !== undefined && rc !== "/dev/null") {
    const content = call.by.written(rc, call);
    if (content) runInput(content, call, (text) => call.by.script(text, call));
    call.by.harm("option-runs", `${call.program} --rcfile runs ${rc}`);
  }
  if (options.has("c")) {
    const [text, zero, ...args] = options.operands;
    if (text === undefined) return UNSEEN;
    if (!isKnown(text) && text.length <= 2 && text.includes(COMPUTED))
      call.by.harm("unseen-shell", `${call.program} -c runs text that another command prints`);
    const state = childShell(call.state, args);
    if (zero !== undefined) state.variables.set("0", zero);
    return call.by.script(text, call, { state });
  }
  const file = options.has("s") ? undefined : options.operands[0];
  if (file !== undefined && file !== "-" && file !== "/dev/stdin")
    return runFile(file, call, (text) =>
      call.by.script(text, call, { state: childShell(call.state, options.operands.slice(1)) }),
    );
  if (call.stdin.from === "inherit") {
    if (call.state.root && !options.has("version", "help"))
      call.by.harm("root-shell", `${call.program} as another user`);
    return { ...UNSEEN, shell: true };
  }
  if (call.stdin.from === "file")
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "<", "file"] });
  let printed: Flow = UNSEEN;
  if (call.stdin.from !== "file" || call.stdin.remote || call.stdin.decoded)
    runInput(call.stdin, call, (text) => {
      printed = call.by.script(text, call, {
        stdin: UNSEEN,
        state: childShell(call.state, options.operands.slice(options.has("s") ? 0 : 1)),
      });
    });
  return {
    text: undefined,
    remote: call.stdin.remote,
    from: "pipe",
    shell: call.stdin.text === undefined,
    secret: printed.secret,
  };
};

/**
 * Judges a script file: by its text if this script wrote it, as remote code if it came from the network, otherwise like
 * any program.
 */
export function runFile(file: string, call: Call, judge: (text: string) => void): Flow {
  const own = call.by.written(file, call);
  const fetched = call.by
    .paths(file, call.state)
    .some((path) => [...call.state.fetched].some((directory) => path.startsWith(`${directory}/`)));
  if (fetched && /^(ba|z|da|k)?sh$/.test(call.program))
    call.by.harm("remote-run", `${call.program} runs ${file}, which came from the network`);
  // An error message prints the line that is no program.
  if (isKnown(file)) call.by.read(file, call, { shown: false });
  if (own) runInput({ ...own, text: own.text }, call, judge);
  else if (!isKnown(file) && file.includes(COMPUTED))
    call.by.harm("computed-command", `${call.program} runs a file whose name is computed`);
  else if (
    call.args.slice(call.args.indexOf(file) + 1, call.args.indexOf(file) + 3).some((arg) => DATABASE_TASK.test(arg))
  )
    call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
  else if (TASKS.test(file))
    return call.by.run([file.replace(/^.*\//, ""), ...call.args.slice(call.args.indexOf(file) + 1)], call);
  else if (/^https?:\/\//.test(file)) call.by.harm("remote-run", `${call.program} runs ${file}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
}

/** Scripts of frameworks, whose arguments are tasks. */
export const TASKS = /(^|\/)(artisan|manage\.py|bin\/console)$/;
