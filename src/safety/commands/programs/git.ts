import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, hasMark, STAR, UNKNOWN } from "../parse/marks.ts";
import type { Options } from "../parse/options.ts";
import { gh } from "./forges.ts";
import { configured, judgeConfig } from "./git-config.ts";
import { gitOptions } from "./git-options.ts";
import { NETWORK, programs, strangeProgram } from "./git-programs.ts";

const READS = new Set(
  `status log diff show shortlog describe blame annotate rev-parse rev-list ls-files ls-tree cat-file name-rev grep
    whatchanged merge-base for-each-ref show-ref count-objects var version help diff-tree diff-index diff-files
    range-diff cherry check-ignore check-attr check-ref-format show-branch verify-commit verify-tag fsck
    get-tar-commit-id stripspace column`.split(/\s+/),
);
const WORK_TREE = new Set(
  "apply am checkout switch restore reset pull merge rebase cherry-pick revert stash clone init clean rm mv".split(" "),
);

export const git: Program = (call) => {
  let args = call.args;
  let state = call.state;
  for (;;) {
    const arg = args[0];
    if (arg === undefined || !arg.startsWith("-")) break;
    if (
      arg === "-C" ||
      arg === "-c" ||
      ["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--exec-path"].includes(arg)
    ) {
      if (arg === "-C") state = { ...state, cwds: call.by.paths(args[1] ?? ".", state) };
      if (arg === "-c" || arg === "--config-env") configured(args[1] ?? "", call);
      if (arg === "--exec-path" && args[1] !== undefined && !/^[a-z-]+$/.test(args[1]))
        call.by.harm("option-runs", `git --exec-path ${args[1]}`);
      args = args.slice(arg === "--exec-path" ? 1 : 2);
      continue;
    }
    if (arg.startsWith("--exec-path=")) call.by.harm("option-runs", `git ${arg}`);
    else if (arg.startsWith("--config-env=")) configured(arg.slice(13), call);
    else if (/^-c./.test(arg)) configured(arg.slice(2), call);
    else if (/^-C./.test(arg)) state = { ...state, cwds: call.by.paths(arg.slice(2), state) };
    args = args.slice(1);
  }
  const [verb, ...rest] = args;
  if (verb === undefined) return UNSEEN;
  if (hasMark(verb)) {
    call.by.harm("computed-command", `git ${verb}: the command is computed`);
    return UNSEEN;
  }
  return judge(verb, { ...call, args: rest, state });
};

