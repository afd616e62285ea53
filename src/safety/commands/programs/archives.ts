import { passesData } from "./roles/usual-programs.ts";
import type { Call, Program } from "../evaluate/call.ts";
import { holdsSecret } from "../risk/carried-secrets.ts";
import { allBelow, derived, NOTHING, UNSEEN } from "../risk/effect.ts";
import { mayHoldSecrets } from "../risk/may-hold-secrets.ts";
import { readable, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { contents } from "./filters.ts";
import { holdsSecretsBelow, printedNames } from "./printed-names.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const rsync: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "efBTM",
    long: [
      "rsh",
      "exclude",
      "include",
      "filter",
      "files-from",
      "exclude-from",
      "include-from",
      "bwlimit",
      "port",
      "rsync-path",
      "log-file",
      "backup-dir",
      "suffix",
      "temp-dir",
      "partial-dir",
      "chmod",
      "chown",
      "password-file",
      "timeout",
    ],
  });
  const shell = options.value("e", "rsh");
  if (shell !== undefined && !/^(\S*\/)?(ssh|rsh)(\s|$)/.test(shell))
    call.by.harm("option-runs", `rsync runs ${shell}`);
  if (shell !== undefined) call.by.script(shell, call);
  if (options.has("rsync-path") && !passesData(options.value("rsync-path")!))
    call.by.harm("option-runs", `rsync runs ${options.value("rsync-path")}`);
  const target = options.operands.at(-1) ?? ".";
  const sources = options.operands.slice(0, -1);
  const remote = (place: string): boolean => /^[^/]*:/.test(place);
  const deletes = options.options.some(
    (option) => option.name.startsWith("del") || option.name === "remove-source-files",
  );
  for (const source of sources) {
    if (remote(source)) call.by.network(source);
    else if (remote(target)) {
      call.by.read(source, call, { recursive: true, shown: false });
      if (holdsSecret(source, call)) call.by.harm("secret-send", `rsync sends ${readable(source)} to ${target}`);
    } else call.by.read(source, call, { recursive: true, shown: false });
  }
  if (remote(target)) call.by.network(target, true);
  else
    call.by.write(
      target,
      call,
      "copy",
      sources.some(remote) ? { text: undefined, remote: true, from: "pipe" } : undefined,
    );
  if (deletes && !options.has("n", "dry-run")) {
    if (remote(target)) call.by.harm("mirror-delete", `rsync --delete on ${target}`);
    else
      for (const path of call.by.paths(target, call.state))
        call.by.add({ kind: "delete", path, recursive: true, by: "rsync --delete" });
  }
  return UNSEEN;
};

const COMPRESSORS = new Set(
  "zstd pigz pbzip2 lbzip2 lz4 xz pixz gzip bzip2 brotli lzop lzma zstdmt unzstd pzstd".split(" "),
);

