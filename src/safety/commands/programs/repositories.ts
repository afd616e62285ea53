import type { Program } from "../evaluate/call.ts";
import { together, when } from "./by-words.ts";

/** Other version control systems: subcommands that lose work or rewrite shared history. */
export const REPOSITORIES: Readonly<Record<string, Program>> = {
  ...together(
    "hg sl chg",
    when(/(--config|--config=)\s?\S*(alias|hooks?|pager|editor|extensions|ui\.ssh)\S*=/, "option-runs"),
    when(/--(ssh|remotecmd|tool|program)[= ]/, "option-runs"),
    when(
      /^(strip|purge|clean|rollback|revert|histedit|prune|hide|obsolete|debugstrip|censor)\b|^(update|up|checkout|co|goto|merge)\b.*\s(-C|--clean)\b|^push\b.*\s(-f|--force)\b/,
      "git-discard",
    ),
  ),
  ...together(
    "svn",
    when(/--(diff-cmd|diff3-cmd|editor-cmd|merge-tool|config-option \S*(tunnels|helpers))/, "option-runs"),
    when(
      /^revert\b|^cleanup\b.*--(remove|vacuum)|^(delete|del|rm|remove)\b.*(:\/\/|--force)|^(switch|update|up)\b.*--force/,
      "git-discard",
    ),
    when(/^propset\b.*--revprop|^relocate/, "git-history"),
  ),
  ...together("svnadmin", when(/^(rmlocks|rmtxns|load|setrevprop|hotcopy.*--clean)/, "git-history")),
  ...together(
    "jj",
    when(
      /^(abandon|restore|squash.*--from|op(eration)? (abandon|restore)|util gc)\b|^git push\b.*--(deleted|delete)/,
      "git-discard",
    ),
  ),
  ...together("bzr brz", when(/^(revert|uncommit|clean-tree|push --overwrite|remove-tree)/, "git-discard")),
  ...together(
    "p4",
    when(/\b(revert|obliterate|clean|reconcile -f|delete -f|sync -f|client -d|depot -d)\b/, "git-discard"),
  ),
  ...together("fossil", when(/^(revert|clean|undo|purge|scrub|close --force|update --force)\b/, "git-discard")),
  ...together(
    "darcs pijul got cvs",
    when(/^(revert|obliterate|unpull|unrecord|rebase suspend|reset|update -C|admin -o|unrecord)\b/, "git-discard"),
  ),
  ...together(
    "gt git-branchless git-town git-machete stg",
    when(/^(delete|hide|prune|abandon|hack --force|undo)\b|\s(-f|--force)\b/, "git-discard"),
  ),
  ...together("bfg git-filter-repo git-filter-branch git-obliterate git-reset-file", when(/./, "git-history")),
  ...together(
    "git-delete-branch git-delete-tag git-clear git-clear-soft git-reset git-nuke git-sweep git-trim",
    when(/^(?!.*(--dry-run|preview))/, "git-branch"),
  ),
  ...together("repo-remove tea berg forgejo-cli az-repos", when(/\b(delete|remove|rm)\b/, "infrastructure")),
  ...together("dvc", when(/^(gc|destroy|remove)\b|^checkout\b.*(-f|--force)/, "git-discard")),
  ...together("lakectl", when(/\b(delete|rm|revert|reset)\b/, "infrastructure")),
};
