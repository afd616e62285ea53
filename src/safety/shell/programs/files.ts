import type { Call, Program } from "../call.ts";
import { derived, type Flow, NOTHING, UNSEEN } from "../effect.ts";
import { hasGlob, isKnown, UNKNOWN } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { contents } from "./readers.ts";

const rm: Program = (call) => {
  const options = parseOptions(call.args, { long: ["interactive"] });
  const recursive = options.has("r", "R", "recursive");
  if (options.open) call.by.harm("unclear-delete", `${call.program} ${call.args.join(" ")}: what is deleted, and how, is computed`);
  for (const operand of options.operands) call.by.remove(operand, call, { recursive });
  return NOTHING;
};

const unlink: Program = (call) => {
  for (const operand of parseOptions(call.args).operands) call.by.remove(operand, call, { recursive: false });
  return NOTHING;
};

const shred: Program = (call) => {
  const options = parseOptions(call.args, { short: "ns", long: ["iterations", "size", "random-source"] });
  for (const operand of options.operands) {
    if (operand.startsWith("/dev/")) for (const path of call.by.paths(operand, call.state)) call.by.add({ kind: "device", path, action: "wipe", proven: true });
    else call.by.remove(operand, call, { recursive: options.has("r", "R") });
  }
  return NOTHING;
};

/** mv, cp, ln, install: sources are read, the last operand is written. */
const copy: Program = (call) => {
  const options = parseOptions(call.args, { short: "tSgmo", long: ["target-directory", "suffix", "mode", "owner", "group"] });
  const target = options.value("t", "target-directory") ?? options.operands.at(-1);
  const sources = options.value("t", "target-directory") === undefined ? options.operands.slice(0, -1) : options.operands;
  if (target === undefined) return NOTHING;
  const mode = options.value("m", "mode");
  if (call.program === "install" && options.has("d", "directory")) {
    for (const directory of options.operands) call.by.write(directory, call);
    return NOTHING;
  }
  if (mode !== undefined) judgeMode(mode, [target], false, call);
  const recursive = options.has("r", "R", "a", "recursive", "archive");
  for (const source of sources) {
    if (call.program === "mv") moveAway(source, target, call);
    else if (call.program !== "ln") call.by.read(source, call, { recursive, shown: false });
    else if (!source.startsWith(UNKNOWN)) linked(source, call);
    const base = source.slice(source.lastIndexOf("/") + 1);
    const content = call.by.written(source, call);
    call.by.write(target, call, "copy", content);
    if (base !== "" && !hasGlob(base) && base !== "." && base !== "..") call.by.write(`${target}/${base}`, call, "copy", content);
  }
  if (sources.length === 0 && call.program !== "ln") call.by.write(target, call, "copy");
  return NOTHING;
};

function moveAway(source: string, target: string, call: Call): void {
  const gone = target === "/dev/null" || target.startsWith("/dev/null/");
  for (const path of call.by.paths(source, call.state)) {
    if (gone) call.by.add({ kind: "delete", path, recursive: true, by: "mv" });
    else {
      call.by.add({ kind: "write", path, how: "edit" });
      call.by.add({ kind: "read", path, shown: false });
      if (path === "/" || /^\/[^/]+$/.test(path) || path === call.by.home) call.by.add({ kind: "delete", path, recursive: true, by: "mv" });
    }
  }
}

/** A link to a secret is a way to it. */
function linked(source: string, call: Call): void {
  if (source.startsWith("/") || source.startsWith("~")) call.by.read(source, call, { shown: false });
}

const tee: Program = (call) => {
  const options = parseOptions(call.args);
  for (const file of options.operands) call.by.write(file, call, options.has("a", "append") ? "append" : "create", { ...call.stdin, from: "pipe" });
  return call.stdin;
};

const touch: Program = (call) => {
  for (const file of parseOptions(call.args, { short: "drt", long: ["date", "reference", "time"] }).operands) call.by.write(file, call, "append");
  return NOTHING;
};

const mkdir: Program = (call) => {
  const options = parseOptions(call.args, { short: "mZ", long: ["mode", "context"] });
  const mode = options.value("m", "mode");
  if (mode !== undefined) judgeMode(mode, options.operands, false, call);
  for (const directory of options.operands) call.by.write(directory, call);
  return NOTHING;
};

