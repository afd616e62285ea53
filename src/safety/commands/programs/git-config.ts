import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { hasMark, isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { judgeAddress, namesTransport } from "./git-address.ts";

/** Keys whose value git runs, or that make it run something. Their names are compared in lower case. */
const RUNS =
  /^(core\.(fsmonitor|sshcommand|editor|pager|hookspath|gitproxy|askpass|alternaterefscommand|attributesfile|worktree|virtualfilesystem)|sequence\.editor|diff\.external|diff\..+\.(command|textconv)|difftool\..*|mergetool\..*|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential\.(.+\.)?helper|alias\..+|gpg\.(.+\.)?(program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..+\.(uploadpack|receivepack|vcs|proxy)|url\..+\.(insteadof|pushinsteadof)|protocol\.(.+\.)?allow|include\.path|includeif\..+\.path|init\.templatedir|pager\..+|browser\..+|web\.browser|help\.browser|man\..+\.(cmd|path)|instaweb\..+|sendemail\.(.+\.)?(smtpserver|tocmd|cccmd|headercmd|sendmailcmd)|submodule\..+\.update|interactive\.difffilter|trailer\..+\.(command|cmd)|tar\..+\.command|receive\.procreceiverefs|safe\.directory|http\.(.+\.)?(proxy|sslverify|sslcainfo|curloptresolve|cookiefile)|lfs\..*(command|path|customtransfer|url|standalonetransferagent).*|bisect\..+|column\..+cmd|guitool\..+|hook\..+|imap\.tunnel|ssh\.variant|maintenance\..+\.command|fsck\.skiplist|transfer\..*hook)$/;
/** Keys whose value is the address of another repository. */
const ADDRESS =
  /^(remote\..+\.(url|pushurl)|submodule\..+\.url|branch\..+\.(push)?remote|remote\.pushdefault|lfs\.(push)?url)$/;
/** How long git keeps commits that no branch leads to. */
const EXPIRES = /^gc\.(.+\.)?(pruneexpire|reflogexpire|reflogexpireunreachable|worktreepruneexpire)$/;
/** Keys whose value is a file of settings. */
const INCLUDES = /^include(if\..+)?\.path$/;
/** Keys whose value is a folder, a file, an address or a switch: it asks, but is no command. */
const NO_COMMAND =
  /^(safe\.directory|http\..*|protocol\..*|url\..*|core\.(hookspath|attributesfile|worktree)|init\.templatedir)$/;
const HARMLESS_VALUES = new Set(
  `vi vim nvim nano emacs less more cat true false : code delta ssh bat input manager osxkeychain manager-core
    libsecret cache meld vimdiff nvimdiff never user https http /dev/null`.split(/\s+/),
);
const USUAL_VIEWER = /^(less|cat|vim?|nvim|nano|code|delta)( -[\w-]+)*$/;

/** `key=value`, as `git -c` and `git clone --config` take it. */
export function configured(text: string, call: Call): void {
  const equals = text.indexOf("=");
  configure(equals === -1 ? text : text.slice(0, equals), equals === -1 ? "true" : text.slice(equals + 1), call, true);
}

/** `key=VARIABLE`, as `git --config-env` takes it. */
export function configuredFrom(text: string, call: Call): void {
  const equals = text.lastIndexOf("=");
  const value = call.state.variables.get(text.slice(equals + 1));
  const key = text.slice(0, equals);
  if (typeof value === "string") configure(key, value, call, true);
  else if (RUNS.test(key.toLowerCase()) || ADDRESS.test(key.toLowerCase()))
    call.by.harm("git-config-runs", `git configuration ${key} from a variable`);
}

/**
 * One setting. A program is judged as if it ran; an address is judged as git would connect to it.
 * @param connects Whether the setting is for this call, and not only written down.
 */
export function configure(rawKey: string, value: string, call: Call, connects = false): void {
  const key = rawKey.toLowerCase();
  const ask = (): void => call.by.harm("git-config-runs", `git configuration ${key}=${value}`);
  if (hasMark(key)) return ask();
  if (EXPIRES.test(key) && /^(now|all|0|\d+\.(seconds?|minutes?|hours?)(\.ago)?)$/i.test(value))
    return call.by.harm("git-history", `git configuration ${key}=${value}`);
  if (ADDRESS.test(key)) return judgeAddress(value, call, { connects });
  const base = /^url\.(.+)\.(?:push)?insteadof$/i.exec(rawKey)?.[1];
  if (base !== undefined && namesTransport(base)) judgeAddress(base, call, { connects: false });
  if (/^protocol\.(?:ext\.)?allow$/.test(key) && /^(?:always|user)$/i.test(value)) return ask();
  if (!RUNS.test(key) || isQuiet(key, value)) return;
  ask();
  if (INCLUDES.test(key)) return judgeFile(value, call);
  if (!isKnown(value) || NO_COMMAND.test(key)) return;
  // An alias without `!` is a command line of git.
  const text = key.startsWith("alias.") && !value.startsWith("!") ? `git ${value}` : value.replace(/^!/, "");
  call.by.script(text, call, { stdin: UNSEEN });
}

function isQuiet(key: string, value: string): boolean {
  if (/^http\.(.+\.)?sslverify$/.test(key)) return value !== "false";
  if (HARMLESS_VALUES.has(value) || value === "") return true;
  if (key.startsWith("alias.") && !value.startsWith("!")) return !/(?:^|\s)-c|config|!|::/.test(value);
  if (/^protocol\.(.+\.)?allow$/.test(key)) return /^(?:always|never|user)$/.test(value);
  return /^(core\.pager|core\.editor|pager\.|sequence\.editor|web\.browser)/.test(key) && USUAL_VIEWER.test(value);
}

/** A file of settings that this very script has written. */
export function judgeFile(file: string, call: Call): void {
  const text = call.by.written(file, call)?.text;
  if (text !== undefined) judgeSettings(text, call);
}

/** The text of a configuration file: sections in brackets, settings below them. */
export function judgeSettings(text: string, call: Call): void {
  let section = "";
  for (const line of text.split("\n").slice(0, 200)) {
    const [, name, part] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (name !== undefined) section = part === undefined ? name : `${name}.${part.replace(/\\(.)/g, "$1")}`;
    const [, key, value] = /^(?:\s*\[[^\]]*\])?\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) configure(`${section}.${key}`, value!.replace(/^"(.*)"$/, "$1").replace(/\\"/g, '"'), call);
  }
}

/** `GIT_CONFIG_PARAMETERS`: `'key'='value'` or `'key=value'`, several with blanks between. */
export function configuredByParameters(text: string, call: Call): void {
  for (const [, first, second] of text.matchAll(/'((?:[^']|'\\'')*)'(?:='((?:[^']|'\\'')*)')?/g))
    configured(second === undefined ? first! : `${first}=${second}`, call);
}

/** `git config …`. */
export function judgeConfig(call: Call): void {
  const options = parseOptions(call.args, {
    short: "f",
    long: ["file", "blob", "type", "default", "comment", "value"],
  });
  const words = options.operands;
  const verb = words[0] ?? "";
  const reads =
    options.has("get", "get-all", "l", "list", "get-regexp", "get-urlmatch", "show-origin") ||
    ["get", "list"].includes(verb) ||
    (words.length === 1 && !options.has("e", "edit", "unset"));
  // Any file with lines of `key = value` is printed.
  if (reads) for (const file of options.values("f", "file")) call.by.read(file, call, { shown: true });
  if (reads) {
    const key = words.at(-1) ?? "";
    if (/token|password|extraheader/i.test(key)) call.by.harm("secret-read", `git config ${key}`);
    return;
  }
  const [key, value] = verb === "set" ? words.slice(1) : words;
  if (key !== undefined && value !== undefined) configure(key, value, call);
  if (options.has("e", "edit")) call.by.harm("git-config-runs", "git config --edit");
}
