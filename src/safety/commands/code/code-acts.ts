import type { Call } from "../evaluate/call.ts";
import type { Argument } from "./code-arguments.ts";
import type { Act } from "./code-calls.ts";
import type { Language } from "./code-tokens.ts";
import { UNSEEN } from "../risk/effect.ts";
import { hasGlob, isKnown, UNKNOWN } from "../parse/marks.ts";
import { judgeSql } from "../sql/sql.ts";

/** The context of a call: its program's names, its language, and how to judge a program text inside it. */
export interface Around {
  readonly names: ReadonlySet<string>;
  readonly language: Language;
  readonly judge: (source: string) => void;
}

/** One call in a program text, as the functions below judge it. */
interface Performed {
  readonly name: string;
  readonly args: readonly Argument[];
  /** The text of the first argument, if the program shows it. */
  readonly text: string | undefined;
  readonly around: Around;
  readonly call: Call;
}

/** The effects of one call with its arguments. */
export function perform(act: Act, name: string, args: readonly Argument[], around: Around, call: Call): void {
  PERFORM[act]({ name, args, text: args[0]?.text, around, call });
}

const PERFORM: { readonly [act in Act]: (one: Performed) => void } = {
  shell: runShell,
  argv: ({ args: [first], text, name, call }) => {
    if (first?.items) call.by.run(first.items, call);
    else if (text !== undefined) call.by.script(text, call);
    else unclear(name, call);
  },
  words: runWords,
  "delete-tree": deleteTree,
  delete: deleteFile,
  open: openFile,
  write: ({ text, call }) => {
    if (text !== undefined) call.by.write(text, call);
  },
  move: ({ name, args, text, call }) => {
    const target = args[1]?.text;
    if (text !== undefined) call.by.read(text, call, { shown: false });
    if (target !== undefined) call.by.write(target, call);
    if (text !== undefined && target !== undefined && /^(?:symlink|ln_s)/.test(name)) call.by.link(text, target, call);
  },
  read: ({ text, around: { names }, call }) => {
    if (text === undefined || !(text.includes("/") || text.startsWith("."))) return;
    if (names.has("write_text") || names.has("write_bytes") || names.has("touch")) call.by.write(text, call);
    else if (names.has("unlink") || names.has("rmdir")) call.by.remove(text, call, { recursive: false });
    // Where the path stands for several, only files that the program opens are read.
    call.by.read(text, call, { shown: !hasGlob(text) || opensFiles(names) });
  },
  mode: changeMode,
  dynamic: runText,
  kill: ({ args, call }) => {
    const target = args.map((arg) => arg.raw ?? arg.text ?? "").join(",");
    const everything = /(^|[,>])-1(,|$)/.test(target);
    call.by.add(
      everything
        ? { kind: "signal", target: "-1", everything, force: true, byName: false }
        : { kind: "signal", target, everything, force: /9|KILL/.test(target), byName: false },
    );
  },
  sql: ({ text, call }) => {
    if (text !== undefined && isKnown(text)) judgeSql(text, call);
  },
  fork: () => {},
  network: ({ text, call }) => call.by.network(text ?? ""),
};

const unclear = (name: string, call: Call): void =>
  call.by.harm("code-runs", `${call.program}: ${name}(…) with arguments that are computed`);

function runShell({ name, args, text, around: { language }, call }: Performed): void {
  const items = args[0]?.items;
  if (items && language === "php") for (const item of items) call.by.script(item, call);
  else if (items) call.by.run(items, call);
  else if (text === undefined) unclear(name, call);
  else if (
    args.length > 1 &&
    args.every((arg) => arg.text !== undefined) &&
    language !== "javascript" &&
    language !== "python"
  )
    call.by.run(
      args.map((arg) => arg.text!),
      call,
    );
  else call.by.script(text, call);
}

function runWords({ name, args, text, around: { names }, call }: Performed): void {
  if (args[0]?.items) return void call.by.run(args[0].items, call);
  if (text === undefined) return unclear(name, call);
  const rest = args.slice(1).flatMap((arg) => arg.items ?? (arg.text === undefined ? [] : [arg.text]));
  const opaque = args.slice(1, 2).some((arg) => arg.items === undefined && arg.text === undefined && !arg.object);
  if (opaque) unclear(name, call);
  // `execvp("rm", ["rm", "-rf"])` repeats the name.
  const words =
    name.startsWith("exec") && !name.startsWith("execFile") && rest[0] !== undefined && base(rest[0]) === base(text)
      ? rest.slice(1)
      : rest;
  if (names.has("shell") && args.some((arg) => arg.object)) call.by.script([text, ...words].join(" "), call);
  else call.by.run([text, ...words], call);
}

