import type { HarmId } from "../../harms.ts";
import type { Call, Program } from "../call.ts";
import { judgeCode } from "../code.ts";
import { type Flow, UNSEEN } from "../effect.ts";
import { judgeEnvironment } from "../environment.ts";
import { COMPUTED, isKnown } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { childShell } from "../state.ts";
import { expectProgram, wholeDrive } from "./launchers.ts";
import { DATABASE_TASK } from "../verb-words.ts";
import { contents } from "./filters.ts";
import { shares } from "./shares.ts";

const REMOTE_FROM = "text from the network";

/** Says what is wrong with running `flow`, and judges it when its text is shown. */
function runInput(flow: Flow, call: Call, judge: (text: string) => void): void {
  if (flow.remote) call.by.harm("remote-shell", `${call.program} runs ${REMOTE_FROM}`);
  else if (flow.decoded) call.by.harm("decoded-shell", `${call.program} runs decoded text`);
  else if (flow.text === undefined) call.by.harm("unseen-shell", `${call.program} runs a text that is not shown`);
  const text = flow.text ?? flow.shown;
  if (text !== undefined) judge(text);
}

const shell: Program = (call) => {
  const options = parseOptions(
    call.args.flatMap((arg) => (arg === "+x" || arg === "+e" ? [] : [arg])),
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
    return runFile(file, call, (text) => call.by.script(text, call, { state: childShell(call.state, options.operands.slice(1)) }));
  if (call.stdin.from === "inherit") {
    if (call.state.root && !options.has("version", "help")) call.by.harm("root-shell", `${call.program} as somebody else`);
    return { ...UNSEEN, shell: true };
  }
  if (call.stdin.from === "file") call.by.add({ kind: "execute", program: call.program, words: [call.program, "<", "file"] });
  if (call.stdin.from !== "file" || call.stdin.remote || call.stdin.decoded)
    runInput(call.stdin, call, (text) =>
      call.by.script(text, call, { stdin: UNSEEN, state: childShell(call.state, options.operands.slice(options.has("s") ? 0 : 1)) }),
    );
  return { text: undefined, remote: call.stdin.remote, from: "pipe", shell: call.stdin.text === undefined };
};

/** A script file: judged when this text wrote it, refused when it came from the network, otherwise a program like any other. */
function runFile(file: string, call: Call, judge: (text: string) => void): Flow {
  const own = call.by.written(file, call);
  const fetched = call.by.paths(file, call.state).some((path) => [...call.state.fetched].some((directory) => path.startsWith(`${directory}/`)));
  if (fetched && /^(ba|z|da|k)?sh$/.test(call.program)) call.by.harm("remote-run", `${call.program} runs ${file}, which came from the network`);
  if (own) runInput({ ...own, text: own.text }, call, judge);
  else if (!isKnown(file) && file.includes(COMPUTED)) call.by.harm("computed-command", `${call.program} runs a file whose name is computed`);
  else if (call.args.slice(call.args.indexOf(file) + 1, call.args.indexOf(file) + 3).some((arg) => DATABASE_TASK.test(arg))) call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
  else if (TASKS.test(file))
    return call.by.run([file.replace(/^.*\//, ""), ...call.args.slice(call.args.indexOf(file) + 1)], call);
  else if (/^https?:\/\//.test(file)) call.by.harm("remote-run", `${call.program} runs ${file}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
}

const TASKS = /(^|\/)(artisan|manage\.py|bin\/console)$/;

type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "lua" | "other";

interface Interpreter {
  readonly language: Language;
  /** Options whose value is program text. */
  readonly code: readonly string[];
  readonly short: string;
  readonly long?: readonly string[];
  /** Options whose value is a module that is loaded; the rest is its business. */
  readonly module?: readonly string[];
  /** Options that load further code before the program. */
  readonly loads?: readonly string[];
  readonly words?: boolean;
}

function interpreter(spec: Interpreter): Program {
  return (call) => {
    const args = spec.language === "perl" || spec.language === "ruby" ? spread(call.args) : call.args;
    const options = parseOptions(args, {
      short: spec.short,
      long: [...(spec.long ?? []), ...spec.code.filter((name) => name.length > 1)],
      stop: !spec.code.some((name) => carries(args, name)),
      words: spec.words,
    });
    const judge = (text: string): void => judgeCode(spec.language, text, call);
    // What stands behind the tasks of a framework is theirs: `manage.py shell -c …`.
    const tasks = args.find((arg) => !arg.startsWith("-")) ?? "";
    if (TASKS.test(tasks) && args.indexOf(tasks) === 0) return runFile(tasks, call, judge);
    const code = options.values(...spec.code);
    const inPlace = (spec.language === "perl" || spec.language === "ruby") && options.has("i");
    if (code.length > 0) {
      if (code.some((text) => /^[\uE000-\uE00F]+$/.test(text))) call.by.harm("computed-command", `${call.program} runs a text that is not shown`);
      judge(code.join("\n"));
      for (const file of options.operands.slice(0, 500)) {
        if (inPlace) call.by.write(file, call, "edit");
        else if (spec.language === "perl" || spec.language === "ruby") call.by.read(file, call);
      }
      call.by.add({ kind: "execute", program: call.program, words: [call.program, "…"] });
      return { ...UNSEEN, remote: call.stdin.remote };
    }
    const module = options.value(...(spec.module ?? []));
    if (module !== undefined) return runModule(module, call);
    if (options.has("version", "V", "help", "check", "c", "v", "S", "test", "watch") && options.operands.length === 0) return UNSEEN;
    const file = options.operands[0];
    if (file !== undefined && file !== "-" && file !== "/dev/stdin") return runFile(file, call, judge);
    if (call.stdin.from === "inherit") return UNSEEN;
    if (call.stdin.from !== "file" || call.stdin.remote || call.stdin.decoded) runInput(call.stdin, call, judge);
    call.by.add({ kind: "execute", program: call.program, words: [call.program] });
    return { ...UNSEEN, remote: call.stdin.remote };
  };
}

function carries(args: readonly string[], name: string): boolean {
  return args.some((arg) =>
    name.length === 1 ? arg === `-${name}` || new RegExp(`^-[a-zA-Z]*${name}$`).test(arg) : arg === `--${name}` || arg.startsWith(`--${name}=`),
  );
}

/** `perl -pi -e CODE`, `-ne CODE`, `-i.bak`: letters before `e` stand alone. */
function spread(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => {
    const suffix = /^-([pnlaws0]*)i(\.\w+|[^epnlaw\w]\S*)$/.exec(arg);
    if (suffix) return [...(suffix[1] ? [`-${suffix[1]}`] : []), "-i"];
    const match = /^-([pnlawsiT0]+)([eE])$/.exec(arg);
    return match ? [`-${match[1]}`, `-${match[2]}`] : [arg];
  });
}

/** `python -m NAME …`: some modules are the programs of the same name. */
function runModule(module: string, call: Call): Flow {
  const rest = call.args.slice(call.args.indexOf(module) + 1);
  for (const file of rest) if (/^[~/.]|\.\w+$/.test(file)) call.by.read(file, call, { shown: true });
  // What this very script wrote is run with the tests.
  const own = /^(pytest|nose2?)$/.test(module) ? call.by.written("conftest.py", call) : undefined;
  if (own?.text !== undefined) judgeCode("python", own.text, call);
  if (module === "json.tool" || module === "base64" || module === "zipfile" || module === "tokenize" || module === "pprint")
    return { text: undefined, decoded: module === "base64", remote: call.stdin.remote, from: "pipe" };
  if (module === "http.server")
    for (const place of parseOptions(rest, { short: "bdp", long: ["bind", "directory", "protocol"] }).values("d", "directory"))
      shares(place, call);
  if (module === "timeit") for (const code of rest.filter((arg) => !arg.startsWith("-"))) judgeCode("python", code, call);
  if (["pip", "pipx", "uv", "poetry", "ensurepip"].includes(module)) return call.by.run([module, ...rest], call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, "-m", module, ...rest.slice(0, 6)] });
  return UNSEEN;
}

const awk: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "fFvEioelL",
    long: ["file", "field-separator", "assign", "exec", "source", "include", "load"],
    stop: true,
  });
  const file = options.values("f", "file", "E", "exec");
  const code = [...options.values("e", "source"), ...(file.length === 0 && !options.has("e", "source") ? options.operands.slice(0, 1) : [])];
  for (const text of code) judgeCode("awk", text, call);
  for (const script of file) {
    if (script === "-" || script === "/dev/stdin") runInput(call.stdin, call, (text) => judgeCode("awk", text, call));
    else call.by.add({ kind: "execute", program: call.program, words: [call.program, "-f", script] });
  }
  const files = options.operands.slice(code.length > 0 && !options.has("e", "source") ? 1 : 0).filter((item) => !/^\w+=/.test(item));
  for (const operand of files) call.by.read(operand, call);
  if (call.args.includes("inplace") && options.has("i", "include")) for (const operand of files) call.by.write(operand, call, "edit");
  const input = contents(files, call);
  return { text: undefined, remote: input.remote, decoded: input.decoded, secret: input.secret, from: "pipe" };
};

