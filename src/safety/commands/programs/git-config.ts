import type { Call } from "../evaluate/call.ts";
import { hasMark } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";

/** Configuration whose value git runs, or that sends it elsewhere. */
const RUNS =
  /^(core\.(fsmonitor|sshcommand|editor|pager|hookspath|gitproxy|askpass|alternaterefscommand|attributesfile|worktree)|sequence\.editor|diff\.external|diff\..+\.(command|textconv)|difftool\..*|mergetool\..*|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential\.(.+\.)?helper|alias\..+|gpg\.(.+\.)?(program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..+\.(uploadpack|receivepack|vcs|proxy)|url\..+\.(insteadof|pushinsteadof)|protocol\.(.+\.)?allow|include\.path|includeif\..+\.path|init\.templatedir|pager\..+|browser\..+|web\.browser|man\..+\.cmd|instaweb\..+|sendemail\.(smtpserver|tocmd|cccmd|headercmd|sendmailcmd)|submodule\..+\.update|interactive\.difffilter|trailer\..+\.(command|cmd)|tar\..+\.command|receive\.procreceiverefs|safe\.directory|http\.(.+\.)?(proxy|sslverify|sslcainfo)|lfs\..*(command|path|customtransfer).*|bisect\..+|column\..+cmd|guitool\..+|hook\..+)$/;
/** How long git keeps what no branch leads to. */
const EXPIRES = /^gc\.(.+\.)?(pruneexpire|reflogexpire|reflogexpireunreachable|worktreepruneexpire)$/;
const HARMLESS_VALUES = new Set(
  `vi vim nvim nano emacs less more cat true false : code delta ssh bat input manager osxkeychain manager-core
    libsecret cache meld vimdiff nvimdiff true always never user https http always`.split(/\s+/),
);

/** `key=value`, as `git -c` and `clone --config` take it. */
export function configured(text: string, call: Call): void {
  const equals = text.indexOf("=");
  const key = (equals === -1 ? text : text.slice(0, equals)).toLowerCase();
  configure(key, equals === -1 ? "true" : text.slice(equals + 1), call);
}

/** A key whose value is a command: harmless programs by name, anything else asks. */
function configure(key: string, value: string, call: Call): boolean {
  if (hasMark(key)) {
    call.by.harm("git-config-runs", `git configuration ${key}=${value}`);
    return true;
  }
  if (EXPIRES.test(key) && /^(now|all|0|\d+\.(seconds?|minutes?|hours?)(\.ago)?)$/i.test(value)) {
    call.by.harm("git-history", `git configuration ${key}=${value}`);
    return true;
  }
  if (!RUNS.test(key)) return false;
  if (HARMLESS_VALUES.has(value) || (key.startsWith("alias.") && !value.startsWith("!")) || value === "") return false;
  if (
    /^(core\.pager|core\.editor|pager\.|sequence\.editor|web\.browser)/.test(key) &&
    /^(less|cat|vim?|nvim|nano|code|delta)( -[\w-]+)*$/.test(value)
  )
    return false;
  call.by.harm("git-config-runs", `git configuration ${key}=${value}`);
  if (!hasMark(value)) call.by.script(value.replace(/^!/, ""), call);
  return true;
}

/** `git config …`. */
export function judgeConfig(call: Call): void {
  const options = parseOptions(call.args, {
    short: "f",
    long: ["file", "blob", "type", "default", "comment", "value"],
  });
  const words = options.operands;
  const verb = words[0] ?? "";
  if (
    options.has("get", "get-all", "l", "list", "get-regexp", "get-urlmatch", "show-origin") ||
    ["get", "list"].includes(verb) ||
    (words.length === 1 && !options.has("e", "edit", "unset"))
  ) {
    const key = words.at(-1) ?? "";
    if (/token|password|extraheader/i.test(key)) call.by.harm("secret-read", `git config ${key}`);
    return;
  }
  const [key, value] = verb === "set" ? words.slice(1) : words;
  if (key !== undefined && value !== undefined) configure(key.toLowerCase(), value, call);
  if (options.has("e", "edit")) call.by.harm("git-config-runs", "git config --edit");
}
