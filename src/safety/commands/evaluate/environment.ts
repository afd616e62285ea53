import type { Call } from "./call.ts";
import { quietOptions } from "./environment-options.ts";
import { variableRole } from "../programs/roles/variables.ts";
import { judgeCodeLate, judgeGitLate } from "./late-parts.ts";
import { UNSEEN } from "../risk/effect.ts";
import { isKnown, readable } from "../parse/marks.ts";
import { fork } from "../parse/state.ts";

/** Pagers, editors and other programs that users set such a variable to. */
const HARMLESS = new Set(
  `vi vim nvim nano emacs less more cat bat true : false most code delta ssh echo ed gedit micro hx subl firefox
    xdg-open open w3m lynx bash zsh sh dash fish ksh tcsh`.split(/\s+/),
);
/** Variables by which language tools find their downloads. */
const MIRRORS =
  /^(NPM|YARN|PNPM|BUN|HOMEBREW|RUSTUP|CARGO|BUNDLE|GEM|PIP|UV|POETRY|CONDA|NODEJS|NVM|FNM|NODE|ELECTRON|PLAYWRIGHT|PUPPETEER|CYPRESS|SASS|SHARP|MAVEN|GRADLE|COMPOSER|CPAN|PYENV|PYTHON|DENO|SDKMAN|FLUTTER|PUB)\w*(_MIRROR\w*|_REGISTRY|_INDEX|_INDEX_URL|_SERVER|_DOWNLOAD_HOST|_HOST|_DOMAIN|_GIT_REMOTE|_UPDATE_ROOT|_ORG_MIRROR|_STORAGE_BASE_URL|_HOSTED_URL)$/;
const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp"];
const SHELL = /^(\/(usr\/)?(local\/)?bin\/)?(ba|z|da|k|fi|tc)?sh$/;