const truncate: Program = (call) => {
  for (const file of parseOptions(call.args, { short: "sr", long: ["size", "reference"] }).operands) call.by.write(file, call, "edit");
  return NOTHING;
};

const chmod: Program = (call) => {
  // `-w` and `-x` are modes, not options.
  const modeFirst = call.args.findIndex((arg) => /^-[rwxXst]+$/.test(arg));
  const args = modeFirst >= 0 && !call.args.some((arg) => /^(\d{3,5}|[ugoa]*[-+=][rwxXst]*)$/.test(arg) && !arg.startsWith("-")) ? call.args.map((arg, index) => (index === modeFirst ? `a${arg}` : arg)) : call.args;
  const options = parseOptions(args, { long: ["reference", "from"] });
  const mode = options.has("reference") ? "" : (options.operands[0] ?? "");
  judgeMode(mode, options.has("reference") ? options.operands : options.operands.slice(1), options.has("R", "recursive"), call);
  return NOTHING;
};

function judgeMode(mode: string, files: readonly string[], recursive: boolean, call: Call): void {
  const { worldWritable, setId } = readMode(mode);
  for (const file of files) for (const path of call.by.paths(file, call.state)) call.by.add({ kind: "mode", path, recursive, mode, worldWritable, setId });
}

export function readMode(mode: string): { worldWritable: boolean; setId: boolean } {
  if (!isKnown(mode)) return { worldWritable: true, setId: false };
  if (/^=?[0-7]+$/.test(mode)) {
    const bits = Number.parseInt(mode.replace("=", ""), 8);
    return { worldWritable: (bits & 0o002) !== 0, setId: (bits & 0o6000) !== 0 };
  }
  let worldWritable = false;
  let setId = false;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=][rwxXstugo]*)+)$/.exec(clause);
    if (!match) continue;
    const who = match[1]!;
    for (const action of match[2]!.matchAll(/([-+=])([rwxXstugo]*)/g)) {
      if (action[1] === "-") continue;
      if (action[2]!.includes("w") && (who.includes("o") || who.includes("a"))) worldWritable = true;
      if (action[2]!.includes("s") && who !== "o") setId = true;
      if (who.includes("o") && /[ug]/.test(action[2]!)) worldWritable = true;
    }
  }
  return { worldWritable, setId };
}

const chown: Program = (call) => {
  const options = parseOptions(call.args, { long: ["reference", "from"] });
  const owner = options.has("reference") ? "" : (options.operands[0] ?? "");
  const files = options.has("reference") ? options.operands : options.operands.slice(1);
  for (const file of files) for (const path of call.by.paths(file, call.state)) call.by.add({ kind: "owner", path, recursive: options.has("R", "recursive"), owner });
  return NOTHING;
};

const SET_MODES = new Set(["setfacl", "chattr", "chflags", "xattr", "setcap"]);

const attributes: Program = (call) => {
  const options = parseOptions(call.args, { short: "mMxXv" });
  const grant = [...call.args].join(" ");
  if (call.program === "setcap") call.by.harm("set-id", `setcap ${grant}`);
  if (call.program === "setfacl" && /\b(o|other)::?[r-]?w|\bu:nobody:.*w/.test(grant)) call.by.harm("world-writable", `setfacl ${grant}`);
  const recursive = options.has("R", "recursive");
  for (const file of options.operands.slice(-1)) for (const path of call.by.paths(file, call.state)) call.by.add({ kind: "mode", path, recursive, mode: SET_MODES.has(call.program) ? call.program : "", worldWritable: false, setId: false });
  return NOTHING;
};

/** Tests of find that leave (nearly) everything in. */
const WIDE = new Set(["-type", "-mindepth", "-depth", "-d", "-xdev", "-mount", "-print", "-print0", "-maxdepth", "-delete", "-exec", "-execdir", "-ok", "-okdir", "-ls", "-follow", "-true", "-o", "-a", "-noleaf", "-warn", "-nowarn", "-ignore_readdir_race"]);

