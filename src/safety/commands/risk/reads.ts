import { isKnown } from "../parse/marks.ts";

/**
 * Which calls of which programs only read, as a positive list: a program that is not listed may write. Such commands
 * run in parallel without approval and are repeated after a crash, so an unknown, abbreviated or computed option
 * disqualifies the call.
 */
export function readsOnly(word: string, args: readonly string[]): boolean {
  const slash = word.lastIndexOf("/");
  if (slash >= 0 && !TRUSTED.has(word.slice(0, slash))) return false;
  const name = word.slice(slash + 1);
  if (FREE.has(name)) return true;
  const rule = Object.hasOwn(RULES, name) ? RULES[name]! : undefined;
  if (rule === undefined) return false;
  return typeof rule === "function" ? rule(args) : optionsFit(args, rule);
}

const TRUSTED = new Set(["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/sbin", "/usr/sbin"]);

/**
 * No option of theirs writes, runs a program, changes the machine or goes on for ever. Wrappers are here when what they
 * run is judged as well.
 */
const FREE = new Set(
  `cat ls dir vdir wc head stat du df cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum sum
    md5 test [ readlink realpath basename dirname cut paste fold fmt expand unexpand comm join nl tac rev tr grep
    egrep fgrep cmp diff uniq seq factor expr nproc uname whoami id groups users who w uptime free tty arch logname
    pwd true false : echo printf which type whereis pgrep pidof ps getconf locale lsblk lscpu lsusb lspci lsmod
    strings od hexdump hd sleep cd nm size column jq tsort numfmt cal getent lsattr getfacl namei findmnt zipinfo
    printenv read exit return break continue shift local let command builtin time timeout xargs bat batcat`.split(
    /\s+/,
  ),
);

interface OptionRule {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters whose value is attached or the next word. */
  readonly valued?: string;
  /** Whole long names, with or without `=value`. */
  readonly long?: string;
  /** `-20`. */
  readonly digits?: boolean;
  /** The form of operands; default: any. */
  readonly operand?: RegExp;
}

type Rule = OptionRule | ((args: readonly string[]) => boolean);

const SEARCH =
  "ignore-case smart-case case-sensitive line-number no-line-number count files files-with-matches files-without-match invert-match word-regexp line-regexp fixed-strings regexp glob iglob type type-not max-count max-depth max-columns context after-context before-context hidden no-ignore no-ignore-vcs only-matching multiline color no-heading heading no-filename with-filename stats json sort sortr null text unrestricted pcre2 replace column trim vimgrep follow type-list files0";

