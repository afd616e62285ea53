import { type CodeRoute, unknownHostsOf } from "./code-routes.ts";

/** Code that replaces a trusted program, holds data for ransom, or gives any client access. */
export function codeTraps(text: string): readonly CodeRoute[] {
  const found: CodeRoute[] = [];
  const unknownHost = unknownHostsOf(text)[0];
  const to = unknownHost === undefined ? "" : `, and sends data to ${unknownHost}`;
  const placed = PLACES_PROGRAM.exec(text) ?? NAMES_OVER.exec(text);
  if (placed !== null) {
    const grave = unknownHost !== undefined || LISTENS.test(text);
    found.push({
      severity: grave ? "critical" : "high",
      category: "privilege_escalation",
      reason: `It replaces ${placed[1]} with its own program${to}.`,
    });
  }
  if (LOCKS.test(text) && UNLINKS.test(text) && WIDE.test(text))
    found.push({
      severity: unknownHost === undefined ? "high" : "critical",
      category: "destructive",
      reason: `It encrypts the user's files and removes the originals${to}.`,
    });
  const all = ALL_SECRETS.exec(text);
  if (all !== null)
    found.push({
      severity: "critical",
      category: "exfiltration",
      reason: `It reads all secrets of a build at once (${all[0]})${to}.`,
    });
  if (FORKS.test(text) && HEAD.test(text))
    found.push({
      severity: "high",
      category: "privilege_escalation",
      reason: "It lets a build with secrets run code from any pull request.",
    });
  if (CLIPBOARD.test(text) && PAYS_TO.test(text))
    found.push({
      severity: "critical",
      category: "fraud",
      reason: "It replaces copied text with a payment address.",
    });
  if (HOST_MOUNT.test(text))
    found.push({
      severity: "high",
      category: "privilege_escalation",
      reason: `It gives a container access to the whole machine${unknownHost === undefined ? "" : `, and connects to ${unknownHost}`}.`,
    });
  if (WHOLE_CLUSTER.test(text))
    found.push({
      severity: "critical",
      category: "privilege_escalation",
      reason: `It gives any client full access to a cluster${to}.`,
    });
  if (unknownHost !== undefined && INSECURE_SOURCE.test(text))
    found.push({
      severity: "critical",
      category: "supply_chain",
      reason: `It installs unverified packages from ${unknownHost}.`,
    });
  if (
    TIMED.test(text) &&
    /\brm\s+-\w*r|rmSync\(|rmtree\(|FileUtils\.rm/.test(text) &&
    /homedir\(\)|~\/|\$HOME|expanduser|Path\.home/.test(text)
  )
    found.push({
      severity: "critical",
      category: "destructive",
      reason: "It deletes the user's files on a certain date.",
    });
  if (/\bled\d?_mode\s*=\s*0|uvcdynctrl[^\n]*LED[^\n]*\b0\b/i.test(text))
    found.push({ severity: "critical", category: "exfiltration", reason: "It keeps the camera's light off." });
  const asked = ASKS_FOR.exec(text);
  if (asked !== null && unknownHost !== undefined && SENDS.test(text))
    found.push({
      severity: "critical",
      category: "fraud",
      reason: `It asks users to enter credentials${to}.`,
    });
  const guards = GUARDS_OFF.filter((pattern) => pattern.test(text));
  if (guards.length > 1)
    found.push({
      severity: "critical",
      category: "persistence",
      reason: "It switches several of the agent's guards off.",
    });
  return found;
}

const TRUSTED =
  "sudo|su|doas|pkexec|ssh|scp|ssh-add|ssh-agent|ssh-askpass|gpg|gpg2|pinentry|pass|op|passwd|login|git|curl|wget|ls|cat|ps|top|bash|sh|zsh|env|security|keychain|hermes|claude|codex|docker|kubectl|aws|gcloud|vault|npm|pip|pip3|python|python3|node";
/** Written by hand as a text; programs that are downloaded or linked to have their makers' name. */
const PLACES_PROGRAM = new RegExp(
  String.raw`(?:>\s*|\btee\s+(?:-\S+\s+)*|open\(\s*(?:os\.path\.expanduser\(\s*)?|writeFileSync\(\s*)["']?[^\s"'|;&]*(?:\/bin|\/sbin|\/shims|\/\.bin)\/(${TRUSTED})["']?(?=[\s;&|,)<]|$)`,
  "m",
);
/** A name that a shell looks up before it looks for the program. */
const NAMES_OVER =
  /(?:\balias\s+|^\s*(?:function\s+)?)(sudo|su|doas|ssh|gpg|passwd|git)(?:\s*\(\)\s*\{|=)[^\n]*(?:\n[^\n]*){0,4}?(?:\bcurl\b|\bwget\b|\bnc\b|\/dev\/tcp|\bread\s+-\w*s|stty\s+-echo|>>\s*["']?(?:\/tmp|~\/\.|\$HOME\/\.))/m;
const LISTENS = /\bread\s+-\w*s\w*\s|stty\s+-echo|getpass\b|\b(?:curl|wget|nc|ncat|socat)\b|\/dev\/tcp/;

const LOCKS =
  /\bopenssl\s+(?:enc|aes-?\d+\S*|smime|cms)\b|\bgpg\b[^\n]*\s(?:-c|--symmetric|-e|--encrypt)\b|\bage\s+(?:-\S+\s+)*-[pr]\b|\bzip\b[^\n]*\s-(?:\w*[eP]\w*|-password)\b|\b7z\s+a\b[^\n]*\s-p|\bccrypt\b|\bfscrypt\b|Fernet\(|AES\.new\(|createCipheriv\(|ChaCha20/;
const UNLINKS = /\brm\s|\bshred\s|\bunlink\b|os\.remove\(|\.unlink\(|unlinkSync\(|rmSync\(|-delete\b|\bmv\s/;
const WIDE =
  /\bfind\s+(?:~|\/|"?\$HOME|\$\{HOME\}|\.)[\s/"]|(?:~|\$HOME|\$\{HOME\}|\/home|\/Users)\/?(?:\*|Documents|Desktop|Pictures)|os\.walk\(|rglob\(|Path\.home\(\)|homedir\(\)|expanduser\(["']~["']\)/;

const ALL_SECRETS =
  /toJSON\(\s*secrets\s*\)|\$\{\{\s*secrets\s*\}\}|\bsecrets:\s*inherit\b(?=[\s\S]{0,200}uses:\s*(?!\.\/))/i;
const FORKS = /\bpull_request_target\b|\bworkflow_run\b/;
const HEAD = /github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref/;

const CLIPBOARD =
  /pyperclip\.copy|\bpbcopy\b|xclip\b[^\n]*-i|wl-copy|clipboard\.(?:write|set)|Set-Clipboard|clipboard_append/;
const PAYS_TO =
  /\b(?:bc1[0-9a-z]{20,60}|0x[0-9a-fA-F]{40}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|T[1-9A-HJ-NP-Za-km-z]{33}|4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}|[A-Z]{2}\d{2}(?: ?\d{4}){3,7})\b|bc1\[|0x\[/;
const HOST_MOUNT = /^\s*-\s*["']?\/:\/\w*|hostPath:\s*\{?\s*\n?\s*path:\s*["']?\/["']?\s*(?:[,}\n]|$)/m;

const WHOLE_CLUSTER =
  /\bcluster-admin\b[\s\S]{0,400}\bsystem:(?:un)?(?:authenticated|anonymous)\b|\bsystem:(?:un)?(?:authenticated|anonymous)\b[\s\S]{0,400}\bcluster-admin\b/;

const INSECURE_SOURCE =
  /\ballowInsecureProtocol\s*=\s*true|\btrusted-host\b|\[\s*[^\]\n]*trusted=yes|\bgpgcheck\s*=\s*0|--nogpgcheck|--allow-unauthenticated|\bstrict-ssl\s*=\s*false|GONOSUMDB|GONOSUMCHECK|GOFLAGS=-insecure/;
/** A day is waited for; the age of a file is not. */
const TIMED =
  /new Date\([^)\n]{0,40}\)[^\n]{0,80}\bget(?:FullYear|Month|Date)\(\)\s*[=><]|\bget(?:FullYear|Month|Date|Day)\(\)\s*[=><]{1,3}\s*\d|Date\.now\(\)\s*>\s*(?:Date|new|\d)|(?:date|datetime)\.(?:today|now)\(\)\s*(?:>|>=|==)\s*(?:date|datetime)|\$\(date \+[^)]*\)["']?\s*(?:-g[te]|-eq|>|=)/;

const ASKS_FOR =
  /\b(?:read\s+-\w*s\w*\s|getpass\.getpass\(|stty\s+-echo)|\$\{?(?:\w*_)?(?:SEED|MNEMONIC|WORDS|PIN|OTP|CVV|CVC|IBAN|SSN|PASSPHRASE|PASSWORD|PASSWD|PASSCODE|MASTER\w*)\b/;
const SENDS =
  /\bcurl\b[^\n]*\s(?:-[a-zA-Z]*[dFT]|--data\S*|--form)|\bwget\b[^\n]*--post|requests\.post|urlopen\(|fetch\(/;

const GUARDS_OFF = [
  /\bapprovals?[._]mode\b["']?[\s:=]+["']?(?:off|none|never|bypass)|HERMES_YOLO_MODE\s*=\s*["']?(?:1|true)|"defaultMode"\s*:\s*"bypass/,
  /\bsandbox[._]mode\b["']?[\s:=]+["']?(?:off|none|danger\S*)|dangerouslyDisableSandbox/,
  /\bcommand_allowlist\b[^\n]{0,20}["'[ ]\*|"allow"\s*:\s*\[[^\]]*(?:"\*"|Bash\(\*?:?\*?\))|\bcron_mode\b["']?[\s:=]+["']?(?:approve|allow|off)/,
  /\bapproval_policy\s*=\s*["']never|--dangerously-skip-permissions|--yolo\b/,
];