const python = interpreter({ language: "python", code: ["c"], short: "cmWXQ", module: ["m"], long: ["check-hash-based-pycs"] });
const node = interpreter({
  language: "javascript",
  code: ["e", "p", "eval", "print", "pe"],
  short: "epr",
  long: ["require", "import", "loader", "env-file", "conditions", "test-name-pattern"],
});
const perl = interpreter({ language: "perl", code: ["e", "E"], short: "eEIMmxFCDVdl".replace("l", "").replace("d", "").replace("C", "") });
const ruby = interpreter({ language: "ruby", code: ["e"], short: "eIrCEFKTWx" });
const php = interpreter({ language: "php", code: ["r", "B", "R", "E", "run"], short: "rBREdcfFSztz" });
const lua = interpreter({ language: "lua", code: ["e"], short: "el" });
const other = interpreter({ language: "other", code: ["e", "eval", "c", "expression"], short: "ec" });

const deno: Program = (call) => {
  const [verb, ...rest] = call.args;
  if (verb === "eval") return node({ ...call, args: ["-e", ...rest.filter((arg) => !arg.startsWith("-"))] });
  if (verb === "run") {
    const target = rest.find((arg) => !arg.startsWith("-"));
    if (target === "-") return node({ ...call, args: [] });
    if (target !== undefined && /^(https?|jsr|npm):/.test(target) && target.startsWith("http")) call.by.harm("remote-run", `deno runs ${target}`);
  }
  call.by.add({ kind: "execute", program: "deno", words: ["deno", ...call.args] });
  return UNSEEN;
};