const RULES: Readonly<Record<string, Rule>> = {
  sort: {
    flags: "bdfgiMhnRrVcCmsuz",
    valued: "kt",
    long: `reverse numeric-sort human-numeric-sort version-sort general-numeric-sort unique key field-separator
      ignore-case ignore-leading-blanks stable zero-terminated check merge month-sort random-sort dictionary-order`,
  },
  tail: { flags: "qvz", valued: "nc", long: "lines bytes quiet silent verbose zero-terminated", digits: true },
  tree: { flags: "adfilpsugDhCnFtrvxN", valued: "LPI", long: "dirsfirst noreport prune gitignore du" },
  rg: { flags: "nilcvwxFoHhNUPSsuaL0p", valued: "egtTABCmMdr", long: SEARCH },
  fd: {
    flags: "HIiuspa0L1lgF",
    valued: "dteES",
    long: `hidden no-ignore type extension exclude max-depth min-depth size changed-within changed-before
      absolute-path full-path glob fixed-strings color print0 follow ignore-case case-sensitive`,
  },
  fdfind: {
    flags: "HIiuspa0L1lgF",
    valued: "dteES",
    long: "hidden no-ignore type extension exclude max-depth absolute-path full-path glob",
  },
  date: {
    flags: "uR",
    valued: "dI",
    long: "date utc universal iso-8601 rfc-3339 rfc-email",
    operand: /^\+|^(?!\d{8})[^+]*(?:ago|day|week|month|year|hour|minute|now|today|yesterday|tomorrow)/,
  },
  hostname: { flags: "fsiIdA", operand: /^$/ },
  base64: { flags: "d", valued: "w", long: "decode wrap ignore-garbage" },
  base32: { flags: "d", valued: "w", long: "decode wrap ignore-garbage" },
  xxd: { flags: "abeEiupC", valued: "cglos" },
  file: { flags: "biLhkNnrsv0", long: "brief mime mime-type mime-encoding dereference no-dereference keep-going raw" },
  lsof: { flags: "aCHlnNOPtUwX", valued: "icdpus" },
  dmesg: { flags: "THxktLd", valued: "lf", long: "level facility human ctime time-format decode kernel" },
  journalctl: {
    flags: "abkqrxem",
    valued: "unopStUbg",
    long: "unit lines since until no-pager output priority boot dmesg reverse grep identifier catalog user system utc quiet list-boots disk-usage",
  },
  systemctl: (args) =>
    args.length > 0 &&
    [
      "status",
      "is-active",
      "is-enabled",
      "is-failed",
      "show",
      "cat",
      "list-units",
      "list-unit-files",
      "list-timers",
      "list-sockets",
    ].includes(args.find((arg) => !arg.startsWith("-")) ?? "") &&
    args.every(
      (arg) =>
        !arg.startsWith("-") ||
        /^--(user|system|no-pager|all|failed|full|plain|type=\w+|state=\w+|property=\w+|lines=\d+)$|^-[alpq]+$/.test(
          arg,
        ),
    ),
  find: (args) =>
    args.every(
      (arg, i) =>
        !arg.startsWith("-") || FIND_TESTS.has(arg) || /^-\d+$/.test(arg) || FIND_VALUED.has(args[i - 1] ?? ""),
    ) &&
    !args.some((arg) => arg.startsWith("-") && FIND_ACTIONS.test(arg)) &&
    plain(args),
  sed: sedReads,
  gsed: sedReads,
  awk: awkReads,
  gawk: awkReads,
  mawk: awkReads,
  git: gitReads,
  ip: (args) =>
    /^(-(?:br|brief|4|6|c|color|j|json|p|s|d|o)\s)*(a|addr|address|r|route|l|link|n|neigh|rule|maddr)(\s+(show|list|ls|get)(\s+(?!.*\b(?:add|del|delete|set|flush|replace|change|append)\b).*)?)?$/.test(
      args.join(" "),
    ) && plain(args),
  tar: (args) =>
    /^-?[jzJavt]*t[jzJavt]*f?[v]*$/.test(args[0] ?? "") &&
    args.slice(1).every((arg) => !arg.startsWith("-") && !arg.includes(":")) &&
    plain(args),
  unzip: (args) =>
    /^-(l|t|Z1?|lv|v)$/.test(args[0] ?? "") && args.slice(1).every((arg) => !arg.startsWith("-")) && plain(args),
};

function optionsFit(args: readonly string[], rule: OptionRule): boolean {
  if (!plain(args)) return false;
  const long = new Set(rule.long?.split(/\s+/));
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === "--")
      return rule.operand === undefined || args.slice(i + 1).every((operand) => rule.operand!.test(operand));
    if (arg.startsWith("--")) {
      if (!long.has(arg.slice(2).split("=", 1)[0]!)) return false;
    } else if (arg.length > 1 && arg.startsWith("-")) {
      if (rule.digits && /^-\d+$/.test(arg)) continue;
      const takesNext = clusterFits(arg.slice(1), rule);
      if (takesNext === undefined) return false;
      if (takesNext) i++;
    } else if (rule.operand !== undefined && !rule.operand.test(arg)) return false;
  }
  return true;
}

/** Whether the next word is the value of the last letter; undefined when a letter is not known. */
function clusterFits(letters: string, rule: OptionRule): boolean | undefined {
  for (let i = 0; i < letters.length; i++) {
    if (rule.valued?.includes(letters[i]!)) return i === letters.length - 1;
    if (!rule.flags?.includes(letters[i]!)) return undefined;
  }
  return false;
}

/** No word that could turn out to be an option. */
function plain(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.every((arg, i) => (end >= 0 && i > end) || isKnown(arg.slice(0, 1)));
}

const FIND_TESTS = new Set(
  `-name -iname -path -ipath -wholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
    -newer -perm -user -group -uid -gid -empty -executable -readable -writable -links -inum -samefile -maxdepth
    -mindepth -depth -d -prune -print -print0 -printf -ls -quit -not -a -and -o -or -true -false -follow -xdev
    -mount -regextype -daystart -noleaf -newermt -newerct -H -L -P -lname -ilname -nouser -nogroup -fstype`.split(
    /\s+/,
  ),
);
const FIND_VALUED = new Set("-mtime -mmin -atime -amin -ctime -cmin -size -perm".split(/\s+/));
const FIND_ACTIONS = /^-(exec|ok|delete|fprint|fls)/;

