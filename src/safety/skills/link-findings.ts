import { judgeUrl } from "../urls/judge-url.ts";
import { TEXT_SIGNS } from "./code/code-signs.ts";
import { lineAt, type Severity, type SkillFinding, type SkillThreat } from "./skill-finding.ts";

const ADDRESS = /\b(?:https?|ftp|wss?):\/\/[^\s<>"'`)\]}|\\]{3,500}/gi;
const MAX_ADDRESSES = 2_000;

/** Hosts that collect data, or show anonymous content. */
const CATCHERS =
  /(?:^|\.)(?:webhook\.site|requestbin\.\w+|pipedream\.net|beeceptor\.com|requestcatcher\.com|hookbin\.com|burpcollaborator\.net|oastify\.com|oast\.\w+|interact\.sh|interactsh\.com|dnslog\.\w+|ceye\.io|canarytokens\.\w+|postb\.in|mockbin\.\w+|ptsv\d?\.com|webhook-test\.com)$/i;
const TUNNELS =
  /(?:^|\.)(?:ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|bore\.pub)$/i;
const PASTES =
  /(?:^|\.)(?:pastebin\.com|rentry\.(?:co|org)|hastebin\.com|paste\.ee|ghostbin\.\w+|glot\.io|termbin\.com|dpaste\.\w+|controlc\.com|transfer\.sh|0x0\.st|file\.io|anonfiles\.com|catbox\.moe|gofile\.io)$/i;
const SHORTENERS = /^(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|cutt\.ly|rb\.gy|shorturl\.at|ow\.ly)$/i;

const BRANDS =
  "google|gmail|youtube|microsoft|office|outlook|live|apple|icloud|github|gitlab|npmjs|pypi|paypal|amazon|aws|facebook|instagram|whatsapp|telegram|discord|slack|dropbox|coinbase|binance|metamask|openai|anthropic|claude|netflix|stripe|cloudflare|docker";
/** A known name before another owner's domain, or under an ending that its owner does not use. */
const LOOKS_LIKE = new RegExp(
  `(?:^|[.-])(?:${BRANDS})\\.(?:com|org|net|io|ai|dev)\\.[a-z0-9-]+|(?:^|\\.)(?:${BRANDS})\\.(?:help|support|cc|top|xyz|click|icu|vip|site|online|pw|work|live|link|fit|rest|cam|sbs|zip|mov)$|(?:^|\\.)(?:${BRANDS})-(?:login|signin|sign-in|verify|auth|security|account|support|update|secure|wallet)\\.|(?:^|\\.)(?:login|signin|verify|secure|account|auth)-(?:${BRANDS})\\.|(?:^|\\.)(?:g[o0]{2}g[l1i]e|m[i1l]crosoft|rnicrosoft|g[i1l]thub|paypa[l1i]|app[l1i]e|amaz[o0]n|faceb[o0]{2}k|c[o0]inbase|[o0]penai|anthr[o0]pic)\\.(?:com|org|net|io)$`,
  "i",
);
const REALLY =
  /(?:^|\.)(?:google|github|microsoft|paypal|apple|amazon|facebook|coinbase|openai|anthropic)\.(?:com|org|net|io)$/i;

/** An address with a word that stands for something else: `?d=CONTEXT`, `/{{last_message}}`. */
const FILLED =
  /\bhttps?:\/\/[^\s<>"'`)\]}|\\]{3,300}?[=/](\$?\{{0,2}[A-Z][A-Z_]{3,40}\}{0,2}|\{{1,2}\s*\w{3,40}\s*\}{1,2}|<[A-Za-z_ -]{3,40}>)/g;
const VISIBLE_TEXT =
  /\b(?:conversation|chat history|transcript|(?:user'?s?|last|previous|latest) (?:user )?(?:messages?|prompts?|questions?|input)|system prompt|context window|(?:any|all|every|found|stored) (?:api )?(?:keys?|tokens?|secrets?|credentials?|passwords?)|(?:keys?|tokens?|secrets?) (?:or|and) (?:keys?|tokens?|secrets?)|memory|environment variables?)\b/i;

/** Where a skill leads: what would be refused, what receives what others send, what carries data out as a picture. */
export function findInLinks(file: string, text: string): readonly SkillFinding[] {
  const found = new Map<string, SkillFinding>();
  const add = (severity: Severity, category: SkillThreat, index: number, reason: string): void => {
    if (!found.has(reason)) found.set(reason, { severity, category, file, line: lineAt(text, index), reason });
  };
  let seen = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (++seen > MAX_ADDRESSES) break;
    judgeAddress(address, (severity, category, reason) => add(severity, category, index, reason));
  }
  for (const { index, 0: picture } of text.matchAll(
    /!\[[^\]\n]{0,200}\]\(\s*https?:\/\/[^)\n]{0,300}?[?=/][^)\n]{0,200}?(?:\$\{?[A-Za-z_]|\{\{?\s*[a-z_]|\[[A-Z_ ]{3,}\]|<[A-Za-z_ -]{3,}>)[^)\n]{0,200}\)/gi,
  ))
    add(
      /secret|key|token|conversation|context|history|password|message|data|user/i.test(picture) ? "critical" : "high",
      "exfiltration",
      index,
      `An image URL is filled with data from the conversation: ${picture.slice(0, 120)}`,
    );
  for (const { index, 0: address, 1: filled = "" } of text.matchAll(FILLED)) {
    const order =
      new RegExp(
        `\\b(?:replac|substitut|fill|put|insert|swap)\\w*\\b[^.!?\\n]{0,40}${filled.replaceAll(/[^\w]/g, "\\$&")}[^.!?\\n]{0,160}`,
        "i",
      ).exec(text)?.[0] ?? "";
    if (VISIBLE_TEXT.test(order))
      add(
        "critical",
        "exfiltration",
        index,
        `A URL is to be filled with conversation text or secrets: ${address.slice(0, 120)}`,
      );
  }
  for (const { index, 0: link } of text.matchAll(
    /\]\(\s*(?:javascript:|vbscript:|data:text\/html|file:\/\/)[^)\n]{0,120}/gi,
  ))
    add("high", "injection", index, `A link runs code or opens something other than a page: ${link.slice(2, 80)}`);
  for (const { severity, category, says, pattern } of TEXT_SIGNS) {
    const match = pattern.exec(text);
    if (match !== null)
      add(severity, category, match.index, `${says}: ${match[0].replaceAll(/\s+/g, " ").slice(0, 120)}`);
  }
  return [...found.values()];
}

function judgeAddress(address: string, add: (severity: Severity, category: SkillThreat, reason: string) => void): void {
  if (!URL.canParse(address)) return;
  const { hostname, pathname, username, password } = new URL(address);
  if (CATCHERS.test(hostname)) add("high", "exfiltration", `${hostname} collects and shows any data sent to it.`);
  else if (TUNNELS.test(hostname)) add("high", "network", `${hostname} is a tunnel to an unknown machine.`);
  else if (PASTES.test(hostname))
    add("medium", "supply_chain", `${hostname} hosts anonymous content that can change at any time.`);
  else if (LOOKS_LIKE.test(hostname) && !REALLY.test(hostname))
    add("high", "fraud", `${hostname} imitates another address.`);
  else if (SHORTENERS.test(hostname)) add("medium", "supply_chain", `${hostname} hides the targets of its links.`);
  if (/^api\.telegram\.org$/i.test(hostname) && /\/bot\d{6,}:[\w-]{20,}/.test(pathname))
    add("high", "exfiltration", "It contains the address of a Telegram bot, including its key.");
  if (/(?:^|\.)discord(?:app)?\.com$/i.test(hostname) && /\/api\/webhooks\/\d{6,}\/[\w-]{20,}/.test(pathname))
    add("high", "exfiltration", "It contains the address of a Discord webhook.");
  if (isBareAddress(hostname)) add("high", "network", `${hostname} is an IP address instead of a host name.`);
  if (
    username !== "" &&
    password !== "" &&
    !/^(?:user(?:name)?|me|pass(?:word)?|<|\$|x+|\*+|token|postgres|admin|root|example)/i.test(username)
  )
    add("medium", "credential_exposure", "A URL contains a user name and a password.");
  if (/%00|\\/.test(address)) add("high", "obfuscation", "A URL is written so that programs read it differently.");
}

/** A public address. Those of one's own network, and those that are kept for documents, are in every guide. */
function isBareAddress(hostname: string): boolean {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname) && !hostname.startsWith("[")) return false;
  if (
    /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^1\.1\.1\.1$|^8\.8\.[84]\.[84]$|^1\.2\.3\.4$|^\[2001:db8:/i.test(
      hostname,
    )
  )
    return false;
  return judgeUrl(`http://${hostname}/`, {}).kind === "allowed";
}