const find: Program = (call) => {
  const args = call.args.filter((arg) => !/^-[HLP]$/.test(arg) && !/^-O\d$/.test(arg));
  const first = args.findIndex((arg) => arg.startsWith("-") || arg === "(" || arg === "!" || arg === ")");
  const roots = (first === -1 ? args : args.slice(0, first)).filter((arg) => arg !== "-D");
  const tests = first === -1 ? [] : args.slice(first);
  const starts = roots.length > 0 ? roots : ["."];
  const narrowed = ownTests(tests).some((test, i, own) => (test.startsWith("-") && !WIDE.has(test) && !everything(test, own[i + 1])) || test === "!");
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i]!;
    if (test === "-delete") for (const root of starts) call.by.remove(root, call, { recursive: true, narrowed, by: "find -delete" });
    else if (test.startsWith("-fprint") || test === "-fls") call.by.write(tests[i + 1] ?? "", call);
    else if (["-exec", "-execdir", "-ok", "-okdir"].includes(test)) i = execute(tests, i, starts, narrowed, call);
    else if (test === "-files0-from") i++;
  }
  for (const root of starts) if (/\.ssh|\.aws|\.gnupg/.test(root) && tests.includes("-exec")) call.by.read(root, call, { recursive: true });
  return UNSEEN;
};

/** The tests of find itself, without the words of the commands it runs. */
function ownTests(tests: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (let i = 0; i < tests.length; i++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(tests[i]!)) own.push(tests[i]!);
    else while (i < tests.length && tests[i] !== ";" && !(tests[i] === "+" && tests[i - 1] === "{}")) i++;
  }
  return own;
}

const everything = (test: string, value: string | undefined): boolean => (test === "-name" || test === "-path" || test === "-iname") && (value === "*" || value === "");

