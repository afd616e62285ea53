import type { HarmId } from "../risk/harms.ts";
import type { Call } from "../evaluate/call.ts";
import { type Flow, literal, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, hasMark, STAR, UNKNOWN } from "../parse/marks.ts";
import type { Options } from "../parse/options.ts";
import { isAddress } from "./roles/host-words.ts";
import { judgeAddress } from "./git-address.ts";
import { configure, judgeConfig } from "./git-config.ts";
import { gitOptions } from "./git-options.ts";
import { programs, strangeProgram } from "./git-programs.ts";

const READS = new Set(
  `status log diff show shortlog describe blame annotate rev-parse rev-list ls-files ls-tree cat-file name-rev grep
    whatchanged merge-base for-each-ref show-ref count-objects var version help diff-tree diff-index diff-files
    range-diff cherry check-ignore check-attr check-ref-format show-branch verify-commit verify-tag fsck
    get-tar-commit-id stripspace column`.split(/\s+/),
);
const WORK_TREE = new Set(
  "apply am checkout switch restore reset pull merge rebase cherry-pick revert stash clone init clean rm mv".split(" "),
);
/** Subcommands whose operands are files that they print, or store where another subcommand prints them. */
const STORES_FILES = new Set(
  "hash-object update-index interpret-trailers apply am mailinfo mailsplit fast-import unpack-objects index-pack".split(
    " ",
  ),
);

/** One subcommand with what its judgement needs. */
interface Verb {
  readonly verb: string;
  readonly call: Call;
  readonly options: Options;
  /** The operands. */
  readonly words: readonly string[];
  /** The command as the user reads it. */
  readonly show: string;
  readonly harm: (id: HarmId) => void;
}

/** Judges a subcommand with its arguments; options before it are judged already. */
export function judgeVerb(verb: string, call: Call): Flow {
  const show = `git ${verb} ${call.args.join(" ")}`.trim();
  const options = gitOptions(verb, call.args);
  if (options.has("help") || call.args[0] === "-h") return UNSEEN;
  programs(verb, options, call);
  runsConfigured(verb, show, call);
  const words = options.operands;
  if (!READS.has(verb) && WORK_TREE.has(verb))
    for (const cwd of call.state.cwds)
      if (cwd !== undefined && /^(\/private)?\/(etc|boot|usr\/lib)(\/|$)/.test(cwd))
        call.by.harm("system-config", `${show} in ${cwd}`);
  const one: Verb = { verb, call, options, words, show, harm: (id) => call.by.harm(id, show) };
  for (const file of options.values("contents", "pathspec-from-file", "ignore-revs-file", "exclude-from"))
    call.by.read(file, call, { shown: false });
  if (READS.has(verb)) return readsRepository(one);
  if (STORES_FILES.has(verb)) for (const word of words) call.by.read(word, call, { shown: false });
  // A message from a file is a file that the history holds.
  if (/^(?:commit|tag|notes|merge)$/.test(verb))
    for (const file of options.values("F", "file")) call.by.read(file, call, { shown: false });
  const flow = (Object.hasOwn(VERBS, verb) ? VERBS[verb]!(one) : undefined) ?? undefined;
  if (flow !== undefined) return flow;
  call.by.add({ kind: "execute", program: "git", words: ["git", verb, ...call.args.slice(0, 6)] });
  return UNSEEN;
}

/** Options that run the programs which the repository's configuration names for a comparison. */
function runsConfigured(verb: string, show: string, call: Call): void {
  if (/^(?:commit|config|notes|tag)$/.test(verb)) return;
  const end = call.args.indexOf("--");
  const own = end === -1 ? call.args : call.args.slice(0, end);
  if (own.some((arg) => /^--(?:ext|ext-(?:d(?:i(?:ff?)?)?)?|textc(?:o(?:nv?)?)?)$/.test(arg)))
    call.by.harm("git-config-runs", `${show} runs programs that the repository's configuration names`);
  if (verb === "cat-file" && own.some((arg) => /^--filt\w*$/.test(arg))) call.by.harm("git-config-runs", show);
}

