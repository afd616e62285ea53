import type { Call, Program } from "../call.ts";
import { derived, type Flow, literal, NOTHING, UNSEEN } from "../effect.ts";
import { isKnown, SECRET, STAR, UNKNOWN } from "../marks.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { contents, decode, decompress, rev, sed, tr } from "./filters.ts";

interface Reader extends OptionSpec {
  /** Operands before the files: a pattern, a program. */
  readonly skip?: number;
  /** Options that give the pattern, so that no operand is one. */
  readonly insteadOfSkip?: readonly string[];
  /** Options whose value is a file that is written. */
  readonly writes?: readonly string[];
  /** Options whose value is a program that is run. */
  readonly runs?: readonly string[];
  /** Prints names, sizes or counts, never the content. */
  readonly meta?: boolean;
  /** The second operand is written. */
  readonly secondIsOutput?: boolean;
  readonly recursive?: readonly string[];
}

/** A program that reads what it is given and prints. */
function reader(spec: Reader): Program {
  return (call) => {
    const options = parseOptions(call.args, {
      ...spec,
      short: [spec.short ?? "", ...[...(spec.writes ?? []), ...(spec.runs ?? [])].filter((name) => name.length === 1)].join(""),
      long: [...(spec.long ?? []), ...(spec.writes ?? []), ...(spec.runs ?? [])].filter((name) => name.length > 1),
    });
    for (const program of options.values(...(spec.runs ?? []))) call.by.harm("option-runs", `${call.program} runs ${program}`);
    for (const target of options.values(...(spec.writes ?? []))) call.by.write(target, call);
    const skip = spec.insteadOfSkip?.some((name) => options.has(name)) ? 0 : (spec.skip ?? 0);
    const files = options.operands.slice(skip);
    if (spec.secondIsOutput && files[1] !== undefined) call.by.write(files[1], call);
    const recursive = spec.recursive?.some((name) => options.has(name)) ?? false;
    for (const file of spec.secondIsOutput ? files.slice(0, 1) : files) {
      if (spec.meta) continue;
      call.by.read(file, call, { recursive, shown: true });
    }
    return spec.meta ? UNSEEN : contents(files, call);
  };
}

const forgetful =
  (program: Program): Program =>
  (call) =>
    derived(program(call) ?? call.stdin);
/** The names below the root, where nothing else can be meant. */
const TOP_NAMES = "bin\nboot\ndev\netc\nhome\nlib\nopt\nproc\nroot\nsbin\nsys\ntmp\nusr\nvar\n";
/** Prints the paths that hold its word: a file of that name, somewhere. */
const located: Program = (call) => {
  const word = call.args.findLast((arg) => !arg.startsWith("-")) ?? "";
  return /^[\w.-]+$/.test(word) ? literal(`${UNKNOWN}/${word}`) : UNSEEN;
};
const list: Program = (call) => call.args.length === 0 && call.state.cwds.length === 1 && call.state.cwds[0] === "/" ? literal(TOP_NAMES) : call.args.includes("-d") && call.args.includes(`/${STAR}`) ? literal(TOP_NAMES.replace(/^(?=.)/gm, "/")) : (call.args.filter((arg) => !arg.startsWith("-")).join() === "/" && !call.args.some((arg) => /^-\w*l/.test(arg)) ? literal(TOP_NAMES) : UNSEEN);

const meta = (spec: OptionSpec = {}): Program => reader({ ...spec, meta: true });
const quiet: Program = () => UNSEEN;
const pathPrinter: Program = () => literal(UNKNOWN);

const grep = reader({
  short: "efmABCdD",
  long: [
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
    "color",
    "colour",
    "label",
  ],
  skip: 1,
  insteadOfSkip: ["e", "f", "regexp", "file"],
  recursive: ["r", "R", "recursive"],
});
const ripgrep = reader({
  short: "efmABCgtTjMEr",
  long: [
    "regexp",
    "file",
    "max-count",
    "glob",
    "iglob",
    "type",
    "type-not",
    "type-add",
    "context",
    "after-context",
    "before-context",
    "replace",
    "sort",
    "sortr",
    "max-depth",
    "threads",
    "color",
    "colors",
  ],
  runs: ["pre", "hostname-bin"],
  skip: 1,
  insteadOfSkip: ["e", "f", "regexp", "file", "files", "type-list"],
});

