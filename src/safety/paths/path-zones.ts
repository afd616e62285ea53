import { posix } from "node:path";
import { isSecretFile } from "../secrets/secret-files.ts";
import {
  HOME_CREDENTIALS,
  HOME_STARTUP,
  HOME_NOTIFIED,
  HOME_UNITS,
  MACHINE_CREDENTIALS,
  MACHINE_UNITS,
  SCHEDULES,
} from "./protected-paths.ts";

/** The meaning of a path for safety. One table serves the file tools and the judgement of commands. */
export type Zone =
  | "root"
  | "system-directory"
  | "home"
  | "system"
  | "system-config"
  | "kernel"
  | "sysrq"
  | "device"
  | "stream"
  | "other-device"
  | "memory-device"
  | "endless"
  | "docker-socket"
  | "process-memory"
  | "credentials"
  | "public-key"
  | "project-env"
  | "startup"
  | "keys"
  | "schedule"
  | "unit"
  | "git-hooks"
  | "git-config"
  | "opens-run"
  | "package-config"
  | "project-package-config"
  | "agent-secret"
  | "agent-config"
  | "agent-home";

export interface Places {
  readonly home: string;
  readonly agentHome?: string;
}

/** Directories directly under the root whose loss breaks the machine. */
const TOP = new Set(
  "bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt private proc root run sbin srv sys usr var Applications Library Network System Users Volumes cores".split(
    " ",
  ),
);
/** Not top-level, and yet the same thing: on macOS, and where `/bin` is a link to `/usr/bin`. */
const TOP_ALIASES = new Set([
  "/private/etc",
  "/private/var",
  "/System/Volumes/Data",
  "/usr/bin",
  "/usr/sbin",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
]);

const STREAMS = new Set("null zero full random urandom tty stdin stdout stderr ptmx console".split(" "));
const ENDLESS = new Set("zero full random urandom tty console stdin stdout stderr".split(" "));
const RAW = [
  "sd",
  "hd",
  "vd",
  "xvd",
  "nvme",
  "mmcblk",
  "loop",
  "md",
  "dm-",
  "nbd",
  "zd",
  "sr",
  "ram",
  "zram",
  "disk",
  "rdisk",
  "mtd",
  "ubi",
  "pmem",
  "ada",
  "da",
  "nda",
  "nvd",
  "vtbd",
  "mfid",
  "xbd",
  "dasd",
  "bcache",
  "drbd",
  "rbd",
  "fd0",
  "st",
  "nst",
  "mapper",
  "vg",
  "zvol",
  "block",
  "root",
];
const MEMORY = new Set(["mem", "kmem", "port", "nvram"]);
const SECRET_PROC = new Set("environ cmdline maps smaps smaps_rollup numa_maps mem auxv pagemap".split(" "));

const CREDENTIALS = caseless(HOME_CREDENTIALS);
const STARTUP = caseless(HOME_STARTUP);
const UNITS = caseless(HOME_UNITS);
const REPORTED = caseless(HOME_NOTIFIED);
const PACKAGE_CONFIG = [
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pip/pip.conf",
  ".config/pip/pip.conf",
  "pip.conf",
  ".condarc",
  ".gemrc",
  ".cargo/config",
  ".cargo/config.toml",
  ".config/uv/uv.toml",
  ".config/pypoetry/config.toml",
  ".bundle/config",
  ".m2/settings.xml",
  ".config/go/env",
  ".config/pnpm/rc",
  ".bunfig.toml",
  "Library/Application Support/pip/pip.conf",
  "Library/Preferences/pypoetry/config.toml",
];
/** Package manager configuration in a project's own directories. */
const PROJECT_PACKAGE_CONFIG = new Set([
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  "pip.conf",
  ".pypirc",
  "bunfig.toml",
  "nuget.config",
  "NuGet.Config",
  ".condarc",
  ".gemrc",
]);
const SYSTEM_UNDER = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/boot", "/System", "/Library"];
const SYSTEM_EXCEPT = ["/usr/local", "/Library/Caches"];
export const AGENT_SECRETS = [
  "auth.json",
  "auth.lock",
  ".anthropic_oauth.json",
  ".env",
  "slack_tokens.json",
  "webhook_subscriptions.json",
  "auth",
  "cache/bws_cache.json",
  "mcp-tokens",
  "pairing",
  "skills/.hub",
  "sessions",
  "state-snapshots",
];
/**
 * The stores, ours and the original's, with what SQLite and we put beside them: WAL, damaged and salvaged copies,
 * marks.
 */
