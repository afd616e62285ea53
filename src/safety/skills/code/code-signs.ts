import type { Severity, SkillThreat } from "../skill-finding.ts";

export interface CodeSign {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  readonly pattern: RegExp;
}

/** Signs that the judgement of commands ignores and that no skill needs. Every repetition is bounded. */
export const CODE_SIGNS: readonly CodeSign[] = [
  {
    severity: "critical",
    category: "privilege_escalation",
    says: "It creates a shell that any user can run as root",
    pattern: /\bchmod\s+(?:\S+\s+)*(?:[ugo]*a?\+\w*s|[246]7\d\d)\s+[^\n]{0,80}\/(?:ba|da|z|k)?sh\b/,
  },
  {
    severity: "critical",
    category: "mining",
    says: "It mines cryptocurrency",
    pattern: /\bxmrig\b|stratum\+(?:tcp|ssl):\/\/|\bminerd\b|cryptonight|coinhive|\bnicehash\b/i,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It sends all environment variables away",
    pattern:
      /(?:requests?\.(?:post|put|get)|httpx\.\w+|urlopen|fetch|axios(?:\.\w+)?|http\.request|post)\s*\([^;]{0,300}?(?:os\.environ(?!\s*[.[(]|\.get)|dict\(os\.environ|JSON\.stringify\(process\.env\)|process\.env(?!\s*[.[\w]))/i,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It sends environment variables away one by one",
    pattern:
      /(?:os\.environ\.items\(\)|Object\.(?:entries|keys|values)\(process\.env\)|ENV\.each)[\s\S]{0,200}?\b(?:requests\.\w+|urlopen|httpx\.\w+|fetch|axios|http\.request|Net::HTTP)\b/,
  },
  {
    severity: "critical",
    category: "credential_exposure",
    says: "It replaces a program that asks for a password",
    pattern:
      /\balias\s+(sudo|su|ssh|gpg|passwd|doas)=(?!["']?(?:\1|doas|gpg2|kitty|kitten|TERM=\S+ ssh)\b(?![^\n]*(?:\s-S|[<>]))[^;|&\n]*$)|(?:^|[\s;{])(?:function\s+)?(?:sudo|su|ssh|gpg|passwd|doas|login)\s*\(\)\s*\{|\bfunction\s+(?:sudo|su|ssh|gpg|passwd|doas)\b/m,
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It collects all environment variables",
    pattern:
      /(?:dict|json\.dumps|str)\(\s*(?:dict\()?os\.environ(?!\s*[.[])|JSON\.stringify\(\s*process\.env\s*[,)]|ENV\.to_h\b/,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It hides data in DNS lookups",
    pattern: /(?:^|[|;&(\s])(?:nslookup|dig|drill|host)\s+(?:[-+@]\S{1,40}\s+){0,4}["']?\$[({][^\n]{0,120}\.[a-z]{2,}/m,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It reads a browser's stored cookies or passwords",
    pattern:
      /(?:Login Data|Cookies|Web Data|cookies\.sqlite|logins\.json|key4\.db|Local Extension Settings)["'`]?[^\n]{0,80}(?:Chrome|Firefox|Brave|Edge|sqlite3?|copy|read|open)|(?:Chrome|Firefox|Brave|Edge|Mozilla)[^\n]{0,80}(?:Login Data|Cookies|Web Data|cookies\.sqlite|logins\.json|key4\.db|Local Extension Settings)|browser_cookie3|CryptUnprotectData/i,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It reads wallets or keychains",
    pattern:
      /\bdump-keychain\b|find-generic-password[^\n]{0,80}-w\b|wallet\.dat\b|\/(?:Exodus|Electrum|MetaMask|Phantom|Ledger Live|Atomic|\.ethereum\/keystore|solana\/id\.json)\b/i,
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It runs code that it decodes or assembles",
    pattern:
      /\b(?:exec|eval|Function|compile)\s*\([^\n]{0,120}(?:b64decode|atob|decompress|fromhex|unhexlify|codecs\.decode|fromCharCode|bytes\.fromhex|Buffer\.from\([^)]{1,80}(?:base64|hex)|\[::-1\]|marshal\.loads)/,
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It calls a function whose name it assembles from pieces",
    pattern:
      /getattr\s*\([^()\n]{1,60},\s*(?:["'][\w]{1,20}["']\s*\+|["'][\w]{0,20}["']\.join|chr\()|__import__\s*\(\s*(?:["'][\w]{1,12}["']\s*\+|chr\(|["'][\w]{1,20}["']\s*\[::-1\])|globals\(\)\s*\[\s*["'][\w]{1,20}["']\s*\+|window\s*\[\s*["'][\w]{1,12}["']\s*\+/,
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It writes text as character codes",
    pattern: /(?:chr\(\s*\d{1,3}\s*\)\s*\+\s*){4,}|(?:\\x[0-9a-f]{2}){16,}|fromCharCode\((?:\s*\d{1,3}\s*,){8,}/i,
  },
  {
    severity: "critical",
    category: "obfuscation",
    says: "It runs an image, a sound or a font as a script",
    pattern:
      /(?:^|[\s;&|(])(?:(?:ba|z|da|k)?sh|source|\.|python3?|perl|ruby|node|php|osascript)\s+(?:-\w+\s+){0,3}["']?[\w./~$-]{1,120}\.(?:png|jpe?g|gif|webp|ico|svg|bmp|pdf|mp[34]|wav|ogg|ttf|woff2?)\b(?!\.)/m,
  },
  {
    severity: "high",
    category: "execution",
    says: "It runs code that it downloaded",
    pattern:
      /\b(?:exec|eval|execSync|Function)\s*\(\s*(?:await\s+)?\(?[^\n]{0,80}(?:requests\.get|urlopen|httpx\.get|fetch\(|axios\.get|open-uri|curl )[^\n]{0,120}/i,
  },
  {
    severity: "critical",
    category: "execution",
    says: "PowerShell runs code that it downloaded",
    pattern:
      /\b(?:iex|invoke-expression)\b[^\n]{0,160}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|frombase64string|https?:)|(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring\([^)\n]{1,200}\)?)[^\n]{0,200}\|\s*(?:iex|invoke-expression)\b|-e(?:nc(?:odedcommand)?)?\s+[A-Za-z0-9+/=]{24,}/i,
  },
  {
    severity: "critical",
    category: "execution",
    says: "It makes Windows run a page or a script from the network",
    pattern:
      /\bmshta(?:\.exe)?\s+["']?https?:|\bregsvr32\b[^\n]{0,60}https?:|\bcertutil\b[^\n]{0,60}-urlcache|\bbitsadmin\b[^\n]{0,60}https?:|\brundll32\b[^\n]{0,80}(?:javascript|https?):/i,
  },
  {
    severity: "high",
    category: "execution",
    says: "It removes the quarantine mark that makes macOS warn about a downloaded program",
    pattern: /\bxattr\s+(?:-\w+\s+)*(?:-[a-z]*[cd][a-z]*)\b[^\n]{0,120}|spctl\s+--master-disable/,
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks for the user's password in a window that looks like the system's",
    pattern: /display dialog[^\n]{0,200}(?:password|hidden answer)/i,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It switches the agent's approvals off",
    pattern:
      /HERMES_YOLO_MODE\s*=\s*["']?(?:1|true)|approvals\.mode["']?\s*[:= ]\s*["']?off|"defaultMode"\s*:\s*"bypass|approvals?:\s*\n\s+mode:\s*["']?off/,
  },
  {
    severity: "medium",
    category: "persistence",
    says: "It runs an agent without approvals",
    pattern:
      /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|bypassPermissions|dangerouslyDisableSandbox/,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It changes the agent's memory or identity files",
    pattern:
      /(?:>>?|tee(?: -a)?|cp [^\n]{1,80}|write_text\(|open\()\s*["']?[^\s"'|;]{0,80}(?:SOUL|MEMORY|USER|HEARTBEAT)\.md\b/,
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It makes every new shell download or decode code and run it",
    pattern:
      /(?:\bcurl\b|\bwget\b|base64 -d|base64 --decode|\/dev\/tcp)[^\n]{0,200}>>?\s*["']?[^\s"'|;]{0,60}\/\.(?:bashrc|bash_profile|profile|zshrc|zshenv|zprofile|config\/fish)/,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It installs downloaded code to start automatically",
    pattern:
      /\b(?:curl|wget)\b[^\n]{0,160}(?:LaunchAgents|LaunchDaemons|\.config\/systemd|\/etc\/systemd|\.config\/autostart|\/etc\/cron|\.git\/hooks)/,
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It adds another user's key to the user's account",
    pattern:
      /\bgh\s+(?:repo\s+deploy-key|ssh-key|gpg-key)\s+add\b|\bgh\s+api\b[^\n]*\/(?:keys|collaborators)\b[^\n]*|\bglab\s+(?:ssh-key|deploy-key)\s+add\b/,
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It switches off this machine's protection",
    pattern:
      /\bufw\s+disable\b|\bsetenforce\s+0\b|\bcsrutil\s+disable\b|Set-MpPreference\s+-Disable|\badvfirewall\s+set\b[^\n]*\boff\b|\b(?:systemctl|service)\b[^\n]*\b(?:stop|disable|mask)\b[^\n]*(?:clamav|auditd|falcon|firewalld|apparmor|fail2ban|crowdsec|osquery|wazuh)|\biptables\s+-F\b/,
  },
  {
    severity: "high",
    category: "network",
    says: "It opens this machine to others",
    pattern:
      /\bssh\s+(?:-\S+\s+)*-\w*R\s*\S+[^\n]*@|\b(?:ngrok|bore|frpc)\b[^\n]*\b(?:tcp|local)\b[^\n]*\b(?:22|3389|5900)\b|\bhttp\.server\b[^\n]*(?:-d|--directory)\s*["']?(?:~|\/|\$HOME)["']?(?=\s|$)|\bcd\s+(?:~|\/|"?\$HOME"?)\s*&&[^\n]*\bhttp\.server\b|--remote-allow-origins=\*/,
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It makes this machine trust an unknown certificate, or skip certificate checks",
    pattern:
      /\badd-trusted-cert\b|\bupdate-ca-(?:certificates|trust)\b|\bcertutil\b[^\n]*-addstore|\bstrict-ssl\s+false\b|\bhttp\.sslVerify\s+false\b|NODE_TLS_REJECT_UNAUTHORIZED\s*=\s*["']?0/,
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It names a package with characters that package names do not use",
    pattern:
      /\b(?:npx|npm (?:i|install|add)|yarn add|pnpm add|bunx)\b[^\n]*\s@?[a-z0-9-]*[a-z](?:I|O)[a-z]*[/@a-z-]|"-y",\s*"@?[a-z-]*[a-z][IO][/@a-z-]/,
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It lets another user's key log in",
    pattern: />>?\s*["']?[^\s"'|;]{0,60}\.ssh\/authorized_keys|authorized_keys["'][^\n]{0,40}["']a["']/,
  },
];

/** Signs in files that are not program code, such as style sheets and pages. Held against the whole text. */
export const TEXT_SIGNS: readonly CodeSign[] = [
  {
    severity: "high",
    category: "exfiltration",
    says: "A spreadsheet formula sends cells to an address",
    pattern:
      /=?\b(?:IMPORTXML|IMPORTDATA|IMPORTHTML|IMPORTFEED|IMAGE|WEBSERVICE|HYPERLINK)\([^\n]{0,80}https?:[^\n]{0,120}(?:&|CONCAT|TEXTJOIN|[A-Z]\d+)/,
  },
];
