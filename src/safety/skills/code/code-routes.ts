import { isUnknownHost } from "../vocabulary/outside-words.ts";
import type { Severity, SkillThreat } from "../skill-finding.ts";

export interface CodeRoute {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly reason: string;
}

/** Findings that need the whole piece of code: data that leaves, stays or is redirected. No single command shows it. */
export function codeRoutes(text: string): readonly CodeRoute[] {
  const found: CodeRoute[] = [];
  const unknownHost = unknownHostsOf(text)[0];
  if (unknownHost !== undefined) {
    const packed = PACKS.exec(text);
    if (packed !== null && sendsToUnknownHost(text))
      found.push({
        severity: "critical",
        category: "exfiltration",
        reason: `It packs up ${describe(packed[0])} and sends it to ${unknownHost}.`,
      });
    if (GIVES_SOURCES.test(text))
      found.push({
        severity: "high",
        category: "exfiltration",
        reason: `It pushes a repository to ${unknownHost}.`,
      });
    const who = REVEALS_USER.exec(text);
    if (who !== null)
      found.push({
        severity: "high",
        category: "exfiltration",
        reason: `It sends the user's identity or location to ${unknownHost}: ${describe(who[0])}`,
      });
  }
  const planted = plantedText(text);
  const sends = /\b(?:curl|wget|nc|ncat|socat|base64|openssl)\b|\/dev\/tcp\/|https?:\/\/(?!localhost|127\.)/.exec(
    planted,
  );
  if (sends !== null && !/^\s*#/.test(planted))
    found.push({
      severity: "critical",
      category: "persistence",
      reason: `It installs code with network access in a start-up file, a hook or a schedule: ${describe(planted)}`,
    });
  for (const line of text.split("\n")) {
    const route = MODEL_ROUTE.exec(line);
    const host = route === null ? undefined : unknownHostsOf(line)[0];
    if (host !== undefined)
      found.push({
        severity: "critical",
        category: "exfiltration",
        reason: `It routes the agent's model requests, including keys, to ${host}.`,
      });
  }
  return found;
}

/** Whether a piece of code sends more than an address to an unknown host. */
export function sendsToUnknownHost(text: string): boolean {
  return UPLOADS.test(text) && unknownHostsOf(text).length > 0;
}

const PACKS =
  /\bgit\s+(?:bundle\s+create\b[^\n|;&]*--all|archive\b)[^\n|;&]*|\b(?:tar|zip|7z|7za|rar|cpio)\b[^\n|;&]*(?:\s(?:\.|~|\/|\$HOME|"\$HOME"|\/home\S*|\/Users\S*|\$PWD|"\$PWD"|\$\(pwd\))(?=[\s/"']|$)|~\/|\$HOME\/|\*)[^\n|;&]*|\bfind\s+(?:~|\/|\$HOME|\.)[^\n]*-name[^\n|]*|\b(?:cat|gzip|base64|cp)\b[^\n|;&]*(?:_history|\.env\b(?!\.)|\*\.(?:pem|key|env)|\/\.ssh|\/\.aws|\/\.gnupg|state\.db|MEMORY\.md)[^\n|;&]*|\b(?:history|pbpaste|xclip|xsel|wl-paste|screencapture|scrot|import -window root|pg_dump|mysqldump|mongodump|sqlite3\s+\S+\s+\.dump)\b[^\n|;&]*|shutil\.make_archive|zipfile\.ZipFile|os\.walk\((?:os\.path\.expanduser|["'](?:\/|~))[^\n)]*|Path\.home\(\)|glob\.glob\([^\n)]*(?:~|\*\*)[^\n)]*/;
const UPLOADS =
  /\bcurl\b[^\n]*\s(?:-[a-zA-Z]*[TFd]|--data\S*|--form|--upload-file|--json|--post\S*)[\s='"@]|\bwget\b[^\n]*--(?:post|body)-file|\bn(?:c|cat)\s+[\w.-]+\s+\d+|\bsocat\b|requests\.(?:post|put)|httpx\.(?:post|put)|urlopen\([^\n]*data|Request\([^\n]*data|fetch\([\s\S]{0,120}?(?:POST|PUT)|axios\.(?:post|put)|\bscp\s|\bsftp\s|\bftp\s|\brclone\s+(?:copy|sync)|\baws\s+s3\s+cp|\bgh\s+gist\s+create|\bmail\s+-s|sendmail|\/dev\/tcp\//;
const GIVES_SOURCES =
  /\bgit\s+(?:-\S+\s+)*(?:push\s+(?:\S+\s+)*(?:https?|ssh|git):\/\/|push\s+--(?:mirror|all)|remote\s+(?:add|set-url)\b[^\n]*https?:[^\n]*\n[\s\S]{0,200}git\s+push)/;
const REVEALS_USER =
  /https?:\/\/[^\s"'`]*(?:\$\(\s*(?:whoami|hostname|id|uname|git config|curl|cat|pwd|ip|ifconfig|env)\b[^)]*\)|\$\{?(?:USER|HOSTNAME|LOGNAME)\}?|\{(?:getpass\.getuser|socket\.gethostname|os\.getlogin|os\.getcwd)[^}]*\})/;

/** Text appended to, or written as, a file that starts automatically: the line, and its here-document. */
function plantedText(text: string): string {
  const lines = text.split("\n");
  const found: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (!PLANTS.test(line)) continue;
    found.push(line);
    const end = /<<-?\s*["'\\]?([A-Za-z_]\w*)/.exec(line)?.[1];
    const stop = end === undefined ? -1 : lines.findIndex((one, i) => i > at && one.trim() === end);
    if (stop !== -1) found.push(...lines.slice(at + 1, stop));
  }
  return found.join("\n");
}

const PLANTS =
  /(?:>>?|\btee\b(?:\s+-a)?)\s*["']?[^\s"'|;&]*(?:\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc|xprofile|xinitrc)\b|config\/fish\/|\.git\/hooks\/|\/hooks\/(?:pre|post|commit|update)|LaunchAgents\/|LaunchDaemons\/|systemd\/(?:user|system)\/|autostart\/|\/etc\/(?:cron|profile|init|rc\.local)|sitecustomize\.py|\.envrc\b)|\|\s*(?:sudo\s+)?crontab\b/;

const MODEL_ROUTE =
  /\b(?:base_url|api_base|api_url|endpoint|OPENAI_(?:BASE_URL|API_BASE)|ANTHROPIC_(?:BASE_URL|API_URL)|OPENROUTER_BASE_URL|HERMES_\w*URL|HTTPS?_PROXY|https?_proxy|ALL_PROXY)\b[^\n]*(?:\.hermes\/|\.claude\/|\.codex\/|\.cursor\/|\.zshrc|\.bashrc|\.profile|\.env\b)|\bhermes\s+config\s+set\s+\S*(?:base_url|api_base|proxy)\b|\bexport\s+(?:OPENAI_(?:BASE_URL|API_BASE)|ANTHROPIC_(?:BASE_URL|API_URL)|HTTPS_PROXY)=/;

/** The unknown hosts in a piece of code. */
export function unknownHostsOf(text: string): readonly string[] {
  const hosts = [
    ...text.matchAll(
      /\b(?:https?|wss?|ftp):\/\/(?:[^\s/@"'`]*@)?(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+)|\b(?:nc|ncat)\s+(?:-\S+\s+)*([\w.-]+\.\w+)\s+\d+|\/dev\/tcp\/([\w.-]+)\/|\b[\w.-]+@([\w-]+(?:\.[\w-]+)+):/gi,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? "");
  return hosts.filter(
    (host) => host !== "" && isUnknownHost(host) && !/^(?:example\.(?:com|org|net)|your|my)/i.test(host),
  );
}

function describe(words: string): string {
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
