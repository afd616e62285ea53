import type { Call } from "./call.ts";
import { quietOptions } from "./environment-options.ts";
import { isKnown, readable } from "../parse/marks.ts";

/** Variables whose value is a library or a file that the next program loads. */
const LOADS = new Set(
  `LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH BASH_ENV ENV
    PYTHONSTARTUP PYTHONINSPECT PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS LESSOPEN
    LESSCLOSE GCONV_PATH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_EXEC_PATH
    GIT_TEMPLATE_DIR PYTHONHOME MAKEFILES CMAKE_TOOLCHAIN_FILE OPENSSL_CONF OPENSSL_ENGINES SSLKEYLOGFILE PHPRC
    PHP_INI_SCAN_DIR NODE_REPL_EXTERNAL_MODULE PYTHONBREAKPOINT ELECTRON_RUN_AS_NODE BASH_FUNC_ls%% SHELLOPTS`.split(
    /\s+/,
  ),
);
/** Variables whose value is a command that some program runs. */
const COMMANDS = new Set(
  `PROMPT_COMMAND NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_GIT PS0 PS1 PS2 PS4 GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF
    GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS PAGER MANPAGER
    EDITOR VISUAL BROWSER RSYNC_RSH CVS_RSH SVN_SSH FCEDIT LESSEDIT SYSTEMD_PAGER SYSTEMD_EDITOR AWS_PAGER GH_PAGER
    DELTA_PAGER TAR_OPTIONS`.split(/\s+/),
);
const COMPILERS = new Set(
  "CC CXX LD AR AS CPP FC RUSTC_LINKER CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER".split(" "),
);
const HARMLESS = new Set(
  "vi vim nvim nano emacs less more cat bat true : false most code delta ssh echo ed gedit micro hx subl firefox xdg-open open w3m lynx".split(
    " ",
  ),
);
const INDEXES = new Set(
  `PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_INDEX
    NPM_CONFIG_REGISTRY NPM_REGISTRY YARN_REGISTRY YARN_NPM_REGISTRY_SERVER GOPROXY GONOSUMDB GONOSUMCHECK GOFLAGS
    GOSUMDB CARGO_REGISTRIES_CRATES_IO_PROTOCOL RUBYGEMS_HOST BUNDLE_MIRROR__ALL CONDA_CHANNELS
    HOMEBREW_BOTTLE_DOMAIN`.split(/\s+/),
);
/** Variables that language tools use for their download sources. */
const MIRRORS =
  /^(NPM|YARN|PNPM|BUN|HOMEBREW|RUSTUP|CARGO|BUNDLE|GEM|PIP|UV|POETRY|CONDA|NODEJS|NVM|FNM|NODE|ELECTRON|PLAYWRIGHT|PUPPETEER|CYPRESS|SASS|SHARP|MAVEN|GRADLE|COMPOSER|CPAN|PYENV|PYTHON|DENO|SDKMAN|FLUTTER|PUB)\w*(_MIRROR\w*|_REGISTRY|_INDEX|_INDEX_URL|_SERVER|_DOWNLOAD_HOST|_HOST|_DOMAIN|_GIT_REMOTE|_UPDATE_ROOT|_ORG_MIRROR|_STORAGE_BASE_URL|_HOSTED_URL)$/;
const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp"];

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
  if (quiet === false && !LOADS.has(name)) call.by.harm("env-code", `${show} makes programs load code`);
  else if (
    LOADS.has(name) ||
    name.startsWith("BASH_FUNC_") ||
    name.startsWith("GIT_CONFIG_KEY_") ||
    name.startsWith("GIT_CONFIG_VALUE_")
  ) {
    if (name === "ENV" && isKnown(value) && !value.includes("/")) return;
    call.by.harm("env-code", `${show} makes programs load code`);
  } else if (name === "NODE_OPTIONS" || name === "BUN_OPTIONS") {
    const words = value.split(/\s+/);
    if (
      !isKnown(value) ||
      words.some((word) => /^(-r|--require|--import|--loader|--experimental-loader|--eval|-e|--inspect)/.test(word))
    )
      call.by.harm("env-code", `${show} makes node load code`);
  } else if (
    name === "RUSTFLAGS" ||
    name === "CARGO_BUILD_RUSTC_WRAPPER" ||
    name === "RUSTC_WRAPPER" ||
    name === "RUSTC"
  ) {
    if (value.includes("linker=/tmp") || /^(\/tmp\/|\.{1,2}\/)/.test(value))
      call.by.harm("env-code", `${show} runs a program`);
  } else if (name === "MAKEFLAGS" || name === "GNUMAKEFLAGS") {
    if (/--eval|\$\(|SHELL=/.test(value)) call.by.harm("env-code", `${show} makes make run it`);
  } else if (COMPILERS.has(name)) {
    if (/^(\S*\/)?(ba|da|z|k)?sh\s|^\/tmp\/|^\.{1,2}\/[\w.-]+$/.test(value))
      call.by.harm("env-code", `${show} runs a program`);
  } else if (COMMANDS.has(name)) {
    judgeCommandValue(name, value, show, call);
  } else if (INDEXES.has(name)) {
    if (name === "GOPROXY" && value.split(/[,|]/).every((item) => ["direct", "off"].includes(item))) return;
    if (name === "GOFLAGS" && !value.includes("toolexec")) return;
    call.by.harm("package-index", `${show} sets where packages come from`);
  } else if (MIRRORS.test(name) && (/:\/\//.test(value) || !isKnown(value))) {
    call.by.harm("package-index", `${show} sets where packages come from`);
  } else if (name === "PATH") {
    judgePathVariable(value, show, call);
  } else if (
    name === "PYTHONPATH" ||
    name === "PERL5LIB" ||
    name === "RUBYLIB" ||
    name === "NODE_PATH" ||
    name === "CLASSPATH" ||
    name === "FPATH" ||
    name === "LUA_PATH" ||
    name === "LUA_CPATH" ||
    name === "GOROOT" ||
    name === "GEM_PATH"
  ) {
    if (value.split(":").some((entry) => isTemporary(entry, call)))
      call.by.harm("env-code", `${show} loads code from a temporary directory`);
  }
}

function judgeCommandValue(name: string, value: string, show: string, call: Call): void {
  const first = value.trim().split(/\s+/)[0] ?? "";
  const program = first.slice(first.lastIndexOf("/") + 1);
  const prompt = name.startsWith("PS") && name.length === 3;
  if (prompt && !value.includes("$(") && !value.includes("`")) return;
  const plain = isKnown(value) && !/[;&|$`<>(){}!\n]/.test(value) && HARMLESS.has(program) && !first.startsWith("/tmp");
  if (plain && !/ProxyCommand|LocalCommand/i.test(value)) return;
  call.by.harm("env-code", `${show} makes programs run it`);
  if (isKnown(value)) call.by.script(value, call);
}

/** A place where anybody may put a program; a project that is worked on there is the project's own. */
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