const AGENT_STORE = /^(?:profiles\/[^/]+\/)?(?:state|index)(?:\.ts)?\.db(?:[-.].*)?$/i;
const AGENT_FREE = [
  "cache",
  "logs",
  "sandboxes",
  "skills",
  "workspace",
  "memories",
  "tmp",
  "scratch",
  "images",
  "audio",
];
const PROJECT_ENV = new Set([
  ".env",
  ".env.local",
  ".env.development",
  ".env.production",
  ".env.test",
  ".env.staging",
  ".envrc",
]);
const ENV_EXAMPLES = new Set([
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
  ".env.defaults",
  ".env.schema",
  ".env.vault",
]);
/** Credentials of a user at any path: a home in a container's build, a copied profile, a home that is the workspace. */
const CREDENTIAL_ANYWHERE =
  /(^|\/)(\.netrc|_netrc|\.pgpass|\.git-credentials|\.vault-token|\.aws\/(credentials|sso\/.*)|\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml|\.config\/gcloud\/.*|\.gnupg\/.*|\.cargo\/credentials(\.toml)?)$/;
const KEY_NAMES = new Set(["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"]);

/**
 * Everything known of an absolute, normalised path. Names are compared without case where a file system may ignore it.
 */
export function zonesOf(path: string, places: Places): ReadonlySet<Zone> {
  const zones = new Set<Zone>();
  const home = clean(places.home);
  const agentHome = clean(places.agentHome ?? posix.join(home, ".hermes"));
  systemZones(path, zones);
  if (isHome(path, home)) zones.add("home");
  for (const relative of relatives(path, home)) homeZones(relative, zones);
  // Another user's agent is protected too.
  const others = /^(\/(?:(?:home|Users)\/[^/]+|(?:var\/)?root)\/\.hermes)(?:\/|$)/.exec(path)?.[1];
  for (const root of new Set([agentHome, posix.join(home, ".hermes"), ...(others === undefined ? [] : [others])])) {
    const inside = within(path, root);
    if (inside !== undefined) agentZones(inside, zones);
  }
  projectZones(path, zones);
  return zones;
}

/** All credentials of the user and the system, as absolute paths, whether they exist or not. */
export function credentialPaths(home: string): readonly string[] {
  return [
    ...[".ssh", ...HOME_CREDENTIALS].map((path) => posix.join(home, path)),
    ...MACHINE_CREDENTIALS.filter((path) => !path.startsWith("/proc/")),
  ];
}

/** The part of `path` below `root` (`""` for the root itself), or undefined when it lies elsewhere. */
export function within(path: string, root: string): string | undefined {
  const a = path.toLowerCase();
  const b = root.toLowerCase();
  if (a === b) return "";
  const start = b.endsWith("/") ? b : `${b}/`;
  return a.startsWith(start) ? path.slice(start.length) : undefined;
}

/** `.env` and its kin, but not the examples that projects commit. */
export function isProjectEnv(name: string): boolean {
  const lower = name.toLowerCase();
  if (
    ENV_EXAMPLES.has(lower) ||
    lower.endsWith(".example") ||
    lower.endsWith(".sample") ||
    lower.endsWith(".template") ||
    /\.(?:md|rst|adoc|ts|tsx)$/.test(lower)
  )
    return false;
  return PROJECT_ENV.has(lower) || lower.startsWith(".env.");
}

