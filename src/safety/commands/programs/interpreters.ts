import type { Call, Program } from "../evaluate/call.ts";
import { awkText } from "../evaluate/awk-text.ts";
import { judgeCode } from "../code/code.ts";
import { printedText } from "../code/code-printed.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { hasMark, isKnown } from "../parse/marks.ts";
import { guessCommands } from "../risk/guess-commands.ts";
import { parseOptions } from "../parse/options.ts";
import { putPackages } from "./put-packages.ts";
import { contents } from "./filters.ts";
import { expectProgram } from "./launchers.ts";
import { onlyChecks } from "./lint-modes.ts";
import { make } from "./make.ts";
import { powershell } from "./powershell.ts";
import { awkLeavesAll } from "./process-lists.ts";
import { shares } from "./shares.ts";
import { runFile, runInput, shell, TASKS } from "./shells.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "lua" | "other";

interface Interpreter {
  readonly language: Language;
  /** Options whose value is program text. */
  readonly code: readonly string[];
  readonly short: string;
  readonly long?: readonly string[];
  /** Options whose value is a module to run; the following words are its arguments. */
  readonly module?: readonly string[];
  /** Options that load code before the program starts. */
  readonly loads?: readonly string[];
  readonly words?: boolean;
}

function interpreter(spec: Interpreter): Program {
  return (call) => {
    if (onlyChecks(call)) return UNSEEN;
    const args = spec.language === "perl" || spec.language === "ruby" ? spread(call.args) : call.args;
    const options = parseOptions(args, {
      short: spec.short,
      long: [...(spec.long ?? []), ...spec.code.filter((name) => name.length > 1)],
      stop: !spec.code.some((name) => carries(args, name)),
      words: spec.words,
    });
    const judge = (text: string): void => judgeCode(spec.language, text, call);
    // The options after a framework's script belong to the script: `manage.py shell -c …`.
    const tasks = args.find((arg) => !arg.startsWith("-")) ?? "";
    if (TASKS.test(tasks) && args.indexOf(tasks) === 0) return runFile(tasks, call, judge);
    const code = options.values(...spec.code);
    const inPlace = (spec.language === "perl" || spec.language === "ruby") && options.has("i");
    if (code.length > 0) {
      if (code.some((text) => /^[\uE000-\uE00F]+$/.test(text)))
        call.by.harm("computed-command", `${call.program} runs a text that is not shown`);
      judge(code.join("\n"));
      for (const file of options.operands) {
        if (inPlace) call.by.write(file, call, "edit");
        else if (spec.language === "perl" || spec.language === "ruby") call.by.read(file, call);
      }
      call.by.add({ kind: "execute", program: call.program, words: [call.program, "…"] });
      const text = code.length === 1 ? printedText(spec.language, code[0]!, call.state.budget) : undefined;
      return {
        ...UNSEEN,
        remote: call.stdin.remote,
        ...definedFields({ text, decoded: text === undefined ? undefined : true }),
      };
    }
    const loaded = options
      .values("import", "require", "loader", ...(spec.language === "javascript" ? ["r"] : []))
      .find((place) => /^data:|^https?:|^(?:\/tmp|\/var\/tmp|\/dev\/shm)\//.test(place));
    if (loaded !== undefined && spec.language === "javascript")
      call.by.harm(
        hasMark(loaded) || /https?:/.test(loaded) ? "remote-shell" : "option-runs",
        `${call.program} loads ${loaded.slice(0, 60)}`,
      );
    const module = options.value(...(spec.module ?? []));
    if (module !== undefined) return runModule(module, call);
    if (
      options.has("version", "V", "help", "check", "c", "v", "S", "test", "watch") &&
      options.operands.length === 0 &&
      !(spec.language === "perl" && call.stdin.remote)
    )
      return UNSEEN;
    // `php -- words`: php reads the program from its input and passes it the words.
    const file =
      spec.language === "php" && args.find((arg) => !/^-[^-]/.test(arg)) === "--" ? undefined : options.operands[0];
    if (file !== undefined && file !== "-" && file !== "/dev/stdin") return runFile(file, call, judge);
    if (call.stdin.from === "inherit") return UNSEEN;
    if (call.stdin.from !== "file" || call.stdin.remote || call.stdin.decoded) runInput(call.stdin, call, judge);
    call.by.add({ kind: "execute", program: call.program, words: [call.program] });
    return { ...UNSEEN, remote: call.stdin.remote };
  };
}

function carries(args: readonly string[], name: string): boolean {
  return args.some((arg) =>
    name.length === 1
      ? arg === `-${name}` || new RegExp(`^-[a-zA-Z]*${name}$`).test(arg)
      : arg === `--${name}` || arg.startsWith(`--${name}=`),
  );
}

/** Splits clusters of letters before `e` and `i`: `perl -pie CODE`, `-ne CODE`, `-i.bak`. */
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
  // The tests run a `conftest.py` that this script wrote.
  const own = /^(pytest|nose2?)$/.test(module) ? call.by.written("conftest.py", call) : undefined;
  if (own?.text !== undefined) judgeCode("python", own.text, call);
  if (
    module === "json.tool" ||
    module === "base64" ||
    module === "zipfile" ||
    module === "tokenize" ||
    module === "pprint"
  )
    return { text: undefined, decoded: module === "base64", remote: call.stdin.remote, from: "pipe" };
  if (module === "http.server")
    for (const place of parseOptions(rest, { short: "bdp", long: ["bind", "directory", "protocol"] }).values(
      "d",
      "directory",
    ))
      shares(place, call);
  if (module === "timeit")
    for (const code of rest.filter((arg) => !arg.startsWith("-"))) judgeCode("python", code, call);
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
  for (const library of options.values("l", "load"))
    if (library.includes("/")) call.by.harm("option-runs", `${call.program} loads ${library}`);
  const file = options.values("f", "file", "E", "exec");
  const code = [
    ...options.values("e", "source"),
    ...(file.length === 0 && !options.has("e", "source") ? options.operands.slice(0, 1) : []),
  ];
  for (const text of code) {
    if (/@load\s*"[^"]*\//.test(text)) call.by.harm("option-runs", `${call.program} loads a library`);
    judgeCode("awk", assigned(options.values("v", "assign"), text), call);
  }
  for (const script of file) {
    if (script === "-" || script === "/dev/stdin") runInput(call.stdin, call, (text) => judgeCode("awk", text, call));
    else call.by.add({ kind: "execute", program: call.program, words: [call.program, "-f", script] });
  }
  const files = options.operands
    .slice(code.length > 0 && !options.has("e", "source") ? 1 : 0)
    .filter((item) => !/^\w+=/.test(item));
  for (const operand of files) call.by.read(operand, call);
  if (call.args.includes("inplace") && options.has("i", "include"))
    for (const operand of files) call.by.write(operand, call, "edit");
  const input = contents(files, call);
  const plain =
    code.length === 1 &&
    !options.has("v", "assign", "i", "include", "l", "load", "b", "P", "posix") &&
    files.length === options.operands.length - 1;
  const text =
    plain && (input.text === undefined || isKnown(input.text)) && isKnown(code[0]!)
      ? awkText(code[0]!, input.text, options.value("F", "field-separator"))
      : undefined;
  const handed =
    plain && input.text !== undefined && isKnown(input.text) && isKnown(code[0]!) && RUNS_LINES.test(code[0]!)
      ? awkText(
          code[0]!.replace(RUNS_LINES, (_, called) => (called === undefined ? "" : "print(")),
          input.text,
          options.value("F", "field-separator"),
        )
      : undefined;
  if (handed !== undefined) call.by.script(handed, call);
  const processes = input.processes && plain && awkLeavesAll(code[0]!);
  return {
    text,
    remote: input.remote,
    decoded: input.decoded || text !== undefined,
    secret: input.secret,
    processes,
    from: "pipe",
  };
};