/** An assignment before a command, or an exported variable: does it make a program load or run something? */
export function judgeEnvironment(rawName: string, value: string, call: Call): void {
  const name =
    rawName.toUpperCase() === rawName || rawName.startsWith("npm_") || rawName.startsWith("pip_")
      ? rawName.toUpperCase()
      : rawName;
  const show = `${rawName}=${readable(value)}`;
  call.state.budget.spend(1 + value.length / 50);
  if (value === "") return;
  if (/^HERMES_(YOLO\w*|ACCEPT_HOOKS|SANDBOX|REDACT_SECRETS|WRITE_SAFE_ROOT|ALLOW_PRIVATE_URLS)$/.test(name))
    call.by.harm("self-config", `${show} changes the agent's approvals`);
  const quiet = isKnown(value) ? quietOptions(name, value) : undefined;
  if (quiet === true) return;
  const role = variableRole(name);
  if (quiet === false && role !== "load") return loads(`${show} makes programs load code`, value, call);
  switch (role) {
    case "load":
      if (name === "ENV" && isKnown(value) && !value.includes("/")) return;
      return loads(`${show} makes programs load code`, value, call);
    case "command":
      return judgeCommandValue(name, value, show, call);
    case "tool":
      if (isKnown(value)) call.by.script(value, call, { stdin: UNSEEN, state: fork(call.state) });
      return;
    case "compiler":
      if (/^(\S*\/)?(ba|da|z|k)?sh\s|^\/tmp\/|^\.{1,2}\/[\w.-]+$/.test(value))
        loads(`${show} runs a program`, value, call);
      return;
    case "code-path":
      if (value.split(":").some((entry) => isTemporary(entry, call)))
        loads(`${show} loads code from a temporary directory`, value, call);
      return;
    case "options":
      return judgeOptions(name, value, show, call);
    case "index":
      if (name === "GOPROXY" && value.split(/[,|]/).every((item) => ["direct", "off"].includes(item))) return;
      return call.by.harm("package-index", `${show} sets where packages come from`);
    case "proxy":
      return call.by.network(value, true);
    case "file":
      if (/[/\\]/.test(value)) call.by.write(/(?:^|:)file=([^:]+)/.exec(value)?.[1] ?? value, call);
      return;
    case "repository":
    case "work-tree":
    case "git-parameters":
    case "git-value":
      if (role === "git-value" || role === "git-parameters") loads(`${show} makes git run it`, value, call);
      return judgeGitLate(role, value, call);
    default:
      if (name === "PATH") judgePathVariable(value, show, call);
      else if (MIRRORS.test(name) && (/:\/\//.test(value) || !isKnown(value)))
        call.by.harm("package-index", `${show} sets where packages come from`);
  }
}

/** Asks. What the value, or a file of this script that it names, would do by itself counts if it is severe. */
function loads(reason: string, value: string, call: Call): void {
  call.by.harm("env-code", reason);
  if (!isKnown(value)) return;
  const own = call.by.written(value.replace(/^[@|!]/, ""), call)?.text;
  call.by.suspect(() => {
    for (const text of [value.replace(/^[|!]+-?/, ""), ...(own === undefined ? [] : [own])]) {
      call.by.script(text, call, { stdin: UNSEEN, state: { ...fork(call.state), guessed: true } });
      judgeCodeLate("other", text, call);
    }
    for (const [, command] of value.matchAll(/\$\(shell\s+([^)]*)\)/g)) call.by.script(command!, call);
  });
}

/** Options in a variable: only some of them name a program. */
function judgeOptions(name: string, value: string, show: string, call: Call): void {
  const runs =
    name === "NODE_OPTIONS" || name === "BUN_OPTIONS"
      ? !isKnown(value) ||
        /(?:^|\s)(-r|--require|--import|--loader|--experimental-loader|--eval|-e|--inspect|--env-file|--openssl-config|--experimental-config-file)/.test(
          value,
        )
      : name === "RUSTFLAGS"
        ? /linker=(\/tmp|\.{1,2}\/|(ba)?sh)/.test(value)
        : name === "MAKEFLAGS" || name === "GNUMAKEFLAGS"
          ? /--eval|\$\(|SHELL=|(^|\s)-?\w*f\s/.test(value)
          : name === "GOFLAGS"
            ? /toolexec|-exec|-overlay|-modfile/.test(value)
            : name === "LESS" || name === "MANOPT" || name === "VIMFLAGS"
              ? /[!|`]|\$\(|-P|--(pager|html|lesskey)|-k|-c/.test(value) && !/^-[A-Za-z]+$/.test(value)
              : /--(preview|bind|to-command|checkpoint-action|info-script|rsh-command|rmt-command|use-compress-program)|execute|become|(^|\s)-[IF]/.test(
                  value,
                );
  if (!runs) return;
  if (name === "FZF_DEFAULT_OPTS") return void call.by.run(["fzf", ...unquoted(value)], call, UNSEEN);
  loads(`${show} makes programs run or load code`, value, call);
}

const unquoted = (text: string): readonly string[] =>
  [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replace(/['"]/g, ""));

function judgeCommandValue(name: string, value: string, show: string, call: Call): void {
  const first = value.trim().split(/\s+/)[0] ?? "";
  const program = first.slice(first.lastIndexOf("/") + 1);
  const prompt = name.startsWith("PS") && name.length === 3;
  if (prompt && !value.includes("$(") && !value.includes("`")) return;
  if ((name === "SHELL" || name === "CONFIG_SHELL") && (SHELL.test(value) || /^\/(usr|bin|opt)\//.test(value))) return;
  const plain = isKnown(value) && !/[;&|$`<>(){}!\n]/.test(value) && HARMLESS.has(program) && !first.startsWith("/tmp");
  const shell = /^(bash|zsh|sh|dash|fish|ksh|tcsh)$/.test(program) && /\s-\w*c\b|\s[^-\s]/.test(value);
  if (plain && !shell && !(program === "ssh" && /Command|Provider|command|provider|\s-[FI]/.test(value))) return;
  call.by.harm("env-code", `${show} makes programs run it`);
  if (isKnown(value)) call.by.script(value.replace(/^\|+-?/, ""), call);
}

/** A directory where any user may put a program. If the project itself is there, its own files count as its own. */
function isTemporary(entry: string, call: Call): boolean {
  if (call.state.cwds.some((cwd) => cwd !== undefined && cwd.length > 5 && entry.startsWith(`${cwd}/`))) return false;
  return TEMPORARY.some((dir) => entry === dir || entry.startsWith(`${dir}/`));
}

function judgePathVariable(value: string, show: string, call: Call): void {
  for (const entry of value.split(":")) {
    // Entries after the known directories cannot shadow their names.
    if (/[\uE000-\uE00F]$/.test(entry) && entry.length <= 2) return;
    if (["/usr/bin", "/bin", "/usr/local/bin"].includes(entry)) return;
    if (entry === "" || entry === "." || isTemporary(entry, call)) {
      call.by.harm("env-code", `${show} looks for programs in "${entry}" first`);
      return;
    }
  }
}