function judge(verb: string, call: Call): Flow {
  const show = `git ${verb} ${call.args.join(" ")}`.trim();
  const options = gitOptions(verb, call.args);
  if (options.has("help") || call.args[0] === "-h") return UNSEEN;
  programs(verb, options, call);
  const words = options.operands;
  if (!READS.has(verb) && WORK_TREE.has(verb))
    for (const cwd of call.state.cwds)
      if (cwd !== undefined && /^(\/private)?\/(etc|boot|usr\/lib)(\/|$)/.test(cwd))
        call.by.harm("system-config", `${show} in ${cwd}`);
  const harm = (id: Parameters<Call["by"]["harm"]>[0]): void => call.by.harm(id, show);
  if (READS.has(verb)) {
    const output = options.value("output");
    if (verb === "grep" && options.has("no-index"))
      for (const word of words.slice(options.has("e", "f") ? 0 : 1)) call.by.read(word, call, { shown: true });
    if (/^(show|cat-file|blame|annotate|diff)$/.test(verb) || options.has("p", "patch"))
      for (const word of call.args) {
        const file = word.replace(/^[^:]*:(?=[^:])/, "");
        if (!word.startsWith("-") && (file !== word || /[./]/.test(word))) call.by.read(file, call, { shown: true });
      }
    if (output !== undefined) call.by.write(output, call);
    else call.by.add({ kind: "read", path: "", shown: false });
    return verb === "rev-parse" ? literal(UNKNOWN) : UNSEEN;
  }
  const outputs =
    verb === "archive" || verb === "format-patch"
      ? options.values("o", "output", "output-directory")
      : verb === "bundle" && words[0] === "create"
        ? words.slice(1, 2)
        : [];
  for (const output of outputs) call.by.write(verb === "format-patch" ? `${output}/0001.patch` : output, call);
  if (verb === "clone") {
    const place =
      words[1] ??
      (words[0] ?? "")
        .replace(/\/+$/, "")
        .replace(/\.git$/, "")
        .replace(/^.*[/:]/, "");
    if (words[1] !== undefined) call.by.write(words[1], call);
    if (place !== "" && /:\/\/|^[^/]+:/.test(words[0] ?? ""))
      for (const path of call.by.paths(place, call.state)) call.state.fetched.add(path);
  }
  if (NETWORK.has(verb))
    call.by.network(words[verb === "clone" || verb === "ls-remote" ? 0 : 0] ?? "the remote", verb === "push");
  switch (verb) {
    case "fetch":
      // `+main:main` puts another place's commits over a branch that is here; a branch of the other place may be.
      if (
        words
          .slice(1)
          .some(
            (word) =>
              /^\+[^:]+:(refs\/heads\/)?(?!refs\/)[^:]+$/.test(word) ||
              (options.has("f", "force") && /^[^:]+:(refs\/heads\/)?(?!refs\/)[^:]+$/.test(word)),
          )
      )
        harm("git-branch");
      break;
    case "reset":
      if (options.has("hard") || options.has("merge")) harm("git-reset");
      break;
    case "checkout":
      judgeCheckout(options, call, show);
      break;
    case "switch":
      if (options.has("discard-changes", "f", "force")) harm("git-discard");
      // A branch of that name is moved, and what only it led to is lost.
      if (options.has("C", "force-create")) harm("git-branch");
      break;
    case "restore":
      if (!options.has("staged", "S") || options.has("worktree", "W")) harm("git-discard");
      break;
    case "read-tree":
      if (options.has("reset") && options.has("u")) harm("git-discard");
      break;
    case "add":
      // Against the rules that keep it out of the repository.
      if (options.has("f", "force")) for (const word of words) call.by.read(word, call);
      break;
    case "checkout-index":
      if (options.has("f", "force")) harm("git-discard");
      break;
    case "clean":
      if (options.has("f", "force") && !options.has("n", "dry-run")) harm("git-clean");
      else if (!options.has("n", "dry-run", "i", "interactive") && call.args.some(hasMark)) harm("git-clean");
      break;
    case "push":
      if (options.has("dry-run", "n")) break;
      if (
        options.has("f", "force", "force-with-lease", "mirror", "force-if-includes") ||
        words.slice(1).some((word) => word.startsWith("+"))
      )
        harm("git-push");
      if (options.has("d", "delete", "prune") || words.slice(1).some((word) => word.startsWith(":") && word.length > 1))
        harm("git-remote-delete");
      break;
    case "branch":
      if (options.has("D") || (options.has("d", "delete") && options.has("f", "force"))) harm("git-branch");
      else if (options.has("f", "force") && words.length > 0) harm("git-branch");
      // `-M main` renames where one stands; with two names a branch that has the second one is lost.
      else if (options.has("M", "C") && words.length > 1) harm("git-branch");
      else if (
        words.length === 0 ||
        options.has("list", "l", "a", "r", "v", "show-current", "contains", "merged", "no-merged", "all", "remotes")
      )
        return reads(call);
      break;
    case "tag":
      if (options.has("f", "force")) harm("git-branch");
      if (words.length === 0 || options.has("l", "list", "n")) return reads(call);
      break;
    case "fast-import":
      if (options.has("force")) harm("git-history");
      break;
    case "stash":
      if (words[0] === "drop" || words[0] === "clear") harm("git-stash");
      else if (words[0] === "list" || words[0] === "show") return reads(call);
      break;
    case "reflog":
      if (words[0] === "expire" || words[0] === "delete") harm("git-history");
      else return reads(call);
      break;
    case "gc":
      if (call.args.some((arg) => arg.startsWith("--prune"))) harm("git-history");
      break;
    case "prune":
    case "filter-branch":
    case "filter-repo":
      if (!options.has("n", "dry-run")) harm("git-history");
      filters(call);
      break;
    case "update-ref":
      if (options.has("d", "stdin") || words.some((word) => word.startsWith("refs/heads/"))) harm("git-history");
      break;
    case "worktree":
      if (words[0] === "remove" && options.has("f", "force")) harm("git-discard");
      else if (words[0] === "add" && options.has("B")) harm("git-branch");
      else if (words[0] === "list") return reads(call);
      break;
    case "rm":
      if (options.has("r") && options.has("f", "force") && !options.has("cached"))
        for (const word of words) call.by.remove(word, call, { recursive: true, by: "git rm -rf" });
      break;
    case "remote":
      if (words.length === 0 || words[0] === "show" || words[0] === "get-url") return reads(call);
      break;
    case "config":
      judgeConfig(call);
      break;
    case "bisect":
      if (words[0] === "run") strangeProgram(show, call.args.slice(call.args.indexOf("run") + 1).join(" "), call);
      if (words[0] === "run") return call.by.run(call.args.slice(call.args.indexOf("run") + 1), call);
      break;
    case "submodule":
      if (words[0] === "foreach") {
        const code = call.args
          .slice(call.args.indexOf("foreach") + 1)
          .filter((arg, i) => !(i === 0 && arg === "--recursive"));
        strangeProgram(show, code.join(" "), call);
        return call.by.script(code.join(" "), call);
      }
      if (/^(deinit|update|checkout)$/.test(words[0] ?? "") && options.has("f", "force")) harm("git-discard");
      break;
    case "maintenance":
      if (words[0] === "start") harm("schedule");
      break;
    case "credential":
    case "credential-store":
    case "credential-cache":
    case "credential-osxkeychain":
      if (words[0] === "fill" || words[0] === "get") call.by.harm("secret-read", show);
      break;
    case "daemon":
    case "instaweb":
    case "upload-pack":
      call.by.harm("option-runs", show);
      break;
  }
  call.by.add({ kind: "execute", program: "git", words: ["git", verb, ...call.args.slice(0, 6)] });
  return UNSEEN;
}

function reads(call: Call): Flow {
  call.by.add({ kind: "read", path: "", shown: false });
  return UNSEEN;
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

function filters(call: Call): void {
  for (const name of ["tree-filter", "index-filter", "env-filter", "msg-filter", "commit-filter", "tag-name-filter"]) {
    const at = call.args.indexOf(`--${name}`);
    if (at >= 0) call.by.script(call.args[at + 1] ?? "", call);
  }
}

export const GIT: Readonly<Record<string, Program>> = {
  git,
  hub: (call) => (call.args[0] === "delete" ? gh(call) : git(call)),
  gh,
  glab: gh,
  "git-lfs": () => NOTHING,
};