function systemZones(path: string, zones: Set<Zone>): void {
  if (path === "/") {
    zones.add("root");
    return;
  }
  const parts = path.slice(1).split("/");
  if ((parts.length === 1 && TOP.has(parts[0]!)) || TOP_ALIASES.has(path)) zones.add("system-directory");
  if (
    under(path, [
      "/etc",
      "/private/etc",
      "/private/var/db",
      "/boot",
      "/usr/lib/systemd",
      "/usr/local/share/ca-certificates",
    ])
  )
    zones.add("system-config");
  if (under(path, SYSTEM_UNDER) && !under(path, SYSTEM_EXCEPT)) zones.add("system");
  if (path === "/proc/sysrq-trigger") zones.add("sysrq");
  else if (under(path, ["/proc/sys", "/sys"])) zones.add("kernel");
  if (parts[0] === "proc") processZones(parts, zones);
  if (parts[0] === "dev" && parts.length > 1) deviceZones(parts, zones);
  if (
    /^(\/private)?\/(var\/)?run\/(?:user\/\d+\/)?(docker|podman|containerd|crio|libvirt)[^/]*(\.sock|\/.*(?:\.sock|-sock))$|\/\.(?:docker\/run|colima|orbstack\/run|rd|lima)\/(?:.*\/)?docker\.sock$|\/lxd\/(?:.*\/)?unix\.socket$/.test(
      path,
    )
  )
    zones.add("docker-socket");
  if (under(path, MACHINE_CREDENTIALS)) zones.add("credentials");
  if (/^\/etc\/ssh\/ssh_host_.*_key$/.test(path)) zones.add("credentials");
  if (under(path, SCHEDULES)) zones.add("schedule");
  if (under(path, MACHINE_UNITS)) zones.add("unit");
  if (
    /^\/etc\/(profile|bash\.bashrc|bashrc|zsh\/|zshrc|zshenv|zprofile|profile\.d\/|environment$|ld\.so\.preload$)/.test(
      path,
    )
  )
    zones.add("startup");
  if (/^\/etc\/(apt\/|yum|dnf|pip\.conf|npmrc)/.test(path)) zones.add("package-config");
}

function processZones(parts: readonly string[], zones: Set<Zone>): void {
  // /proc/<pid>/environ, /proc/<pid>/task/<tid>/mem …
  const last = parts[parts.length - 1]!;
  if (parts.length >= 3 && SECRET_PROC.has(last) && (parts.length === 3 || parts[2] === "task"))
    zones.add("process-memory");
  // Another way to the files of a process, past the names that protect them.
  if (parts.length >= 4 && (parts[2] === "root" || parts[2] === "cwd")) zones.add("process-memory");
  if (parts.length === 4 && parts[2] === "fd" && ["0", "1", "2"].includes(last)) zones.add("endless");
}

function deviceZones(parts: readonly string[], zones: Set<Zone>): void {
  const name = parts[1]!;
  if (parts.length === 2 && ENDLESS.has(name)) zones.add("endless");
  if (name === "fd") {
    zones.add("stream");
    if (["0", "1", "2"].includes(parts[2] ?? "")) zones.add("endless");
  } else if (
    STREAMS.has(name) ||
    name === "pts" ||
    name === "shm" ||
    name === "mqueue" ||
    name === "tcp" ||
    name === "udp" ||
    name.startsWith("tty")
  )
    zones.add("stream");
  else if (MEMORY.has(name)) zones.add("memory-device");
  else if (RAW.some((prefix) => name.startsWith(prefix))) zones.add("device");
  else zones.add("other-device");
}

/** The path relative to a home: the user's, and any other under /home, /Users or /root. */
function relatives(path: string, home: string): readonly string[] {
  const found: string[] = [];
  const own = within(path, home);
  if (own) found.push(own);
  const other = /^\/(?:home|Users)\/[^/]+\/(.+)$/.exec(path) ?? /^(?:\/var)?\/root\/(.+)$/.exec(path);
  if (other && other[1] !== own) found.push(other[1]!);
  return found;
}

function isHome(path: string, home: string): boolean {
  return (
    path.toLowerCase() === home.toLowerCase() ||
    /^\/(?:home|Users)\/[^/]+$/.test(path) ||
    path === "/root" ||
    path === "/var/root"
  );
}

function homeZones(relative: string, zones: Set<Zone>): void {
  const lower = relative.toLowerCase();
  if (within(lower, ".ssh") !== undefined) {
    zones.add("keys");
    const name = posix.basename(lower);
    if (name.endsWith(".pub") || ["known_hosts", "known_hosts.old", "config", "authorized_keys"].includes(name))
      zones.add("public-key");
    else zones.add("credentials");
  }
  if (below(lower, CREDENTIALS) || (lower.startsWith(".") && isSecretFile(`/home/u/${lower}`)))
    zones.add("credentials");
  if (below(lower, STARTUP)) zones.add("startup");
  if (below(lower, UNITS)) zones.add("unit");
  if (below(lower, REPORTED)) zones.add("opens-run");
  if (lower === ".gitconfig" || within(lower, ".config/git") !== undefined) zones.add("git-config");
  if (PACKAGE_CONFIG.some((file) => lower === file.toLowerCase())) zones.add("package-config");
}