const tar: Program = (call) => {
  // The first word may hold options without a dash: `tar xzf a.tgz`.
  const args =
    call.args[0] !== undefined && /^[A-Za-z]+$/.test(call.args[0])
      ? [`-${oldStyle(call.args[0])}`, ...call.args.slice(1)]
      : call.args;
  const options = parseOptions(args, {
    short: "fCTXIFgbKLNV",
    long: [
      "file",
      "directory",
      "files-from",
      "exclude-from",
      "exclude",
      "use-compress-program",
      "to-command",
      "checkpoint-action",
      "info-script",
      "new-volume-script",
      "rsh-command",
      "rmt-command",
      "transform",
      "xform",
      "strip-components",
      "listed-incremental",
      "owner",
      "group",
      "mode",
    ],
  });
  if (options.has("x", "extract", "get") && options.has("P", "absolute-names"))
    call.by.harm("system-config", `tar ${call.args.join(" ")} extracts to paths that the archive chooses`);
  for (const name of [
    "to-command",
    "checkpoint-action",
    "info-script",
    "new-volume-script",
    "F",
    "rsh-command",
    "rmt-command",
  ]) {
    for (const value of options.values(name)) {
      if (name === "checkpoint-action" && !value.startsWith("exec")) continue;
      if (!passesData(value)) call.by.harm("option-runs", `tar --${name} runs ${value}`);
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
  // `host:file` is an archive on another machine.
  if (archive !== undefined && /^[\w.@-]+:/.test(archive) && !options.has("force-local"))
    call.by.network(archive, !options.has("x", "extract", "get", "t", "list"));
  if (options.has("c", "create", "r", "append", "u", "update", "A")) {
    if (archive !== undefined && archive !== "-") call.by.write(archive, call);
    for (const file of options.operands) {
      // File names are relative to the directory of `-C`, which may occur more than once.
      for (const from of options.has("C", "directory") && !/^[/~]/.test(file) ? options.values("C", "directory") : [""])
        call.by.read(from === "" ? file : `${from}/${file}`, call, { recursive: true, shown: false });
      if (options.has("remove-files"))
        call.by.remove(/^[/~]/.test(file) ? file : `${directory}/${file}`, call, {
          recursive: true,
          by: "tar --remove-files",
        });
    }
  } else if (options.has("x", "extract", "get")) {
    unpackInto(directory, call);
    for (const member of options.operands) call.by.write(`${directory}/${member}`, call);
    const packed = archive === undefined || archive === "-" ? call.stdin : call.by.written(archive, call);
    if (packed?.remote) for (const path of call.by.paths(directory, call.state)) call.state.fetched.add(path);
  }
  if (options.has("t", "list")) return UNSEEN;
  const listed = options.values("T", "files-from").includes("-")
    ? (allBelow(call.stdin) ?? call.stdin.text ?? call.stdin.names?.join("\n") ?? "").split(/[\n\0]/).slice(0, 50)
    : [];
  if (options.has("x", "extract", "get") && !options.has("O", "to-stdout")) return NOTHING;
  const flow = derived(archive === undefined || archive === "-" ? call.stdin : contents([archive], call));
  // An archive of a home or of `/etc` contains secrets, whatever their names are.
  const whole = (file: string): boolean =>
    call.by
      .paths(file, { ...call.state, cwds: directory === "." ? call.state.cwds : call.by.paths(directory, call.state) })
      .some((path) => path === "/etc" || mayHoldSecrets(path, true, { home: call.by.home }));
  if (
    !options.has("c", "create") ||
    ![...options.operands, ...listed.filter((file) => file !== "")].some(
      (file) => whole(file) || holdsSecret(file, call) || printedNames([file], call),
    )
  )
    return flow;
  if (archive === undefined || archive === "-") return { ...flow, secret: "archive" };
  packed(archive, call);
  return NOTHING;
};

/** Records that a file written by this script now contains stored secrets. */
function packed(archive: string, call: Call): void {
  for (const path of call.by.paths(archive, call.state))
    call.state.files.set(path, { text: undefined, secret: "archive", from: "file" });
}

/** In the old style, letters with a value take the following words in order. Moved to the end, such a letter takes the next word, as `parseOptions` expects. */
function oldStyle(letters: string): string {
  return [...letters].sort((a, b) => Number("fCTXIF".includes(a)) - Number("fCTXIF".includes(b))).join("");
}

const zip: Program = (call) => {
  const options = parseOptions(call.args, { words: false, short: "bnsti", long: ["unzip-command"] });
  const runs = call.args.find(
    (arg, index) => arg === "-TT" || arg.startsWith("--unzip-command") || (arg.startsWith("-TT") && index >= 0),
  );
  if (runs !== undefined) {
    const command =
      runs === "-TT" ? (call.args[call.args.indexOf("-TT") + 1] ?? "") : runs.replace(/^(-TT|--unzip-command=?)/, "");
    call.by.harm("option-runs", `zip runs ${command}`);
    call.by.script(command, call);
  }
  if (options.operands[0] !== undefined && options.operands[0] !== "-") call.by.write(options.operands[0], call);
  for (const file of options.operands.slice(1)) call.by.read(file, call, { recursive: true, shown: false });
  const secret = options.operands.slice(1).some((file) => holdsSecret(file, call) || holdsSecretsBelow(file, call));
  if (secret && options.operands[0] !== "-") packed(options.operands[0]!, call);
  if (options.has("m", "move"))
    for (const file of options.operands.slice(1))
      call.by.remove(file, call, { recursive: options.has("r", "recurse-paths"), by: "zip -m" });
  return options.operands[0] === "-"
    ? { ...UNSEEN, ...definedFields({ secret: secret ? ("archive" as const) : undefined }) }
    : NOTHING;
};

const unzip: Program = (call) => {
  const options = parseOptions(call.args, { short: "dx" });
  if (!options.has("l", "p", "t", "Z", "v")) unpackInto(options.value("d") ?? ".", call);
  return UNSEEN;
};

function unpackInto(directory: string, call: Call): void {
  call.by.write(`${directory}/${UNKNOWN}`, call);
  if (directory === "/") call.by.write("/", call);
}

const cpio: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "DEFHIOCMR",
    long: ["directory", "file", "format", "rsh-command", "pattern-file", "owner"],
  });
  const transport = options.value("rsh-command");
  if (transport !== undefined) call.by.harm("option-runs", `cpio --rsh-command runs ${transport}`);
  if (options.has("p", "pass-through")) unpackInto(options.operands[0] ?? ".", call);
  else if (options.has("i", "extract")) unpackInto(options.value("D", "directory") ?? ".", call);
  const output = options.value("O");
  if (output !== undefined) call.by.write(output, call);
  // cpio reads the list of files from its input: `echo .env | cpio -o`.
  const files = (call.stdin.text ?? "").split(/[\n\0]/).filter((file) => file !== "");
  call.state.budget.spend(files.length);
  const listed =
    files.some((file) => holdsSecret(file, call)) ||
    (allBelow(call.stdin) ?? call.stdin.text ?? "")
      .split(/[\n\0]/)
      .slice(0, 50)
      .some((file) => file !== "" && (holdsSecretsBelow(file, call) || printedNames([file], call) !== undefined));
  return options.has("o", "create") && listed ? { ...UNSEEN, secret: "archive" } : UNSEEN;
};

