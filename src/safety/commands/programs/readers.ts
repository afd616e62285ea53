import type { Call, Program } from "../evaluate/call.ts";
import { derived, type Flow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { isKnown, SECRET, STAR, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { cutText } from "../parse/text-tools.ts";
import { contents, decode, decompress, paste, rev, sed, tac, tr } from "./filters.ts";
import { EVERY_PROCESS_LIST, listsProc, namesProcesses } from "./process-lists.ts";
import { fileBelow, printedNames } from "./printed-names.ts";
import { meta, reader } from "./reader.ts";
import { SEARCHERS } from "./searchers.ts";

const forgetful =
  (program: Program): Program =>
  (call) =>
    derived(program(call) ?? call.stdin);
/** The names of the folders in the root. */
const TOP_NAMES = "bin\nboot\ndev\netc\nhome\nlib\nopt\nproc\nroot\nsbin\nsys\ntmp\nusr\nvar\n";
/** Prints the paths of files with the given name, wherever they are. */
const located: Program = (call) => {
  const word = call.args.findLast((arg) => !arg.startsWith("-")) ?? "";
  return /^[\w.-]+$/.test(word) ? literal(`${UNKNOWN}/${word}`) : UNSEEN;
};
const list: Program = (call) => {
  const { args, state } = call;
  if (args.length === 0 && state.cwds.length === 1 && state.cwds[0] === "/") return literal(TOP_NAMES);
  if (args.includes("-d") && args.includes(`/${STAR}`)) return literal(TOP_NAMES.replace(/^(?=.)/gm, "/"));
  const root = args.filter((arg) => !arg.startsWith("-")).join() === "/" && !args.some((arg) => /^-\w*l/.test(arg));
  if (root) return literal(TOP_NAMES);
  if (listsProc(args)) return EVERY_PROCESS_LIST;
  const named = args.filter((arg) => !arg.startsWith("-"));
  return printedNames(named, call) ?? UNSEEN;
};

const quiet: Program = () => UNSEEN;
const CUT = { short: "bcdf", long: ["delimiter", "fields", "bytes", "characters", "output-delimiter"] };
const readCut = reader(CUT);
const cut: Program = (call) => {
  const input = readCut(call) ?? call.stdin;
  const options = parseOptions(call.args, CUT);
  const fields = options.value("f", "fields");
  const characters = options.value("c", "characters", "b", "bytes");
  const plain =
    input.text !== undefined &&
    isKnown(input.text) &&
    (fields === undefined) !== (characters === undefined) &&
    options.value("output-delimiter") === undefined;
  if (!plain || options.has("s", "complement", "only-delimited", "z")) return derived(input);
  return {
    ...derived(input),
    text: cutText(input.text!, { fields, characters, delimiter: options.value("d", "delimiter") ?? "\t" }),
  };
};
const MAX_COUNTED = 30;
/** `seq 3`, `seq 1 2 9`: prints a few numbers. */
const seq: Program = ({ args }) => {
  if (args.length === 0 || args.length > 3 || !args.every((arg) => /^-?\d{1,9}$/.test(arg))) return UNSEEN;
  const numbers = args.map(Number);
  const [first, step, last] =
    numbers.length === 1
      ? [1, 1, numbers[0]!]
      : numbers.length === 2
        ? [numbers[0]!, 1, numbers[1]!]
        : [numbers[0]!, numbers[1]!, numbers[2]!];
  const count = Math.floor((last - first) / step) + 1;
  if (step === 1 && first < 1_000 && last > 9_999) return EVERY_PROCESS_LIST;
  if (!Number.isFinite(count) || count > MAX_COUNTED) return UNSEEN;
  return literal(Array.from({ length: Math.max(0, count) }, (_, at) => `${first + at * step}\n`).join(""));
};
const pathPrinter: Program = () => literal(UNKNOWN);

const jq: Program = (call) => {
  const args = [...call.args];
  // Skips options that take a name and a value: `--arg NAME VALUE`.
  for (let at = args.findIndex(takesName); at >= 0; at = args.findIndex(takesName)) {
    const [option, , value] = args.splice(at, 3);
    if (value !== undefined && option!.endsWith("file")) call.by.read(value, call);
  }
  const options = parseOptions(args, { short: "L", long: ["indent", "from-file", "args", "jsonargs"] });
  const filter = options.operands[0] ?? "";
  if (/Config\.Env\b/.test(filter)) call.by.harm("environment-read", "jq prints a container's environment");
  if (/\$ENV(?!\.[A-Za-z])|(?<![.\w"])env(?!\.[A-Za-z]|\w)/.test(filter))
    call.by.harm("environment-read", "jq prints the environment");
  for (const name of filter.matchAll(/(?:\$ENV|env)\.(\w+)/g))
    if (/KEY|TOKEN|SECRET|PASS/i.test(name[1]!)) call.by.harm("environment-read", `jq prints ${name[1]}`);
  for (const file of options.operands.slice(1)) call.by.read(file, call);
  return derived(contents(options.operands.slice(1), call));
};

const takesName = (arg: string): boolean => /^--(rawfile|slurpfile|arg|argjson|argfile)$/.test(arg);

/** Filters of yq can read files. */
const yq: Program = (call) => {
  const options = parseOptions(call.args);
  for (const operand of options.operands)
    for (const [, file] of operand.matchAll(/\bload(?:_\w+)?\(\s*["']([^"']+)["']/g)) call.by.read(file!, call);
  return options.has("i", "inplace") ? writeLast(call) : jq(call);
};

const less: Program = (call) => {
  const plus = call.args.find((arg) => arg.startsWith("+!") || arg.startsWith("+|"));
  if (plus) {
    call.by.harm("option-runs", `${call.program} ${plus} runs a program`);
    call.by.script(plus.slice(2), call);
  }
  return reader({ short: "pPjkoO", writes: ["o", "O", "log-file"] })(call);
};

const man: Program = (call) => {
  const options = parseOptions(call.args, { short: "PHCMLpRrSse", long: ["pager", "html", "config-file", "manpath"] });
  for (const name of ["P", "pager", "H", "html"])
    if (options.has(name) && !/^(?:cat|less|more|most)(?: -\w+)*$/.test(options.value(name) ?? ""))
      call.by.harm("option-runs", `man ${name.length > 1 ? "--" : "-"}${name} runs a program`);
  return UNSEEN;
};

const which: Program = (call) => {
  const name = parseOptions(call.args).operands[0];
  return name !== undefined && isKnown(name) ? literal(name) : UNSEEN;
};

const basename: Program = (call) => {
  const options = parseOptions(call.args, { short: "s" });
  const path = options.operands[0] ?? "";
  if (!isKnown(path)) return literal(UNKNOWN);
  const cut =
    call.program === "dirname"
      ? path.replace(/\/[^/]*$/, "") || (path.startsWith("/") ? "/" : ".")
      : path.replace(/\/+$/, "").split("/").pop()!;
  const suffix = options.operands[1] ?? options.value("s");
  return literal(suffix && cut.endsWith(suffix) ? cut.slice(0, -suffix.length) : cut);
};

const realpath: Program = (call) => {
  const path = parseOptions(call.args, { long: ["relative-to", "relative-base"] }).operands[0];
  const paths = path === undefined ? [] : call.by.paths(path, call.state);
  return literal(paths.length === 1 && isKnown(paths[0]!) ? paths[0]! : UNKNOWN);
};

const cat = reader({});
const wholeFile = (call: Call): Flow => {
  if (call.stdin.text?.includes(SECRET)) call.by.harm("environment-read", `${call.program} prints a secret variable`);
  return call.args.some(namesProcesses) ? EVERY_PROCESS_LIST : (cat(call) as Flow);
};

const sort: Program = (call) =>
  derived(
    reader({
      short: "kotTS",
      long: ["key", "field-separator", "parallel", "batch-size", "buffer-size"],
      writes: ["o", "output"],
      runs: ["compress-program"],
    })(call) as Flow,
  );

/** Programs that print names, sizes, checksums or times, never the content. */
const NAMES_ONLY =
  "ls dir vdir tree stat du df file wc cksum md5sum sha1sum sha256sum sha512sum shasum md5 sum b2sum test [ exa eza lsd locate mdfind mdls".split(
    " ",
  );

const namesOnly = meta({ short: "oILPTw" });

export const READERS: Readonly<Record<string, Program>> = {
  ...SEARCHERS,
  ...Object.fromEntries(NAMES_ONLY.map((name) => [name, namesOnly])),
  ...Object.fromEntries(["locate", "plocate", "mdfind"].map((name) => [name, located])),
  ls: list,
  readlink: (call) => (call.args.some((arg) => /^-[fem]+$|^--canonicalize/.test(arg)) ? realpath(call) : UNSEEN),
  tree: (call) => {
    reader({ short: "LPI", writes: ["o"], meta: true })(call);
    if (!call.args.some((arg) => /^-\w*f/.test(arg))) return UNSEEN;
    const places = parseOptions(call.args, { short: "LPIoHT" }).operands;
    return (
      printedNames(
        (places.length === 0 ? ["."] : places).map((place) => fileBelow(place)),
        call,
      ) ?? UNSEEN
    );
  },
  cat: wholeFile,
  bat: forgetful(reader({ short: "lrHm", long: ["language", "style", "theme", "line-range"], runs: ["pager"] })),
  batcat: forgetful(reader({ runs: ["pager"] })),
  tac,
  nl: forgetful(reader({ short: "bdfhilnsvw" })),
  more: less,
  less,
  most: less,
  pg: less,
  head: (call) => headOrTail(call),
  tail: (call) => headOrTail(call),
  sort,
  uniq: forgetful(reader({ short: "fsw", secondIsOutput: true })),
  cut,
  paste,
  column: forgetful(reader({ short: "cstNHRO" })),
  fold: forgetful(reader({ short: "w" })),
  fmt: forgetful(reader({ short: "w" })),
  expand: forgetful(reader({ short: "t" })),
  unexpand: forgetful(reader({ short: "t" })),
  comm: forgetful(reader({})),
  join: forgetful(reader({ short: "aeijotv12" })),
  diff: forgetful(
    reader({ short: "UCIxWF", long: ["unified", "context", "exclude", "label"], recursive: ["r", "recursive"] }),
  ),
  cmp: meta(),
  colordiff: forgetful(reader({ short: "U" })),
  diff3: forgetful(reader({ runs: ["diff-program"] })),
  sdiff: reader({ writes: ["o", "output"], runs: ["diff-program"] }),
  tr,
  rev,
  sed,
  jq,
  gojq: jq,
  jaq: jq,
  man,
  which,
  type: which,
  whereis: quiet,
  whatis: quiet,
  apropos: quiet,
  strings: forgetful(reader({ short: "ntT" })),
  od: forgetful(reader({ short: "AjNtw" })),
  hexdump: forgetful(reader({ short: "efns" })),
  hd: forgetful(reader({})),
  xxd: (call) =>
    parseOptions(call.args).has("r") || call.args.join() === "-p"
      ? decode("hex")(call)
      : forgetful(reader({ short: "cgls", secondIsOutput: true }))(call),
  base64: decode("base64"),
  base32: decode("base32"),
  base16: decode("hex"),
  basenc: decode("base64"),
  gzip: decompress,
  gunzip: decompress,
  zcat: decompress,
  xz: decompress,
  unxz: decompress,
  xzcat: decompress,
  bzip2: decompress,
  bunzip2: decompress,
  bzcat: decompress,
  zstd: decompress,
  unzstd: decompress,
  zstdcat: decompress,
  lz4: decompress,
  gzcat: decompress,
  uncompress: decompress,
  basename,
  dirname: basename,
  realpath,
  seq,
  factor: quiet,
  expr: quiet,
  bc: forgetful(cat),
  yes: quiet,
  numfmt: quiet,
  mktemp: pathPrinter,
  ldd: quiet,
  nm: forgetful(cat),
  objdump: quiet,
  readelf: quiet,
  size: meta(),
  cloc: meta(),
  tokei: meta(),
  scc: meta(),
  lsattr: meta(),
  getfacl: meta(),
  namei: meta(),
  tldr: quiet,
  shellcheck: meta(),
  xmllint: forgetful(reader({ writes: ["o", "output"] })),
  yq,
  csvlook: forgetful(cat),
  iconv: forgetful(reader({ short: "ft", writes: ["o", "output"] })),
  figlet: quiet,
  tsort: forgetful(cat),
  shuf: forgetful(reader({ short: "nei", writes: ["o", "output"] })),
  pr: forgetful(cat),
  zipinfo: meta(),
  look: quiet,
};

function headOrTail(call: Call): Flow {
  const input = reader({ short: "nc", long: ["lines", "bytes", "pid", "sleep-interval"] })(call) as Flow;
  // A short text is printed whole. The part of a longer text is not followed.
  return input.text !== undefined &&
    input.text.split("\n").length <= 6 &&
    !call.args.some((arg) => arg.startsWith("-c") || arg.startsWith("--b"))
    ? input
    : {
        ...derived(input),
        blank: input.blank,
        processes: input.processes && call.args.some((arg) => /^(?:-n)?\+\d+$/.test(arg)),
      };
}

function writeLast(call: Call): Flow {
  const last = call.args.at(-1);
  if (last !== undefined) call.by.write(last, call, "edit");
  return NOTHING;
}