/** Scripts of addresses with `p`, `d`, `q`, `=` and plain substitutions; anything cleverer may write or run. */
function sedReads(args: readonly string[]): boolean {
  if (!plain(args)) return false;
  const scripts: string[] = [];
  let operands = 0;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === "-e" || arg === "--expression") scripts.push(args[++i] ?? "");
    else if (arg.startsWith("--expression=")) scripts.push(arg.slice(13));
    else if (
      /^-[nErsuz]+$/.test(arg) ||
      ["--quiet", "--silent", "--regexp-extended", "--null-data", "--separate", "--posix"].includes(arg)
    )
      continue;
    else if (arg.startsWith("-") && arg !== "-") return false;
    else if (operands++ === 0 && scripts.length === 0) scripts.push(arg);
  }
  return scripts.every((script) => script.split(/[;\n]/).every((command) => SED_COMMAND.test(command.trim())));
}

const SED_ADDRESS = String.raw`(?:\d+|\$|\/(?:[^/\\]|\\.)*\/I?)`;
const SED_COMMAND = new RegExp(
  String.raw`^(?:${SED_ADDRESS}(?:,(?:\+?${SED_ADDRESS}))?\s*!?\s*)?(?:[pdqD=]?|s([/|#,:@!])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiI0-9]*)$`,
);

/** Programs that neither redirect, pipe, call nor load anything. */
function awkReads(args: readonly string[]): boolean {
  if (!plain(args)) return false;
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    if (!/^-[Fv]/.test(args[at]!)) return false;
    at += args[at]!.length > 2 ? 1 : 2;
  }
  const program = args[at] ?? "";
  return isKnown(program) && !/[>|@]|system|getline|close|fflush|ENVIRON|PROCINFO/.test(program);
}

/** Subcommands of git that read whatever they are given, but for the options in `GIT_WRITES`. */
const GIT_FREE = new Set(
  `status log diff show rev-parse ls-files ls-tree blame shortlog describe rev-list cat-file merge-base name-rev
    grep for-each-ref count-objects diff-tree show-ref show-branch whatchanged cherry version check-ignore annotate`.split(
    /\s+/,
  ),
);
const GIT_WRITES = [
  "output",
  "ext-diff",
  "textconv",
  "open-files-in-pager",
  "filters",
  "contents",
  "upload-pack",
  "exec",
  "exclude-from",
  "stdin",
  "dirty",
  "broken",
  "help",
];
/** Others read in these forms only. */
const GIT_FORMS: Readonly<Record<string, RegExp>> = {
  branch:
    /^((-(a|r|v|vv|av|rv|l)|--(all|remotes|verbose|show-current|list|merged|no-merged|contains|sort=\S+|format=.*)) ?)*$|^--list( \S+)?$/,
  tag: /^$|^(-l|--list)( [^-]\S*)?$|^-n\d*$/,
  remote: /^$|^-v$|^--verbose$|^get-url \S+$/,
  stash: /^(list|show( -p)?( stash@\{\d+\})?)$/,
  config: /^(--(local|global|system) )?(--get|--get-all|--get-regexp|--list|-l)( [^-]\S*)?$/,
  worktree: /^list( --porcelain)?$/,
  reflog: /^$|^(show( \S+)?|-n \d+|-\d+)$/,
  submodule: /^status$/,
};

function gitReads(args: readonly string[]): boolean {
  if (!plain(args)) return false;
  let at = 0;
  while (args[at]?.startsWith("-")) {
    if (!["--no-pager", "-P", "-C", "--version"].includes(args[at]!)) return false;
    at += args[at] === "-C" ? 2 : 1;
  }
  const subcommand = args[at] ?? "";
  const rest = args.slice(at + 1);
  if (GIT_FREE.has(subcommand)) return rest.every((arg) => !gitWrites(arg));
  return Object.hasOwn(GIT_FORMS, subcommand) && GIT_FORMS[subcommand]!.test(rest.join(" "));
}

/** Long options may be cut short: `--outp` is `--output`. */
function gitWrites(arg: string): boolean {
  if (/^-[oO]/.test(arg)) return true;
  const name = /^--([^=]+)/.exec(arg)?.[1];
  return name !== undefined && GIT_WRITES.some((bad) => bad.startsWith(name) || name.startsWith(bad));
}
