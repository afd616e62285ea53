import { passesData } from "./roles/usual-programs.ts";
import type { Call, Program } from "../evaluate/call.ts";
import { NOTHING } from "../risk/effect.ts";
import { UNKNOWN, hasGlob, SECRET } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { makesImage } from "./images.ts";
import { editor, emacs } from "./editors.ts";
import { chmod, judgeMode, chown, attributes } from "./modes.ts";
import { wholeDrive } from "./windows-shell.ts";

const rm: Program = (call) => {
  const options = parseOptions(call.args, { long: ["interactive"] });
  const recursive = options.has("r", "R", "recursive");
  if (options.open)
    call.by.harm(
      "unclear-delete",
      `${call.program} ${call.args.join(" ")}: the target and the mode of the deletion are computed`,
    );
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
    if (operand.startsWith("/dev/"))
      for (const path of call.by.paths(operand, call.state))
        call.by.add({ kind: "device", path, action: "wipe", proven: true });
    else call.by.remove(operand, call, { recursive: options.has("r", "R") });
  }
  return NOTHING;
};

/** mv, cp, ln, install: read the sources and write the last operand. */
const copy: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "tSgmo",
    long: ["target-directory", "suffix", "mode", "owner", "group"],
  });
  const target = options.value("t", "target-directory") ?? options.operands.at(-1);
  const sources =
    options.value("t", "target-directory") === undefined ? options.operands.slice(0, -1) : options.operands;
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
    else if (!source.startsWith(UNKNOWN))
      for (const name of namesOfLink(source, target, sources.length > 1 || target !== options.operands.at(-1), call))
        call.by.unlink(name, call);
    const base = source.slice(source.lastIndexOf("/") + 1);
    const content = call.by.written(source, call);
    if (/^(\/usr(\/local)?)?\/s?bin\/|(^|\/)\.(env|netrc|npmrc|pgpass|aws|ssh|gnupg|kube|git-credentials)/.test(source))
      for (const place of [target, `${target}/${base}`])
        for (const path of call.by.paths(place, call.state)) call.state.copies.set(path, source);
    for (const path of call.by.paths(target, call.state)) call.state.made.delete(path);
    call.by.write(target, call, "copy", content);
    if (base !== "" && !hasGlob(base) && base !== "." && base !== "..")
      call.by.write(`${target}/${base}`, call, "copy", content);
    if (call.program === "ln" && !source.startsWith(UNKNOWN))
      linked(source, target, sources.length > 1 || target !== options.operands.at(-1), call);
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
      if (path === "/" || /^\/[^/]+$/.test(path) || path === call.by.home)
        call.by.add({ kind: "delete", path, recursive: true, by: "mv" });
    }
  }
}

/** Files in the trash can be restored, but moving a whole home or system there breaks it. */
const trash: Program = (call) => {
  for (const file of parseOptions(call.args).operands)
    for (const path of call.by.paths(file, call.state)) {
      call.by.add({ kind: "write", path, how: "edit" });
      if (path === "/" || /^\/[^/]+$/.test(path) || path === call.by.home)
        call.by.add({ kind: "delete", path, recursive: true, by: call.program });
    }
  return NOTHING;
};

/** A link gives a file another name: later commands with that name act on the file. */
function linked(source: string, target: string, into: boolean, call: Call): void {
  for (const name of namesOfLink(source, target, into, call)) call.by.link(source, name, call);
  if (source.startsWith("/") || source.startsWith("~")) call.by.read(source, call, { shown: false });
}