function reads(call: Call): Flow {
  call.by.add({ kind: "read", path: "", shown: false });
  return UNSEEN;
}

function readsRepository({ verb, call, options, words }: Verb): Flow {
  const output = options.value("output");
  if (verb === "grep" && options.has("no-index")) {
    const files = words.slice(options.has("e", "f") ? 0 : 1);
    for (const word of files) call.by.read(word, call, { recursive: true, shown: true });
    if (files.length === 0) call.by.read(".", call, { recursive: true, shown: true });
  }
  if (/^(show|cat-file|blame|annotate|diff)$/.test(verb) || options.has("p", "patch"))
    for (const word of call.args) {
      const file = word.replace(/^[^:]*:(?=[^:])/, "");
      if (!word.startsWith("-") && (file !== word || /[./]/.test(word))) call.by.read(file, call, { shown: true });
    }
  if (output !== undefined) call.by.write(output, call);
  else call.by.add({ kind: "read", path: "", shown: false });
  return verb === "rev-parse" ? literal(UNKNOWN) : UNSEEN;
}

const VERBS: Readonly<Record<string, (one: Verb) => Flow | void>> = {
  archive: ({ call, options }) => {
    for (const output of options.values("o", "output", "output-directory")) call.by.write(output, call);
    for (const address of options.values("remote")) judgeRemote(address, call);
  },
  "format-patch": ({ call, options }) => {
    for (const output of options.values("o", "output", "output-directory")) call.by.write(`${output}/0001.patch`, call);
  },
  bundle: ({ call, words }) => {
    if (words[0] === "create") for (const output of words.slice(1, 2)) call.by.write(output, call);
  },
  clone: ({ call, options, words }) => {
    for (const address of [...words.slice(0, 1), ...options.values("bundle-uri")]) judgeRemote(address, call);
    cloneTo(words, call);
  },
  fetch: ({ call, options, words, harm }) => {
    judgeRemote(words[0], call);
    // `+main:main` puts another repository's commits over a branch that is here; a branch of the remote may be.
    const overwrites = (word: string): boolean =>
      /^\+[^:]+:(refs\/heads\/)?(?!refs\/)[^:]+$/.test(word) ||
      (options.has("f", "force") && /^[^:]+:(refs\/heads\/)?(?!refs\/)[^:]+$/.test(word));
    if (words.slice(1).some(overwrites)) harm("git-branch");
  },
  pull: ({ call, words }) => judgeRemote(words[0], call),
  "ls-remote": ({ call, words }) => judgeRemote(words[0], call),
  "fetch-pack": ({ call, words }) => judgeRemote(words[0], call),
  "send-pack": ({ call, words }) => judgeRemote(words[0], call, true),
  "http-fetch": ({ call, words }) => judgeRemote(words.at(-1), call),
  "http-push": ({ call, words }) => judgeRemote(words[0], call, true),
  "request-pull": ({ call, words }) => judgeRemote(words[1], call),
  svn: ({ call, words }) => words.slice(1).forEach((word) => judgeRemote(word, call)),
  "imap-send": ({ call }) => call.by.network("the mail server", true),
  "send-email": ({ call }) => call.by.network("the mail server", true),
  lfs: ({ call, words }) => {
    if (/^(?:fetch|pull|push|clone|prune|locks?|unlock)$/.test(words[0] ?? ""))
      call.by.network("the remote", words[0] === "push");
  },
  push: ({ call, options, words, harm }) => {
    judgeRemote(words[0] ?? options.value("repo"), call, true);
    if (options.has("dry-run", "n")) return;
    const forced = words.slice(1).some((word) => word.startsWith("+"));
    if (options.has("f", "force", "force-with-lease", "mirror", "force-if-includes") || forced) harm("git-push");
    if (options.has("d", "delete", "prune") || words.slice(1).some((word) => word.startsWith(":") && word.length > 1))
      harm("git-remote-delete");
  },
  remote: judgeRemotes,
  reset: ({ options, harm }) => {
    if (options.has("hard") || options.has("merge")) harm("git-reset");
  },
  checkout: ({ options, call, show }) => judgeCheckout(options, call, show),
  switch: ({ options, harm }) => {
    if (options.has("discard-changes", "f", "force")) harm("git-discard");
    // A branch of that name is moved, and the commits that only it led to are lost.
    if (options.has("C", "force-create")) harm("git-branch");
  },
  restore: ({ options, harm }) => {
    if (!options.has("staged", "S") || options.has("worktree", "W")) harm("git-discard");
  },
  "read-tree": ({ options, harm }) => {
    if (options.has("reset") && options.has("u")) harm("git-discard");
  },
  add: judgeAdd,
  stage: judgeAdd,
  "checkout-index": ({ options, harm }) => {
    if (options.has("f", "force")) harm("git-discard");
  },
  clean: ({ call, options, harm }) => {
    if (options.has("f", "force") && !options.has("n", "dry-run")) harm("git-clean");
    else if (!options.has("n", "dry-run", "i", "interactive") && call.args.some(hasMark)) harm("git-clean");
  },
  branch: judgeBranch,
  tag: ({ call, options, words, harm }) => {
    if (options.has("f", "force")) harm("git-branch");
    if (words.length === 0 || options.has("l", "list", "n")) return reads(call);
  },
  "fast-import": ({ options, harm }) => {
    if (options.has("force")) harm("git-history");
  },
  stash: ({ call, words, harm }) => {
    if (words[0] === "drop" || words[0] === "clear") harm("git-stash");
    else if (words[0] === "list" || words[0] === "show") return reads(call);
  },
  reflog: ({ call, words, harm }) => {
    if (words[0] === "expire" || words[0] === "delete") harm("git-history");
    else return reads(call);
  },
  gc: ({ call, harm }) => {
    if (call.args.some((arg) => arg.startsWith("--prune"))) harm("git-history");
  },
  prune: rewrites,
  "filter-branch": rewrites,
  "filter-repo": rewrites,
  "update-ref": ({ options, words, harm }) => {
    if (options.has("d", "stdin") || words.some((word) => word.startsWith("refs/heads/"))) harm("git-history");
  },
  worktree: ({ call, options, words, harm }) => {
    if (words[0] === "remove" && options.has("f", "force")) harm("git-discard");
    else if (words[0] === "add" && options.has("B")) harm("git-branch");
    else if (words[0] === "list") return reads(call);
  },
  rm: ({ call, options, words }) => {
    if (options.has("r") && options.has("f", "force") && !options.has("cached"))
      for (const word of words) call.by.remove(word, call, { recursive: true, by: "git rm -rf" });
  },
  config: ({ call }) => judgeConfig(call),
  bisect: ({ call, words, show }) => {
    if (words[0] !== "run") return;
    const program = call.args.slice(call.args.indexOf("run") + 1);
    strangeProgram(show, program.join(" "), call);
    return call.by.run(program, call);
  },
  submodule: judgeSubmodule,
  maintenance: ({ words, call, harm }) => {
    if (words[0] === "start") harm("schedule");
    if (words[0] === "run" && call.args.some((arg) => arg.includes("prefetch"))) call.by.network("the remote");
  },
  credential: givesLogin,
  "credential-store": givesLogin,
  "credential-cache": givesLogin,
  "credential-osxkeychain": givesLogin,
  daemon: serves,
  instaweb: serves,
  "upload-pack": serves,
};