function agentZones(inside: string, zones: Set<Zone>): void {
  zones.add("agent-home");
  const secret =
    AGENT_STORE.test(inside) ||
    AGENT_SECRETS.some((name) => within(inside, name) !== undefined) ||
    /(^|\/)profiles\/[^/]+\/(\.env|auth\.json)/.test(inside);
  if (secret) zones.add("agent-secret");
  else if (!AGENT_FREE.some((name) => within(inside, name) !== undefined)) zones.add("agent-config");
}

function projectZones(path: string, zones: Set<Zone>): void {
  const name = posix.basename(path);
  const lower = path.toLowerCase();
  if (isProjectEnv(name)) zones.add("project-env");
  if (/(^|\/)\.git\/(modules\/.+\/)?hooks(\/|$)/.test(lower) || /(^|\/)\.husky\/_(\/|$)/.test(lower))
    zones.add("git-hooks");
  if (/(^|\/)\.git\/((?:modules|worktrees)\/.+\/)?(config|config\.worktree|info\/attributes)$/.test(lower))
    zones.add("git-config");
  if (PROJECT_PACKAGE_CONFIG.has(name) || lower.endsWith("/.cargo/config.toml") || lower.endsWith("/.bundle/config"))
    zones.add("project-package-config");
  if (OPENS_RUN.test(lower) && !SHOWN.test(lower)) zones.add("opens-run");
  // Every npm of the machine, and every go, does what these say.
  if (/\/etc\/npmrc$|\/go\/go\.env$/.test(lower)) zones.add("package-config");
  // Python runs these whenever it starts.
  if (/(^|\/)(site|dist)-packages\/((user|site)customize(\.py|\/__init__\.py)|[^/]+\.pth)$/.test(lower))
    zones.add("startup");
  const keys = /(?:^|\/)(\.ssh\/[^/]+)$/.exec(lower)?.[1];
  if (keys !== undefined) homeZones(keys, zones);
  if (
    CREDENTIAL_ANYWHERE.test(lower) ||
    KEY_NAMES.has(name.toLowerCase()) ||
    /\.(ppk|p12|pfx|keystore|jks|kdbx)$/.test(lower)
  )
    zones.add("credentials");
}

/**
 * In a project: files that editors, debuggers and other agents run when they open it, and start-up files, in case it is
 * a home.
 */
const OPENS_RUN =
  /(^|\/)(\.vscode\/(tasks|settings|mcp)\.json|[^/]+\.code-workspace|\.zed\/(settings|tasks)\.json|\.claude\/(settings(\.local)?\.json|hooks\/.+)|\.mcp\.json|\.cursor\/(mcp|hooks)\.json|\.(?:roo|kiro\/settings|amazonq|windsurf)\/mcp(_config)?\.json|\.gemini\/settings\.json|\.codex\/(config\.toml|hooks\.json)|\.aider\.conf\.yml|\.exrc|\.rprofile|\.mvn\/(?:jvm\.config|maven\.config|extensions\.xml)|\.nvim\.lua|\.nvimrc|\.dir-locals\.el|\.gdbinit|\.lldbinit|\.pryrc|\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc))$/;
/** Made to be looked at or copied, not to be run where it lies. */
const SHOWN =
  /\/(?:tests?|specs?|fixtures?|examples?|samples?|templates?|skel|docs?|testdata|node_modules|backups?|archive|old)\//;

function caseless(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map((path) => path.toLowerCase()));
}

/** Whether a path is one of these or lies below one. */
function below(path: string, places: ReadonlySet<string>): boolean {
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
    if (places.has(path.slice(0, end))) return true;
  return places.has(path);
}

function under(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => within(path, root) !== undefined);
}

function clean(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const normal = posix.normalize(slashed);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}