function deleteTree({ name, args: [first], text, around: { names, language }, call }: Performed): void {
  const by = `${call.program} ${name}`;
  // R and Julia expand `~`.
  if (language === "other" && text !== undefined && /^~(?:$|\/)/.test(text))
    call.by.remove(call.by.home + text.slice(1), call, { recursive: true, by });
  call.by.remove(text ?? first?.items?.[0] ?? UNKNOWN, call, {
    recursive: !/^(?:rmSync|rm|unlink)$/.test(name) || names.has("recursive") || language === "ruby",
    by,
  });
  for (const item of first?.items?.slice(1) ?? []) call.by.remove(item, call, { recursive: true, by });
}

function deleteFile(one: Performed): void {
  const { name, text, around, call } = one;
  const { names, language } = around;
  // R: `unlink("x", recursive = TRUE)`.
  if (language === "other" && names.has("recursive")) deleteTree(one);
  else if (text !== undefined) call.by.remove(text, call, { recursive: false, by: `${call.program} ${name}` });
  else if (names.has("walk") || names.has("glob") || names.has("rglob") || names.has("find"))
    call.by.harm("recursive-delete", `${call.program}: ${name} of many files`);
  else if (call.state.eachFile !== undefined) call.by.harm(call.state.eachFile, `${call.program}: ${name}`);
}

function openFile(one: Performed): void {
  const { args, text, around, call } = one;
  const mode =
    args.slice(1).find((arg) => arg.text !== undefined && /^[<>+rwaxbt|-]+$/.test(arg.text.trim()))?.text ?? "r";
  if (around.language === "perl" || around.language === "ruby") {
    if (openPipe(one)) return;
    if (around.language === "perl") return openInPerl(one, mode);
  }
  if (text === undefined) return;
  if (
    /[wax+]/.test(mode) ||
    args.some(({ raw }) => raw !== undefined && /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(raw))
  )
    call.by.write(text, call);
  else call.by.read(text, call);
}

/** `open(F, "|cmd")`, `open("cmd |")`: a command instead of a file. */
function openPipe({ args, call }: Performed): boolean {
  const piped = args.map((arg) => arg.text ?? "").find((item) => /^\s*\|/.test(item) || /\|\s*$/.test(item));
  if (piped === undefined) return false;
  const rest = args.slice(2).map((arg) => arg.text ?? "");
  call.by.script(piped.replace(/^\s*\|-?|-?\|\s*$/g, "") || rest.join(" "), call, { stdin: UNSEEN });
  return true;
}

function openInPerl({ args, call }: Performed, mode: string): void {
  const file = args
    .slice(1)
    .map((arg) => arg.text)
    .filter((item) => item !== undefined && !/^[+<>]+$/.test(item))
    .at(-1);
  if (file === undefined) return;
  const target = file.replace(/^\s*[+<>]+\s*/, "");
  if (/>/.test(mode) || /^\s*\+?>/.test(file)) call.by.write(target, call);
  else call.by.read(target, call);
}

function changeMode({ args, call }: Performed): void {
  for (const { raw } of args) {
    if (raw === undefined || !/^0?o?[0-7]{3,4}$/.test(raw)) continue;
    const bits = Number.parseInt(raw.replace("o", ""), 8);
    for (const path of call.by.paths(args.find((other) => other.text !== undefined)?.text ?? UNKNOWN, call.state))
      call.by.add({
        kind: "mode",
        path,
        recursive: false,
        mode: raw,
        worldWritable: (bits & 2) !== 0,
        setId: (bits & 0o6000) !== 0,
      });
  }
}

/** A call that runs a text as a program. A literal text is judged, and the call still needs approval. */
function runText({ name, args, text, around: { names, judge }, call }: Performed): void {
  if (/^(Function|load|loadstring|instance_eval|class_eval|runIn\w+Context|compile|create_function)$/.test(name)) {
    const body = name === "Function" || name === "create_function" ? args.at(-1)?.text : text;
    if (body !== undefined && isKnown(body)) judge(body);
  }
  const second = args[1]?.text;
  if ((name === "eval" || name === "exec") && text !== undefined && isKnown(text)) judge(text);
  else if (
    name === "getattr" &&
    second !== undefined &&
    !/^(system|popen|rmtree|exec|spawn|call|run|Popen|remove|unlink)/.test(second) &&
    !names.has("os") &&
    !names.has("subprocess") &&
    !names.has("shutil")
  )
    return;
  else if (
    (name === "__import__" || name === "import_module") &&
    text !== undefined &&
    !["os", "subprocess", "shutil", "pty", "ctypes"].includes(text)
  )
    return;
  else call.by.harm("code-runs", `${call.program}: ${name}(…) runs code that it creates at run time`);
}

/** Names in a program that opens files. */
const OPENS = "open read read_text read_bytes readFileSync readFile readlines copyfile copy".split(" ");

export const opensFiles = (names: ReadonlySet<string>): boolean => OPENS.some((name) => names.has(name));

function base(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