const bun: Program = (call) => {
  if (call.args[0] === "-e" || call.args[0] === "--eval" || call.args[0] === "-p") return node(call);
  if (call.args[0] === "x") return call.by.run(["bunx", ...call.args.slice(1)], call);
  call.by.add({ kind: "execute", program: "bun", words: ["bun", ...call.args] });
  return UNSEEN;
};

const powershell: Program = (call) => {
  const text = call.args.join(" ");
  if (/(^|\s)-e(nc|ncodedcommand|c)?\s/i.test(`${text} `) || /frombase64string/i.test(text))
    call.by.harm("powershell-encoded", `${call.program} with an encoded command`);
  if (/\b(remove-item|ri|rm|rd|rmdir|del|erase)\b/i.test(text) && /-r(ec\w*)?\b/i.test(text)) {
    const path = /(?:remove-item|ri|rm|rd|del)\s+(?:-\w+\s+)*['"]?([^\s'"-][^\s'"]*)/i.exec(text)?.[1];
    call.by.harm(wholeDrive(text) ? "root-delete" : "powershell-delete", text);
    if (path !== undefined && path.startsWith("/")) call.by.remove(path, call, { recursive: true, by: call.program });
  }
  for (const [harm, looks] of POWERSHELL) if (looks.test(text)) call.by.harm(harm, text);
  if (/\b(stop-computer|restart-computer)\b/i.test(text)) call.by.add({ kind: "power", action: text });
  if (/\b(format-volume|clear-disk|initialize-disk)\b/i.test(text)) call.by.add({ kind: "device", path: text, action: "format", proven: true });
  if (/\b(iex|invoke-expression)\b/i.test(text))
    call.by.harm(/(iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient)/i.test(text) ? "remote-shell" : "code-runs", text);
  if (/-f(ile)?\s+["']?(\\\\|https?:)/i.test(text)) call.by.harm("remote-run", text);
  if (/\bset-executionpolicy\b/i.test(text)) call.by.harm("option-runs", text);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
  return UNSEEN;
};

const POWERSHELL: readonly (readonly [harm: HarmId, looks: RegExp])[] = [
  ["reverse-shell", /net\.sockets\.tcp(client|listener)/i],
  ["force-kill", /\b(stop-process|spps)\b.*-force\b/i],
  ["service-stop", /\b(stop|restart|suspend|set)-service\b/i],
  ["unit", /\bnew-service\b/i],
  ["schedule", /\b(register|new)-scheduled(task|job)\b/i],
  ["root-shell", /-verb\s+runas\b/i],
  ["kernel-setting", /\b(set-mppreference|disable-windowsoptionalfeature|set-netfirewallprofile|disable-netadapter)\b/i],
  ["privilege-config", /\b(new-localuser|add-localgroupmember|set-localuser)\b/i],
  ["system-config", /\bset-itemproperty\b.*\bhk(lm|cu):/i],
  ["secret-read", /\b(get-content|gc|cat|type)\b.*(\.ssh|\.aws|\.env\b|\\sam\b)|\bconvertfrom-securestring\b/i],
  ["system-config", /\b(clear-eventlog|remove-(ad\w+|az\w+|localuser|service|vm|netfirewallrule|partition)|uninstall-\w+|disable-(netfirewallrule|windows\w*|computerrestore|localuser|bitlocker)|enable-psremoting|add-mppreference|remove-mppreference|set-acl|set-netfirewallrule|new-netfirewallrule)\b/i],
  ["environment-read", /\b(get-childitem|get-item|gci|gi|dir|ls)\s+(-path\s+)?env:/i],
];

const make: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "CfIjlOoWE",
    long: ["directory", "file", "makefile", "eval", "include-dir", "jobs", "old-file", "what-if"],
  });
  for (const text of options.values("eval", "E")) {
    call.by.harm("option-runs", `make --eval ${text}`);
    makefile(text.replace(/;/g, "\n\t"), call);
    for (const match of text.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(match[1]!, call);
  }
  const file = options.value("f", "file", "makefile") ?? ["GNUmakefile", "makefile", "Makefile"].find((name) => call.by.written(name, call) !== undefined);
  if (file === "-" || file === "/dev/stdin") runInput(call.stdin, call, (text) => makefile(text, call));
  else if (file !== undefined) {
    const own = call.by.written(file, call);
    if (own) runInput(own, call, (text) => makefile(text, call));
  }
  for (const operand of options.operands) {
    const [, name = "", value = ""] = /^([\w.]+)[:+?]?=(.*)$/s.exec(operand) ?? [];
    const quiet = name === "SHELL" ? USUAL_SHELL.test(value) : name !== ".SHELLFLAGS" && (name !== "MAKEFLAGS" || value.split(/\s+/).every((word) => QUIET_FLAG.test(word)));
    if (!quiet) call.by.harm("option-runs", `make ${operand}`);
    else if (name !== "" && name !== "SHELL") judgeEnvironment(name, value, call);
    for (const match of operand.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(match[1]!, call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const USUAL_SHELL = /^((\/usr)?\/bin\/(env )?)?(ba|da|z|k)?sh( -[a-z]+( pipefail)?)*$/;
const QUIET_FLAG = /^(-[a-zA-Z]+\d*|--(no-print-directory|silent|jobs(=\d+)?|output-sync(=\w+)?|keep-going|warn-undefined-variables))?$/;

function makefile(text: string, call: Call): void {
  for (const line of text.split("\n").flatMap((row) => (/^[^\t#=]*:[^=;]*;/.test(row) ? [row, `\t${row.slice(row.indexOf(";") + 1)}`] : [row])))
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

/** Runs the project's tests, and with them what this very script wrote beside them. */
const pytest: Program = (call) => {
  const own = call.by.written("conftest.py", call);
  if (own?.text !== undefined) judgeCode("python", own.text, call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

export const INTERPRETERS: Readonly<Record<string, Program>> = {
  pytest,
  "py.test": pytest,
  ...Object.fromEntries(
    ["bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "yash", "posh", "csh", "tcsh", "nu", "elvish", "xonsh"].map((name) => [
      name,
      shell,
    ]),
  ),
  python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  ipython: python,
  node,
  nodejs: node,
  tsx: node,
  "ts-node": node,
  perl,
  ruby: (call) => {
    if (call.args.some((arg) => /^-(r?un|e?httpd)$/.test(arg)) && call.args.includes("-ehttpd")) for (const place of call.args.filter((arg) => !arg.startsWith("-"))) shares(place, call);
    return ruby(call);
  },
  jruby: ruby,
  irb: ruby,
  php: (call) => {
    const serves = parseOptions(call.args, { short: "Stdc" });
    if (!serves.has("S")) return php(call);
    for (const place of serves.values("t")) shares(place, call);
    return UNSEEN;
  },
  lua,
  luajit: lua,
  Rscript: other,
  R: other,
  julia: other,
  guile: other,
  racket: other,
  elixir: other,
  erl: interpreter({ language: "other", code: ["eval"], short: "", words: true, long: ["s", "run", "sname", "name", "pa", "pz", "config", "boot", "cookie"] }),
  ghc: other,
  runghc: other,
  scala: other,
  groovy: other,
  clojure: other,
  bb: other,
  tclsh: (call) => expectProgram(call),
  wish: (call) => expectProgram(call),
  octave: other,
  gnuplot: other,
  raku: other,
  sbcl: other,
  scheme: other,
  maxima: interpreter({ language: "other", code: ["batch-string", "r", "run-string"], short: "rb" }),
  sage: other,
  ocaml: other,
  swift: other,
  jshell: other,
  bpftrace: other,
  gjs: node,
  qjs: node,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  deno,
  bun,
  powershell,
  pwsh: powershell,
  make,
  gmake: make,
  bmake: make,
};