/** Archivers that take the target folder as an option or an operand: `-o/dir`, `-d dir`, the last operand. */
const unpacker =
  (place: (args: readonly string[]) => string | undefined): Program =>
  (call) => {
    const directory = place(call.args);
    if (directory !== undefined) unpackInto(directory, call);
    for (const file of call.args) if (/^[~/.]/.test(file)) call.by.read(file, call, { recursive: true, shown: false });
    if (call.args.includes("-sdel"))
      for (const file of call.args.slice(2))
        if (!file.startsWith("-")) call.by.remove(file, call, { recursive: true, by: `${call.program} -sdel` });
    const streams =
      call.args.some((arg) => arg.startsWith("-so")) &&
      call.args.some((arg) => !arg.startsWith("-") && (holdsSecret(arg, call) || holdsSecretsBelow(arg, call)));
    return streams ? { ...UNSEEN, secret: "archive" } : UNSEEN;
  };
const behind = (args: readonly string[], ...names: readonly string[]): string | undefined =>
  args.find((_, i) => names.includes(args[i - 1] ?? ""));
const sevenZip = unpacker((args) =>
  /^[xe]$/.test(args[0] ?? "") ? (args.find((arg) => /^-o./.test(arg))?.slice(2) ?? ".") : undefined,
);

/** Programs that make one folder like another, and delete what the other one does not contain. */
const mirror =
  (deletes: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    if (deletes.test(text) && !/--?dry-?run\b/.test(text)) call.by.harm("mirror-delete", `${call.program} ${text}`);
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    return UNSEEN;
  };

export const ARCHIVES: Readonly<Record<string, Program>> = {
  rsync,
  tar,
  gtar: tar,
  bsdtar: tar,
  cpio,
  pax: unpacker((args) => (args.some((arg) => /^-\w*r/.test(arg)) ? "." : undefined)),
  zip,
  unzip,
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  "7zz": sevenZip,
  unrar: unpacker((args) =>
    /^[xe]$/.test(args[0] ?? "") ? (args.at(-1)!.endsWith("/") ? args.at(-1) : ".") : undefined,
  ),
  unar: unpacker((args) => behind(args, "-o", "-output-directory") ?? "."),
  unsquashfs: unpacker((args) => behind(args, "-d", "-dest") ?? "."),
  "dpkg-deb": unpacker((args) =>
    args.some((arg) => /^(-x|-X|-R|--extract|--vextract|--raw-extract)$/.test(arg)) ? args.at(-1) : undefined,
  ),
  unison: mirror(/(^|\s)-?-(force|batch|prefer)\b/),
  azcopy: mirror(/--delete-destination[= ]?(true|prompt)?|^(rm|remove)\b/),
  s5cmd: mirror(/--delete\b|(^|\s)(rm|rb)\b/),
  lsyncd: mirror(/./),
  ncftp: mirror(/\brm\b/),
  mirrordir: mirror(/./),
  freefilesync: mirror(/./),
};
