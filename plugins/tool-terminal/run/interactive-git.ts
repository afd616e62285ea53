/** Options before the subcommand that take an argument. */
const WORDED = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"]);
const CARRY_ON = "Put `GIT_EDITOR=true` before it to keep the message.";

/** A non-interactive alternative to these arguments of `git`; `undefined` if they need no editor or prompt. */
export function interactiveGit(words: readonly string[]): string | undefined {
  let at = 0;
  for (; at < words.length && words[at]!.startsWith("-"); at += 1) {
    if (WORDED.has(words[at]!)) at += 1;
    if (words[at]?.startsWith("core.editor=") === true) return undefined;
  }
  const [action = "", ...rest] = words.slice(at);
  const has = (...flags: readonly string[]): boolean =>
    rest.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)));
  const short = (letters: string): boolean =>
    rest.some((word) => /^-[a-zA-Z]+\d*$/.test(word) && [...letters].some((letter) => word.includes(letter)));
  const worded =
    has("--message", "--file", "--no-edit", "--reuse-message", "--fixup", "--dry-run", "-C") || short("mFC");
  switch (action) {
    case "rebase":
      if (short("i") || has("--interactive", "--edit-todo"))
        return "Set GIT_SEQUENCE_EDITOR to a program that edits the list, or rebase without -i.";
      return has("--continue") ? CARRY_ON : undefined;
    case "cherry-pick":
    case "revert":
    case "merge":
      return has("--continue") ? CARRY_ON : undefined;
    case "add":
    case "checkout":
    case "reset":
    case "restore":
    case "stash":
      return (short("p") && !(action === "stash" && rest[0] === "show")) ||
        has("--patch") ||
        (action === "add" && (short("i") || has("--interactive")))
        ? "List the files, or use `git apply --cached`."
        : undefined;
    case "clean":
      return short("i") || has("--interactive") ? "Use `git clean -n` to list, `git clean -f` to remove." : undefined;
    case "commit":
      return worded ? undefined : "Pass the message: `git commit -m`.";
    case "tag":
      return (short("as") || has("--annotate", "--sign")) && !worded
        ? "Pass the message: `git tag -a NAME -m`."
        : undefined;
    case "config":
      return short("e") || has("--edit") || rest[0] === "edit" ? "Use `git config NAME VALUE`." : undefined;
    default:
      return undefined;
  }
}