function execute(tests: readonly string[], at: number, roots: readonly string[], narrowed: boolean, call: Call): number {
  let end = at + 1;
  while (end < tests.length && tests[end] !== ";" && !(tests[end] === "+" && tests[end - 1] === "{}")) end++;
  const argv = tests.slice(at + 1, end);
  const inside = tests[at]!.endsWith("dir") ? { ...call.state, cwds: [undefined] } : call.state;
  // The found file stands for anything below the roots.
  for (const root of roots) {
    const target = narrowed || inside !== call.state ? `${root === "/" ? "" : root}/${UNKNOWN}` : root;
    const words = argv.map((arg) => (arg === "{}" ? target : arg.replaceAll("{}", target)));
    const program = (argv[0] ?? "").replace(/^.*\//, "");
    if (["rm", "unlink", "shred", "rmdir"].includes(program)) call.by.harm("find-rm", `find ${tests.slice(at).join(" ")}`);
    // Every file below the root, one by one.
    if (["rm", "unlink", "shred"].includes(program) && !narrowed && argv.includes("{}")) call.by.remove(root, call, { recursive: true, by: `find ${tests[at]} ${program}` });
    // Run on everything below the root it is as good as `-R`.
    const deep = !narrowed && /^(\S*\/)?(chmod|chown|chgrp)$/.test(words[0] ?? "") ? [words[0]!, "-R", ...words.slice(1)] : words;
    call.by.run(deep, { ...call, state: inside }, UNSEEN, inside);
  }
  return end;
}

const rsync: Program = (call) => {
  const options = parseOptions(call.args, { short: "efBTM", long: ["rsh", "exclude", "include", "filter", "files-from", "exclude-from", "include-from", "bwlimit", "port", "rsync-path", "log-file", "backup-dir", "suffix", "temp-dir", "partial-dir", "chmod", "chown", "password-file", "timeout"] });
  const shell = options.value("e", "rsh");
  if (shell !== undefined && !/^(\S*\/)?(ssh|rsh)(\s|$)/.test(shell)) call.by.harm("option-runs", `rsync runs ${shell}`);
  if (shell !== undefined) call.by.script(shell, call);
  if (options.has("rsync-path")) call.by.harm("option-runs", `rsync runs ${options.value("rsync-path")}`);
  const target = options.operands.at(-1) ?? ".";
  const sources = options.operands.slice(0, -1);
  const remote = (place: string): boolean => /^[^/]*:/.test(place);
  const deletes = options.options.some((option) => option.name.startsWith("del") || option.name === "remove-source-files");
  for (const source of sources) {
    if (remote(source)) call.by.network(source);
    else call.by.read(source, call, { recursive: true, shown: false });
  }
  if (remote(target)) call.by.network(target, true);
  else call.by.write(target, call, "copy", sources.some(remote) ? { text: undefined, remote: true, from: "pipe" } : undefined);
  if (deletes) {
    if (remote(target)) call.by.harm("mirror-delete", `rsync --delete on ${target}`);
    else for (const path of call.by.paths(target, call.state)) call.by.add({ kind: "delete", path, recursive: true, by: "rsync --delete" });
  }
  return UNSEEN;
};

const COMPRESSORS = new Set("zstd pigz pbzip2 lbzip2 lz4 xz pixz gzip bzip2 brotli lzop lzma zstdmt unzstd pzstd".split(" "));

const tar: Program = (call) => {
  // The first word may be options without a dash: `tar xzf a.tgz`.
  const args = call.args[0] !== undefined && /^[A-Za-z]+$/.test(call.args[0]) ? [`-${oldStyle(call.args[0])}`, ...call.args.slice(1)] : call.args;
  const options = parseOptions(args, { short: "fCTXIFgbKLNV", long: ["file", "directory", "files-from", "exclude-from", "exclude", "use-compress-program", "to-command", "checkpoint-action", "info-script", "new-volume-script", "rsh-command", "rmt-command", "transform", "xform", "strip-components", "listed-incremental", "owner", "group", "mode"] });
  for (const name of ["to-command", "checkpoint-action", "info-script", "new-volume-script", "F", "rsh-command", "rmt-command"]) {
    for (const value of options.values(name)) {
      if (name === "checkpoint-action" && !value.startsWith("exec")) continue;
      call.by.harm("option-runs", `tar --${name} runs ${value}`);
      call.by.script(value.replace(/^exec=/, ""), call);
    }
  }
  for (const value of options.values("I", "use-compress-program")) {
    if (COMPRESSORS.has((value.split(/\s/)[0] ?? "").replace(/^.*\//, ""))) continue;
    call.by.harm("option-runs", `tar -I runs ${value}`);
    call.by.script(value, call);
  }
  const archive = options.value("f", "file");
  const directory = options.value("C", "directory") ?? ".";
  if (options.has("c", "create", "r", "append", "u", "update", "A")) {
    if (archive !== undefined && archive !== "-") call.by.write(archive, call);
    for (const file of options.operands) {
      call.by.read(file, call, { recursive: true, shown: false });
      if (options.has("remove-files")) call.by.remove(file, call, { recursive: true, by: "tar --remove-files" });
    }
  } else if (options.has("x", "extract", "get")) call.by.write(`${directory}/${UNKNOWN}`, call);
  return derived(archive === undefined || archive === "-" ? call.stdin : contents([archive], call));
};

/** In the old style the letters that take values follow in order; moved to the end one of them takes the next word. */
function oldStyle(letters: string): string {
  return [...letters].sort((a, b) => Number("fCTXIF".includes(a)) - Number("fCTXIF".includes(b))).join("");
}

const zip: Program = (call) => {
  const options = parseOptions(call.args, { words: false, short: "bnsti", long: ["unzip-command"] });
  const runs = call.args.find((arg, index) => arg === "-TT" || arg.startsWith("--unzip-command") || (arg.startsWith("-TT") && index >= 0));
  if (runs !== undefined) {
    const command = runs === "-TT" ? (call.args[call.args.indexOf("-TT") + 1] ?? "") : runs.replace(/^(-TT|--unzip-command=?)/, "");
    call.by.harm("option-runs", `zip runs ${command}`);
    call.by.script(command, call);
  }
  if (options.operands[0] !== undefined) call.by.write(options.operands[0], call);
  for (const file of options.operands.slice(1)) call.by.read(file, call, { recursive: true, shown: false });
  if (options.has("m", "move")) for (const file of options.operands.slice(1)) call.by.remove(file, call, { recursive: options.has("r", "recurse-paths"), by: "zip -m" });
  return NOTHING;
};

const unzip: Program = (call) => {
  const options = parseOptions(call.args, { short: "dx" });
  if (!options.has("l", "p", "t", "Z", "v")) call.by.write(`${options.value("d") ?? "."}/${UNKNOWN}`, call);
  return UNSEEN;
};

const split: Program = (call) => {
  const options = parseOptions(call.args, { short: "abCln", long: ["filter", "bytes", "lines", "number"] });
  const filter = options.value("filter");
  if (filter !== undefined) {
    call.by.harm("option-runs", `split --filter runs ${filter}`);
    call.by.script(filter, call);
  }
  call.by.write(options.operands[1] ?? "x", call);
  return NOTHING;
};

const editor: Program = (call) => {
  const commands = call.args.flatMap((arg, i) => (arg === "-c" || arg === "--cmd" || arg === "-S" || arg === "-s" ? [call.args[i + 1] ?? ""] : arg.startsWith("+") ? [arg.slice(1)] : []));
  for (const command of commands) {
    const shell = /^:?\s*(?:silent\s*!?\s*|exe(?:cute)?\s+['"]?)?(?:\d*,?\$?%?)?!(.*)$/.exec(command);
    if (shell || /\b(system|systemlist|py3?x?|python3?|lua|perl|ruby|term(inal)?|jobstart)\b/.test(command)) {
      call.by.harm("option-runs", `${call.program} runs ${command}`);
      if (shell) call.by.script(shell[1]!, call);
    }
  }
  if (call.stdin.text !== undefined && (call.program === "ed" || call.program === "ex")) for (const line of call.stdin.text.split("\n")) if (/^!./.test(line)) call.by.script(line.slice(1), call);
  for (const file of call.args.filter((arg) => !/^[-+]/.test(arg) && !commands.includes(arg))) call.by.write(file, call, "edit");
  return UNSEEN;
};

const patch: Program = (call) => {
  const options = parseOptions(call.args, { short: "pidoBDFrVYz", long: ["strip", "input", "directory", "output"] });
  call.by.write(options.operands[0] ?? `${options.value("d", "directory") ?? "."}/${UNKNOWN}`, call, "edit");
  return NOTHING;
};

const windowsDelete: Program = (call) => {
  call.by.harm("windows-delete", `${call.program} ${call.args.join(" ")}`);
  return NOTHING;
};

export const FILES: Readonly<Record<string, Program>> = {
  rm, srm: rm, grm: rm, rmtrash: rm, unlink, shred, wipe: shred, scrub: shred, rimraf: (call) => rm({ ...call, args: ["-r", ...call.args] }), "trash-empty": (call) => (call.by.harm("recursive-delete", "empties the trash"), NOTHING),
  rmdir: (call) => {
    for (const directory of parseOptions(call.args).operands) call.by.remove(directory, call, { recursive: false });
    return NOTHING;
  },
  mv: copy, cp: copy, gcp: copy, gmv: copy, ln: copy, link: copy, install: copy, ditto: copy, tee, touch, mkdir, mkfifo: touch, mknod: touch, truncate, fallocate: truncate, chmod, gchmod: chmod, chown, chgrp: (call) => chown({ ...call, args: call.args.map((arg, i) => (i === call.args.findIndex((a) => !a.startsWith("-")) ? `:${arg}` : arg)) }), setfacl: attributes, chattr: attributes, chflags: attributes, setcap: attributes, xattr: attributes,
  find, gfind: find, bfs: find, rsync, tar, gtar: tar, bsdtar: tar, cpio: (call) => (call.by.write(`./${UNKNOWN}`, call), UNSEEN), zip, unzip, "7z": unzip, unrar: unzip, split, csplit: split, patch,
  vim: editor, vi: editor, nvim: editor, ex: editor, ed: editor, view: editor, emacs: (call) => emacs(call), nano: editor, pico: editor, micro: editor,
  erase: windowsDelete, rd: windowsDelete,
};

function emacs(call: Call): Flow {
  const code = call.args.find((_, i) => ["--eval", "-eval", "--execute", "-f", "--funcall", "-l", "--load"].includes(call.args[i - 1] ?? "")) ?? call.args.find((arg) => arg.startsWith("--eval="));
  if (code !== undefined) call.by.harm("option-runs", `emacs runs ${code}`);
  return UNSEEN;
}