/** The possible names of the link: the target, unless it is certainly a directory, and the name inside that directory. */
function namesOfLink(source: string, target: string, into: boolean, call: Call): readonly string[] {
  const base = source.replace(/\/+$/, "").replace(/^.*\//, "");
  const directory =
    into ||
    /(?:^|\/)\.{0,2}$/.test(target) ||
    call.by
      .paths(target, call.state)
      .some(
        (path) =>
          path === call.by.home ||
          (path.startsWith("/") && path.split("/").length < 3) ||
          call.state.cwds.includes(path),
      );
  return [...(directory ? [] : [target]), ...(/^\.{0,2}$/.test(base) ? [] : [`${target}/${base}`])];
}

const tee: Program = (call) => {
  if (call.stdin.text?.includes(SECRET)) call.by.harm("environment-read", "tee prints a secret variable");
  const options = parseOptions(call.args);
  for (const file of options.operands)
    call.by.write(file, call, options.has("a", "append") ? "append" : "create", { ...call.stdin, from: "pipe" });
  return call.stdin;
};

const touch: Program = (call) => {
  for (const file of parseOptions(call.args, { short: "drt", long: ["date", "reference", "time"] }).operands)
    call.by.write(file, call, "append");
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
  const options = parseOptions(call.args, {
    short: call.program === "truncate" ? "sr" : "lo",
    long: ["size", "reference", "length", "offset"],
  });
  const whole =
    call.program === "truncate"
      ? /^\d/.test(options.value("s", "size") ?? "")
      : options.options.every(({ name }) => /^(?:l|length|v|verbose|x|posix)$/.test(name));
  for (const file of options.operands) {
    call.by.write(file, call, "edit");
    if (whole) makesImage(file, call);
  }
  return NOTHING;
};

const split: Program = (call) => {
  const options = parseOptions(call.args, {
    short: call.program === "csplit" ? "abfn" : "abCln",
    long: ["filter", "bytes", "lines", "number", "prefix"],
  });
  const filter = options.value("filter");
  if (filter !== undefined) {
    if (!passesData(filter)) call.by.harm("option-runs", `split --filter runs ${filter}`);
    call.by.script(filter, call);
  }
  call.by.write((call.program === "csplit" ? options.value("f", "prefix") : options.operands[1]) ?? "x", call);
  return NOTHING;
};

const patch: Program = (call) => {
  const options = parseOptions(call.args, { short: "pidoBDFrVYz", long: ["strip", "input", "directory", "output"] });
  const directory = options.value("d", "directory");
  if (directory !== undefined) call.by.write(directory, call, "edit");
  call.by.write(options.operands[0] ?? `${directory ?? "."}/${UNKNOWN}`, call, "edit");
  return NOTHING;
};

const removesEmpty: Program = (call) => {
  if (call.args.some((arg) => /^\/[sq]$/i.test(arg))) return windowsDelete(call);
  for (const directory of parseOptions(call.args).operands) call.by.remove(directory, call, { recursive: false });
  return NOTHING;
};

/** Edits the given files in place. */
const editsFiles: Program = (call) => {
  for (const file of call.args) if (!file.startsWith("-") && /[./~]/.test(file)) call.by.write(file, call, "edit");
  return NOTHING;
};

const deletesFiles: Program = (call) =>
  call.args.some((arg) => /^\/[sfq]$/i.test(arg)) ? windowsDelete(call) : NOTHING;

const windowsDelete: Program = (call) => {
  const text = `${call.program} ${call.args.join(" ")}`;
  call.by.harm(wholeDrive(text) ? "root-delete" : "windows-delete", text);
  return NOTHING;
};

export const FILES: Readonly<Record<string, Program>> = {
  rm,
  srm: rm,
  rmtrash: rm,
  unlink,
  shred,
  wipe: shred,
  scrub: shred,
  rimraf: (call) => rm({ ...call, args: ["-r", ...call.args] }),
  gio: (call) => {
    if (call.args[0] !== "trash") return NOTHING;
    if (call.args.includes("--empty")) call.by.harm("recursive-delete", "empties the trash");
    return trash({ ...call, args: call.args.slice(1) });
  },
  trash,
  "trash-put": trash,
  "gvfs-trash": trash,
  "del-cli": (call) => rm({ ...call, args: ["-r", ...call.args] }),
  "trash-empty": (call) => (call.by.harm("recursive-delete", "empties the trash"), NOTHING),
  rmdir: removesEmpty,
  rd: removesEmpty,
  mv: copy,
  cp: copy,
  gcp: copy,
  gmv: copy,
  ln: copy,
  link: copy,
  install: copy,
  ditto: copy,
  tee,
  touch,
  mkdir,
  mkfifo: touch,
  mknod: touch,
  truncate,
  fallocate: truncate,
  chmod,
  gchmod: chmod,
  chown,
  chgrp: (call) =>
    chown({
      ...call,
      args: call.args.map((arg, i) => (i === call.args.findIndex((a) => !a.startsWith("-")) ? `:${arg}` : arg)),
    }),
  setfacl: attributes,
  chattr: attributes,
  chflags: attributes,
  setcap: attributes,
  xattr: attributes,
  split,
  csplit: split,
  patch,
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  ed: editor,
  ...Object.fromEntries(
    "view rview rvim gvim rgvim gview evim vimdiff nvimdiff gvimdiff vimx neovide kak hx helix jed joe mg zile red"
      .split(" ")
      .map((name) => [name, editor]),
  ),
  emacs: (call) => emacs(call),
  emacsclient: (call) => emacs(call),
  nano: editor,
  pico: editor,
  micro: editor,
  ...Object.fromEntries(
    "sponge sd dos2unix unix2dos mac2unix fromdos todos rpl ambr".split(" ").map((name) => [name, editsFiles]),
  ),
  erase: deletesFiles,
  del: deletesFiles,
};