/** The repository that a subcommand connects to; the name of a remote stands for its address. */
function judgeRemote(address: string | undefined, call: Call, sends = false): void {
  if (address === undefined || address === "") call.by.network("the remote", sends);
  else if (/::/.test(address) || address.startsWith("-")) judgeAddress(address, call, { sends });
  else call.by.network(address, sends);
}

function judgeRemotes({ call, options, words }: Verb): Flow | void {
  const [verb, name, address] = words;
  if (verb === undefined || verb === "get-url") return reads(call);
  if (verb === "show") {
    // Without a name it lists the remotes; `-n` prints what is known of one.
    if (name === undefined || options.has("n")) return reads(call);
    for (const one of words.slice(1)) judgeRemote(one, call);
    return UNSEEN;
  }
  if (verb === "add" || verb === "set-url") {
    if (address !== undefined && name !== undefined) configure(`remote.${name}.url`, address, call);
    if (verb === "add" && options.has("f", "fetch")) judgeRemote(address, call);
  } else if (/^(?:update|prune|set-head)$/.test(verb)) judgeRemote(name, call);
}

function judgeAdd({ call, options, words }: Verb): void {
  // Against the rules that keep it out of the repository.
  if (options.has("f", "force")) for (const word of words) call.by.read(word, call);
  const all = options.has("A", "all", "u", "update") && words.length === 0 ? ["."] : words;
  for (const word of all)
    if (/^[.~/]|^$/.test(word) || hasMark(word))
      call.by.read(word, call, { recursive: true, shown: /(?:^|\/)\.{0,2}$|^\/[^.]*$/.test(word) });
}