const jq: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "L",
    long: ["indent", "from-file", "rawfile", "slurpfile", "arg", "argjson", "args", "jsonargs"],
  });
  const filter = options.operands[0] ?? "";
  if (/Config\.Env\b/.test(filter)) call.by.harm("environment-read", "jq prints a container's environment");
  if (/\$ENV(?!\.[A-Za-z])|(?<![.\w"])env(?!\.[A-Za-z]|\w)/.test(filter)) call.by.harm("environment-read", "jq prints the environment");
  for (const name of filter.matchAll(/(?:\$ENV|env)\.(\w+)/g))
    if (/KEY|TOKEN|SECRET|PASS/i.test(name[1]!)) call.by.harm("environment-read", `jq prints ${name[1]}`);
  for (const file of options.operands.slice(1)) call.by.read(file, call);
  return derived(contents(options.operands.slice(1), call));
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
    if (options.has(name)) call.by.harm("option-runs", `man ${name.length > 1 ? "--" : "-"}${name} runs a program`);
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
    call.program === "dirname" ? path.replace(/\/[^/]*$/, "") || (path.startsWith("/") ? "/" : ".") : path.replace(/\/+$/, "").split("/").pop()!;
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
  return cat(call) as Flow;
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

const env: readonly string[] = [
  "ls",
  "dir",
  "vdir",
  "tree",
  "stat",
  "du",
  "df",
  "file",
  "wc",
  "cksum",
  "md5sum",
  "sha1sum",
  "sha256sum",
  "sha512sum",
  "shasum",
  "md5",
  "sum",
  "b2sum",
  "test",
  "[",
  "exa",
  "eza",
  "lsd",
  "readlink",
  "locate",
  "mdfind",
  "mdls",
];

export const READERS: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(env.map((name) => [name, meta({ short: "oILPTw" })])),
  ...Object.fromEntries(["locate", "plocate", "mdfind"].map((name) => [name, located])),
  ls: list,
  tree: reader({ short: "LPI", writes: ["o"], meta: true }),
  cat: wholeFile,
  bat: forgetful(reader({ short: "lrHm", long: ["language", "style", "theme", "line-range"], runs: ["pager"] })),
  batcat: forgetful(reader({ runs: ["pager"] })),
  tac: forgetful(cat),
  nl: forgetful(reader({ short: "bdfhilnsvw" })),
  more: less,
  less,
  most: less,
  pg: less,
  head: (call) => headOrTail(call),
  tail: (call) => headOrTail(call),
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg: ripgrep,
  ag: reader({ runs: ["pager"], skip: 1, short: "GABCm" }),
  ack: reader({ runs: ["pager"], skip: 1 }),
  "git-grep": grep,
  fd: (call) => fd(call),
  fdfind: (call) => fd(call),
  sort,
  uniq: forgetful(reader({ short: "fsw", secondIsOutput: true })),
  cut: forgetful(reader({ short: "bcdf", long: ["delimiter", "fields", "bytes", "characters", "output-delimiter"] })),
  paste: forgetful(reader({ short: "d" })),
  column: forgetful(reader({ short: "cstNHRO" })),
  fold: forgetful(reader({ short: "w" })),
  fmt: forgetful(reader({ short: "w" })),
  expand: forgetful(reader({ short: "t" })),
  unexpand: forgetful(reader({ short: "t" })),
  comm: forgetful(reader({})),
  join: forgetful(reader({ short: "aeijotv12" })),
  diff: forgetful(reader({ short: "UCIxWF", long: ["unified", "context", "exclude", "label"], recursive: ["r", "recursive"] })),
  cmp: meta(),
  colordiff: forgetful(reader({ short: "U" })),
  diff3: forgetful(reader({ runs: ["diff-program"] })),
  sdiff: reader({ writes: ["o", "output"], runs: ["diff-program"] }),
  tr,
  rev,
  sed,
  gsed: sed,
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
  xxd: (call) => (parseOptions(call.args).has("r") ? decode("hex")(call) : forgetful(reader({ short: "cgls", secondIsOutput: true }))(call)),
  base64: decode("base64"),
  gbase64: decode("base64"),
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
  seq: quiet,
  factor: quiet,
  expr: quiet,
  bc: forgetful(cat),
  yes: quiet,
  true: () => NOTHING,
  false: () => NOTHING,
  ":": () => NOTHING,
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
  yq: (call) => (parseOptions(call.args).has("i", "inplace") ? writeLast(call) : jq(call)),
  csvlook: forgetful(cat),
  iconv: forgetful(reader({ short: "ft", writes: ["o", "output"] })),
  figlet: quiet,
  tsort: forgetful(cat),
  shuf: forgetful(reader({ short: "nei", writes: ["o", "output"] })),
  pr: forgetful(cat),
  zipinfo: meta(),
  look: quiet,
  fzf: (call) => fzf(call),
};

function headOrTail(call: Call): Flow {
  const input = reader({ short: "nc", long: ["lines", "bytes", "pid", "sleep-interval"] })(call) as Flow;
  // A short text passes whole; of a longer one only a part, which is not followed.
  return input.text !== undefined && input.text.split("\n").length <= 6 && !call.args.some((arg) => arg.startsWith("-c") || arg.startsWith("--b"))
    ? input
    : derived(input);
}

function fzf(call: Call): Flow {
  const options = parseOptions(call.args, {
    short: "nqdm",
    long: ["preview", "bind", "query", "height", "prompt", "header", "delimiter", "with-nth", "nth", "layout"],
  });
  for (const text of options.values("preview")) call.by.script(text.replace(/\{[^}]*\}/g, UNKNOWN), call);
  for (const text of options.values("bind"))
    for (const [, , command] of text.matchAll(/(execute|execute-silent|become|reload|transform)[(:[]([^)\]]*)/g))
      call.by.script(command!.replace(/\{[^}]*\}/g, UNKNOWN), call);
  return UNSEEN;
}

function fd(call: Call): Flow {
  const exec = call.args.findIndex((arg) => ["-x", "-X", "--exec", "--exec-batch"].includes(arg));
  if (exec >= 0) {
    const argv = call.args.slice(exec + 1).filter((arg) => arg !== ";");
    if (["rm", "unlink", "shred"].includes(argv[0] ?? "")) {
      call.by.harm("find-rm", `fd ${call.args.join(" ")}`);
      // A pattern that takes everything, below the place behind it.
      const [pattern = ".", place] = parseOptions(call.args.slice(0, exec), { short: "dteESjc" }).operands;
      if (/^(\.|\*|\.\*|)$/.test(pattern) && place !== undefined && !call.args.slice(0, exec).some((arg) => /^-[eS]|^--(extension|size)/.test(arg))) call.by.remove(place, call, { recursive: true, by: "fd" });
    }
    call.by.run(argv.some((arg) => arg.includes("{")) ? argv.map((arg) => arg.replace(/\{[./]*\}/g, UNKNOWN)) : [...argv, UNKNOWN], call);
  }
  return UNSEEN;
}

function writeLast(call: Call): Flow {
  const last = call.args.at(-1);
  if (last !== undefined) call.by.write(last, call, "edit");
  return NOTHING;
}