/** Puts the values of `-v name=text` into the program, if it runs commands. */
function assigned(assignments: readonly string[], code: string): string {
  if (!/system|[|]/.test(code)) return code;
  const lines = assignments.flatMap((text) => {
    const [, name, value] = (isKnown(text) ? /^([A-Za-z_]\w*)=([^\n]*)$/.exec(text) : null) ?? [];
    return name === undefined ? [] : [`${name} = "${value!.replaceAll('"', '\\"')}";\n`];
  });
  return lines.join("") + code;
}

/** Matches an awk program that runs its input lines: `{ system($0) }`, `{ print | "sh" }`. */
const RUNS_LINES = /\b(system)\s*\(|\|&?\s*"(?:[\w/]*\/)?(?:ba|z|da|k)?sh"/;

const python = interpreter({
  language: "python",
  code: ["c"],
  short: "cmWXQ",
  module: ["m"],
  long: ["check-hash-based-pycs"],
});
const node = interpreter({
  language: "javascript",
  code: ["e", "p", "eval", "print", "pe"],
  short: "epr",
  long: ["require", "import", "loader", "env-file", "conditions", "test-name-pattern"],
});
const perl = interpreter({
  language: "perl",
  code: ["e", "E"],
  short: "eEIMmxFCDVdl".replace("l", "").replace("d", "").replace("C", ""),
});
const ruby = interpreter({ language: "ruby", code: ["e"], short: "eIrCEFKTWx" });
const php = interpreter({ language: "php", code: ["r", "B", "R", "E", "run"], short: "rBREdcfFSztz" });
const lua = interpreter({ language: "lua", code: ["e"], short: "el" });
const other = interpreter({ language: "other", code: ["e", "eval", "c", "expression"], short: "ec" });

const deno: Program = (call) => {
  const [verb, ...rest] = call.args;
  if (verb === "eval") return node({ ...call, args: ["-e", ...rest.filter((arg) => !arg.startsWith("-"))] });
  if (verb === "run") {
    const target = rest.find((arg) => !arg.startsWith("-"));
    if (target === "-" || target === "/dev/stdin") return node({ ...call, args: [] });
    if (target !== undefined && /^(https?|jsr|npm):/.test(target) && target.startsWith("http"))
      call.by.harm("remote-run", `deno runs ${target}`);
  }
  if (verb === undefined || verb === "-") return node({ ...call, args: [] });
  const shell = verb === "task" ? rest.indexOf("--eval") : -1;
  if (shell >= 0) call.by.script(rest.slice(shell + 1).join(" "), call);
  call.by.add({ kind: "execute", program: "deno", words: ["deno", ...call.args] });
  return UNSEEN;
};

const bun: Program = (call) => {
  if (call.args[0] === "-e" || call.args[0] === "--eval" || call.args[0] === "-p") return node(call);
  if (call.args[0] === "x") return call.by.run(["bunx", ...call.args.slice(1)], call);
  const options = parseOptions(call.args, { long: ["cwd"] });
  const [verb, script] = options.operands;
  if (verb === "-" || (verb === "run" && (script === "-" || script === "/dev/stdin")) || call.args.length === 0)
    return node({ ...call, args: [] });
  if (
    /^(?:add|install|i|a|create)$/.test(verb ?? "") &&
    options.operands.slice(1).some((word) => /^(?:https?:|git[+:@]|github:|ssh:)/.test(word))
  )
    call.by.harm("remote-run", `bun ${call.args.join(" ")}`);
  if (!options.has("g", "global")) putPackages(options.operands[0] ?? "", options.value("cwd"), call);
  // A name that is no script of the project is a program.
  if (call.args[0] === "run") call.by.suspect(() => guessCommands(call));
  call.by.add({ kind: "execute", program: "bun", words: ["bun", ...call.args] });
  return UNSEEN;
};

/** Runs the project's tests, including files that this script wrote. */
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
    [
      "bash",
      "sh",
      "zsh",
      "dash",
      "ksh",
      "mksh",
      "ash",
      "fish",
      "rbash",
      "yash",
      "posh",
      "csh",
      "tcsh",
      "nu",
      "elvish",
      "xonsh",
    ].map((name) => [name, shell]),
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
    if (call.args.some((arg) => /^-(r?un|e?httpd)$/.test(arg)) && call.args.includes("-ehttpd"))
      for (const place of call.args.filter((arg) => !arg.startsWith("-"))) shares(place, call);
    return ruby(call);
  },
  jruby: ruby,
  irb: ruby,
  php: (call) => {
    const serves = parseOptions(call.args, { short: "Stdc" });
    for (const setting of serves.values("d"))
      if (
        /^(auto_(prepend|append)_file|(zend_)?extension|allow_url_include|open_basedir)\s*=\s*[^\s=]*([/:]|\bon\b|1)/i.test(
          setting,
        )
      )
        call.by.harm("option-runs", `php -d ${setting} loads code`);
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
  erl: interpreter({
    language: "other",
    code: ["eval"],
    short: "",
    words: true,
    long: ["s", "run", "sname", "name", "pa", "pz", "config", "boot", "cookie"],
  }),
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
