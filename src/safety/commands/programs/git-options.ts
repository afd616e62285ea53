import { type Options, parseOptions } from "../parse/options.ts";

/**
 * Which options of a verb of git take a value differs from verb to verb: `-b` of `checkout` does, `-b` of `status` does
 * not.
 */
export function gitOptions(verb: string, args: readonly string[]): Options {
  return parseOptions(args, OF_VERB.get(verb) ?? USUAL);
}

const USUAL = {
  short: "mFCcbBStunXsLGODUoij",
  long: `message file author date format pretty since until grep strategy exec upload-pack receive-pack config template
    branch depth reference onto output open-files-in-pager source pathspec-from-file push-option repo extcmd origin
    word-diff-regex contents ignore-revs-file exclude-from bundle-uri remote max-count skip fixup squash reuse-message trailer cleanup gpg-sign`.split(
    /\s+/,
  ),
};

const NAMES = {
  short: "mFu",
  long: ["message", "file", "set-upstream-to", "format", "sort", "contains", "merged", "no-merged", "points-at"],
};
const BRANCHES = { short: "bBcC", long: ["orphan", "conflict", "create", "force-create"] };
const RETAINED = { short: "ms", long: ["message", "source", "pathspec-from-file"] };

const OF_VERB: ReadonlyMap<string, { readonly short: string; readonly long: readonly string[] }> = new Map([
  ["remote", { short: "tm", long: ["master", "track"] }],
  ["submodule", { short: "b", long: ["branch", "name", "reference", "depth", "jobs", "filter"] }],
  ["push", { short: "o", long: ["push-option", "repo", "exec", "receive-pack"] }],
  ["branch", NAMES],
  ["tag", NAMES],
  ["clean", { short: "e", long: ["exclude"] }],
  ["checkout", BRANCHES],
  ["switch", BRANCHES],
  ["stash", RETAINED],
  ["rm", RETAINED],
  ["restore", RETAINED],
  [
    "send-email",
    {
      short: "",
      long: `to cc bcc from subject to-cmd cc-cmd header-cmd sendmail-cmd smtp-server smtp-server-port smtp-user
        smtp-pass smtp-encryption in-reply-to confirm suppress-cc identity`.split(/\s+/),
    },
  ],
  ["fetch-pack", { short: "", long: ["upload-pack", "exec", "depth"] }],
  ["send-pack", { short: "", long: ["receive-pack", "exec", "remote"] }],
  ["web--browse", { short: "btc", long: ["browser", "tool", "config"] }],
  // The usual long options with other short ones.
  ["rebase", { ...USUAL, short: "xXsC" }],
  ["difftool", { ...USUAL, short: "xt" }],
  ["clone", { ...USUAL, short: "obucj" }],
  ["fetch", { ...USUAL, short: "jo" }],
  ["pull", { ...USUAL, short: "sXjo" }],
  ["ls-remote", { ...USUAL, short: "o" }],
  ["grep", { ...USUAL, short: "efmABCO" }],
  ["init", { ...USUAL, short: "b" }],
  ["commit", { ...USUAL, short: "mFcCt" }],
  ["merge", { ...USUAL, short: "mFsX" }],
  ["add", { ...USUAL, short: "" }],
  ["read-tree", { ...USUAL, short: "" }],
]);