function judgeBranch({ call, options, words, harm }: Verb): Flow | void {
  if (options.has("D") || (options.has("d", "delete") && options.has("f", "force"))) harm("git-branch");
  else if (options.has("f", "force") && words.length > 0) harm("git-branch");
  // `-M main` renames the current branch; with two names a branch that has the second one is lost.
  else if (options.has("M", "C") && words.length > 1) harm("git-branch");
  else if (
    words.length === 0 ||
    options.has("list", "l", "a", "r", "v", "show-current", "contains", "merged", "no-merged", "all", "remotes")
  )
    return reads(call);
}

function judgeSubmodule({ call, options, words, show, harm }: Verb): Flow | void {
  if (words[0] === "foreach") {
    const code = call.args
      .slice(call.args.indexOf("foreach") + 1)
      .filter((arg, i) => !(i === 0 && arg === "--recursive"))
      .join(" ");
    strangeProgram(show, code, call);
    return call.by.script(code, call);
  }
  for (const word of words.slice(1)) if (/::/.test(word) || isAddress(word)) judgeAddress(word, call);
  if (words[0] === "update" || words[0] === "add") call.by.network("the remote");
  if (/^(deinit|update|checkout)$/.test(words[0] ?? "") && options.has("f", "force")) harm("git-discard");
}

function rewrites({ call, options, harm }: Verb): void {
  if (!options.has("n", "dry-run")) harm("git-history");
  for (const name of ["tree-filter", "index-filter", "env-filter", "msg-filter", "commit-filter", "tag-name-filter"]) {
    const at = call.args.indexOf(`--${name}`);
    if (at >= 0) call.by.script(call.args[at + 1] ?? "", call);
  }
}

function givesLogin({ words, harm }: Verb): void {
  if (words[0] === "fill" || words[0] === "get") harm("secret-read");
}

function serves({ harm, options }: Verb): void {
  if (!options.has("stop")) harm("option-runs");
}

/** The folder of a clone holds files from the network from now on. */
function cloneTo(words: readonly string[], call: Call): void {
  const [source = "", target] = words;
  const place =
    target ??
    source
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .replace(/^.*[/:]/, "");
  if (target !== undefined) call.by.write(target, call);
  if (place !== "" && /:\/\/|^[^/]+:/.test(source))
    for (const path of call.by.paths(place, call.state)) call.state.fetched.add(path);
}

function judgeCheckout(options: Options, call: Call, show: string): void {
  const dashes = call.args.indexOf("--");
  const creates = options.has("b", "B", "orphan", "t", "track");
  const files =
    dashes >= 0
      ? call.args.slice(dashes + 1)
      : creates
        ? []
        : options.operands.slice(options.operands.length > 1 ? 1 : 0);
  const fileLike = (word: string): boolean =>
    word === "." ||
    word.startsWith("./") ||
    word.startsWith("../") ||
    word.includes(STAR) ||
    word.endsWith("/") ||
    /(^|\/)[^/.]+\.[a-z]{1,5}$/i.test(word) ||
    word.includes(COMPUTED);
  if (options.has("B")) call.by.harm("git-branch", show);
  if (options.has("f", "force") || options.has("p", "patch", "theirs", "ours")) call.by.harm("git-discard", show);
  else if (dashes >= 0 ? files.length > 0 : options.operands.length > 1 ? !creates : files.some(fileLike))
    call.by.harm("git-discard", show);
}
