import type { Call, Program } from "../call.ts";
import { derived, type Flow, INHERITED, NOTHING, UNSEEN } from "../effect.ts";
import { hasMark, MANY, UNKNOWN } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { judgeSql } from "../sql.ts";
import { startState } from "../state.ts";

// ── Containers ──

const RUN_VALUES = ["volume", "mount", "env", "name", "workdir", "user", "publish", "network", "net", "entrypoint", "env-file", "hostname", "label", "cap-add", "cap-drop", "device", "security-opt", "pid", "ipc", "uts", "userns", "cgroupns", "memory", "cpus", "shm-size", "tmpfs", "add-host", "platform", "restart", "gpus", "ulimit", "volumes-from", "log-driver", "log-opt", "link", "dns", "expose", "pull", "runtime", "cgroup-parent", "group-add", "init-path", "stop-signal", "health-cmd", "annotation", "sysctl", "cidfile", "ip", "mac-address", "project-directory", "file", "profile", "project-name"];

const docker: Program = (call) => {
  const globals = parseOptions(call.args, { short: "HcDl", long: ["host", "context", "config", "log-level"], stop: true });
  const words = globals.operands;
  const [verb = "", second = ""] = words;
  const show = `${call.program} ${words.join(" ")}`;
  if (verb === "compose") return compose({ ...call, args: words.slice(1) });
  const rest = ["container", "image", "volume", "network", "system", "builder", "service", "stack", "swarm", "node", "secret", "config", "buildx", "pod", "machine"].includes(verb) ? words.slice(2) : words.slice(1);
  const action = rest.length < words.length - 1 || words.length === 2 && rest.length === 0 && verb !== "run" ? `${verb} ${second}` : verb;
  const run = /^(container )?(run|create)$/.exec(action);
  if (run) return dockerRun(rest, call);
  if (/^(container )?exec$/.test(action)) return dockerExec(rest, call, 1);
  if (/^(container )?(stop|restart|kill|pause)( |$)/.test(action) || /^(container )?(stop|restart|kill|pause)$/.test(action.split(" ").slice(0, verb === "container" ? 2 : 1).join(" "))) call.by.harm("container-stop", show);
  else if (/^(container )?rm\b/.test(action) && parseOptions(rest).has("f", "force", "v", "volumes")) call.by.harm("container-data", show);
  else if (/^(volume (rm|prune|remove)|system prune|container prune|image prune|network prune|swarm leave|service rm|stack (rm|down|remove)|secret rm|node rm|machine rm|pod rm|system reset)/.test(action)) call.by.harm("container-data", show);
  else if (/^(container )?(cp)\b/.test(action)) {
    const [from = "", to = ""] = parseOptions(rest).operands;
    if (!from.includes(":")) call.by.read(from, call, { recursive: true, shown: false });
    if (!to.includes(":") && to !== "-") call.by.write(to, call, "copy");
  } else if (/^(login)\b/.test(action) && parseOptions(rest, { short: "up", long: ["username", "password"] }).has("p", "password")) call.by.add({ kind: "execute", program: call.program, words: [call.program, "login"] });
  if (/^(ps|images|logs|inspect|version|info|stats|top|port|diff|history|search|events|image ls|image list|container ls|container list|volume ls|network ls|system df|image inspect|container logs|context ls|container inspect)\b/.test(action)) return reads(call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...words.slice(0, 7)] });
  return UNSEEN;
};

function reads(call: Call): Flow {
  call.by.add({ kind: "network", url: call.program, sends: false });
  return UNSEEN;
}

function dockerRun(args: readonly string[], call: Call): Flow {
  const flags = parseOptions(args, { short: "vewuphmlac", long: RUN_VALUES, stop: true });
  const show = `${call.program} run ${args.join(" ")}`;
  const mounts: { inside: string; outside: string }[] = [];
  for (const volume of [...flags.values("v", "volume"), ...flags.values("mount").map(mountText)]) {
    const [outside = "", inside = ""] = volume.split(":");
    if (!/^[/.~\uE000-\uE01F]/.test(outside) || inside === "") continue;
    for (const path of call.by.paths(outside, call.state)) {
      mounts.push({ inside: inside.replace(/(.)\/+$/, "$1"), outside: path });
      if (hostPlace(path, call)) call.by.harm("container-host", `${show.slice(0, 200)}: the container sees ${path}`);
    }
  }
  const risky = ["privileged"].some((name) => flags.has(name)) || flags.values("pid", "ipc", "uts", "userns", "cgroupns").includes("host") || flags.values("cap-add").some((cap) => /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|SYS_RAWIO|NET_ADMIN|BPF)$/i.test(cap)) || flags.values("security-opt").some((option) => /unconfined|disable/.test(option)) || flags.values("device").some((name) => !/^\/dev\/(dri|snd|kvm|video|nvidia|fuse|net\/tun|tty)/.test(name));
  if (risky) call.by.harm("container-host", show);
  const entrypoint = flags.value("entrypoint");
  const [, ...words] = flags.operands;
  const argv = entrypoint === undefined ? words : [entrypoint, ...words];
  if (argv.length === 0) call.by.add({ kind: "execute", program: call.program, words: [call.program, "run", flags.operands[0] ?? ""] });
  else {
    const state = startState(flags.value("w", "workdir") ?? "/", "/root", call.state.budget);
    // With the host's own processes or rights in it, the container is no wall.
    call.by.run(argv, call, call.stdin, { ...state, depth: call.state.depth + 1, ...(risky ? {} : { mounts }) });
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "run", flags.operands[0] ?? ""] });
  }
  return UNSEEN;
}

function mountText(text: string): string {
  const fields = new Map(text.split(",").map((field) => field.split("=") as [string, string]));
  return fields.get("type") === "volume" || fields.get("type") === "tmpfs" ? "" : `${fields.get("source") ?? fields.get("src") ?? ""}:${fields.get("target") ?? fields.get("dst") ?? fields.get("destination") ?? ""}`;
}

function hostPlace(path: string, call: Call): boolean {
  if (/^\/(etc|root|boot|proc|sys|dev|usr|bin|sbin|lib|lib64|var|run)(\/|$)/.test(path) && !/^\/var\/(folders|tmp)|^\/etc\/(localtime|timezone)$|^\/dev\/shm/.test(path)) return true;
  return path === "/" || path === call.by.home || path === "/home" || path === "/Users" || path.startsWith(`${call.by.home}/.ssh`) || path.startsWith(`${call.by.home}/.aws`) || path.startsWith(`${call.by.home}/.kube`);
}

function dockerExec(args: readonly string[], call: Call, skip: number): Flow {
  const options = parseOptions(args, { short: "euwnc", long: ["env", "user", "workdir", "env-file", "detach-keys", "index", "namespace", "container", "context", "kubeconfig"], stop: true });
  let words = options.operands.slice(skip);
  // kubectl allows options after the pod's name.
  while (words[0]?.startsWith("-")) words = words[0] === "--" ? words.slice(1) : words.slice(/^-(n|c|-namespace|-container)$/.test(words[0]) ? 2 : 1);
  if (options.has("privileged")) call.by.harm("container-host", `${call.program} exec ${args.join(" ")}`);
  if (words.length === 0) return UNSEEN;
  call.by.add({ kind: "execute", program: call.program, words: [call.program, "exec", ...words.slice(0, 5)] });
  const state = { ...startState("/", "/root", call.state.budget), cwds: [undefined], depth: call.state.depth + 1 };
  return call.by.run(words, call, call.stdin.from === "inherit" ? INHERITED : call.stdin, state);
}

const compose: Program = (call) => {
  const options = parseOptions(call.args, { short: "fp", long: ["file", "project-name", "profile", "env-file", "project-directory"], stop: true });
  const [verb = "", ...rest] = options.operands;
  if (/^(stop|restart|kill|down|pause|rm)$/.test(verb)) call.by.harm(verb === "rm" || (verb === "down" && rest.some((arg) => arg === "-v" || arg === "--volumes")) ? "container-data" : "compose-stop", `docker compose ${options.operands.join(" ")}`);
  else if (verb === "exec") return dockerExec(rest.filter((arg) => arg !== "-T"), call, 1);
  else if (verb === "run") {
    const inner = parseOptions(rest.filter((arg) => arg !== "-T"), { short: "vewupl", long: RUN_VALUES, stop: true });
    if (inner.operands.length > 1) call.by.run(inner.operands.slice(1), call, call.stdin, { ...startState("/", "/root", call.state.budget), mounts: [], depth: call.state.depth + 1 });
  } else if (/^(logs|ps|config|images|top|version|ls|port|events)$/.test(verb)) return reads(call);
  call.by.add({ kind: "execute", program: "docker compose", words: ["docker", "compose", ...options.operands.slice(0, 5)] });
  return UNSEEN;
};

const kubectl: Program = (call) => {
  const globals = parseOptions(call.args, { short: "nsf", long: ["namespace", "context", "kubeconfig", "cluster", "server", "token", "user", "as", "filename", "selector", "output", "replicas"] });
  const verb = globals.operands[0] ?? "";
  const show = `${call.program} ${call.args.join(" ")}`;
  const at = call.args.indexOf(verb);
  if (verb === "exec") return dockerExec(call.args.slice(at + 1), call, 1);
  if (verb === "run" || verb === "debug") {
    const dashes = call.args.indexOf("--");
    if (/privileged|hostPID|hostPath|hostNetwork/.test(show) || (verb === "debug" && /node\//.test(show))) call.by.harm("container-host", show);
    if (dashes >= 0) call.by.run(call.args.slice(dashes + 1), call, call.stdin, { ...startState("/", "/root", call.state.budget), mounts: [], depth: call.state.depth + 1 });
  } else if (/^(delete|drain|taint)$/.test(verb)) call.by.harm("infrastructure", show);
  else if (verb === "scale" && globals.value("replicas") === "0") call.by.harm("infrastructure", show);
  else if (verb === "replace" && globals.has("force")) call.by.harm("infrastructure", show);
  else if (verb === "rollout" && globals.operands[1] === "restart") call.by.harm("service-stop", show);
  else if ((verb === "apply" || verb === "create") && (globals.has("prune") || globals.values("f", "filename").some((file) => /^https?:/.test(file)))) call.by.harm(globals.has("prune") ? "infrastructure" : "remote-run", show);
  else if ((verb === "get" || verb === "describe") && globals.operands.slice(1).some((word) => /^(secrets?|all|\w+,secrets?)(\/|$)/.test(word)) && globals.has("o", "output") && !/^(name|wide)$/.test(valueOf(call.args))) call.by.harm("secret-read", show);
  else if (verb === "config" && globals.operands[1] === "view" && globals.has("raw")) call.by.harm("secret-read", show);
  else if (verb === "create" && globals.operands[1] === "token") call.by.harm("secret-read", show);
  else if (/^(get|describe|logs|top|version|explain|api-resources|api-versions|cluster-info|events|diff)$/.test(verb)) return reads(call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function valueOf(args: readonly string[]): string {
  const at = args.findIndex((arg) => arg.startsWith("-o") || arg.startsWith("--output"));
  const arg = args[at] ?? "";
  return arg === "-o" || arg === "--output" ? (args[at + 1] ?? "") : arg.replace(/^(-o|--output)=?/, "");
}

// ── Packages ──

const OFFICIAL = /^https:\/\/(pypi\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|proxy\.golang\.org|download\.pytorch\.org|conda\.anaconda\.org|repo\.anaconda\.com|rubygems\.org|index\.crates\.io)(\/|$)/;

const pip: Program = (call) => {
  const options = parseOptions(call.args, { short: "rceifdtp", long: ["requirement", "constraint", "editable", "index-url", "extra-index-url", "index", "default-index", "find-links", "target", "prefix", "root", "proxy", "trusted-host", "python", "with", "from", "source"] });
  const show = `${call.program} ${call.args.join(" ")}`;
  const words = options.operands;
  for (const url of options.values("i", "index-url", "extra-index-url", "index", "default-index", "f", "find-links")) if (!OFFICIAL.test(url) && /:\/\/|[\uE000-\uE00F]/.test(url)) call.by.harm("package-index", show);
  if (options.has("trusted-host")) call.by.harm("package-index", show);
  if (words[0] === "config" && /^(set|edit)$/.test(words[1] ?? "")) call.by.harm("package-index", show);
  if (words.some((word) => /^(git\+|hg\+|svn\+|https?:|\S+ @ (git\+|http))/.test(word)) || options.values("e", "r", "requirement", "editable").some((value) => /^(https?:|git\+)/.test(value))) call.by.harm("remote-run", show);
  if (call.program === "uv" || call.program === "uvx" || call.program === "poetry" || call.program === "pipenv" || call.program === "pdm" || call.program === "hatch" || call.program === "rye" || call.program === "pipx") {
    if (words[0] === "run") return runWords(call, ["run"]);
    if (words[0] === "source" && words[1] === "add") call.by.harm("package-index", show);
    if (words[0] === "tool" && words[1] === "run") return runWords(call, ["tool", "run"]);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function runWords(call: Call, verbs: readonly string[]): Flow {
  const at = call.args.indexOf(verbs.at(-1)!);
  const options = parseOptions(call.args.slice(at + 1), { short: "pmw", long: ["python", "with", "extra", "group", "env-file", "project", "directory", "package", "module", "with-requirements", "index", "filter", "dir"], stop: true });
  const words = options.operands[0] === "--" ? options.operands.slice(1) : options.operands;
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
}

const npm: Program = (call) => {
  const options = parseOptions(call.args, { short: "cCpw", long: ["call", "registry", "prefix", "script-shell", "package", "userconfig", "globalconfig", "node-options", "workspace", "filter", "tag", "loglevel", "dir", "cwd", "git", "cache"] });
  const [verb = "", second = ""] = options.operands;
  const show = `${call.program} ${call.args.join(" ")}`;
  for (const url of options.values("registry")) if (!OFFICIAL.test(url)) call.by.harm("package-index", show);
  if (options.has("script-shell") || options.has("git") && options.value("git") !== undefined || options.has("node-options")) call.by.harm("option-runs", show);
  if (/^(config|c|set)$/.test(verb)) {
    const words = verb === "set" ? options.operands.slice(1) : options.operands.slice(2);
    if ((verb === "set" || second === "set") && /registry|script-shell|^git|cafile|strict-ssl|authtoken|proxy|prefix|globalconfig|userconfig|node-options|npmRegistryServer|init-module|editor|shell|viewer/i.test(words.join(" "))) call.by.harm("package-index", show);
    if (second === "get" && /token|password|_auth/i.test(words.join(" "))) call.by.harm("secret-read", show);
  }
  if (/^(unpublish|deprecate|owner|access|team|dist-tag)$/.test(verb) && verb === "unpublish") call.by.harm("infrastructure", show);
  if (verb === "token" && second === "list") call.by.harm("secret-read", show);
  if (/^(install|i|add|in|isntall|exec|x|dlx|create|init)$/.test(verb) && options.operands.slice(1).some((word) => /^(https?:|git\+|git:|git@|ssh:)/.test(word) && !OFFICIAL.test(word))) call.by.harm("remote-run", show);
  const code = options.value("c", "call");
  if (code !== undefined && /^(exec|x)$/.test(verb)) call.by.script(code, call);
  if (/^(exec|x|dlx)$/.test(verb)) {
    const at = call.args.indexOf(verb);
    const inner = parseOptions(call.args.slice(at + 1), { short: "pc", long: ["package", "call", "workspace"], stop: true });
    if (inner.operands.length > 0 && code === undefined) call.by.run(inner.operands, call);
  }
  if (verb === "explore") {
    const dashes = call.args.indexOf("--");
    if (dashes >= 0) call.by.run(call.args.slice(dashes + 1), call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return verb === "bin" || verb === "root" || verb === "prefix" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

const npx: Program = (call) => {
  const options = parseOptions(call.args, { short: "pc", long: ["package", "call", "registry", "shell", "node-arg"], stop: true });
  for (const url of options.values("registry")) if (!OFFICIAL.test(url)) call.by.harm("package-index", `npx ${call.args.join(" ")}`);
  for (const text of options.values("c", "call")) call.by.script(text, call);
  for (const name of [...options.values("p", "package"), ...options.operands.slice(0, 1)]) if (/^(https?:|git\+|git@|github:|gist:)/.test(name)) call.by.harm("remote-run", `npx runs ${name}`);
  if (options.operands.length > 0) {
    const [name = "", ...rest] = options.operands;
    call.by.run([name.replace(/(.)@[\w.^~-]+$/, "$1"), ...rest], call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

/** Package managers by the words that change where packages come from, or that remove without asking. */
const packages = (index: RegExp, removal?: RegExp, runs?: RegExp): Program => (call) => {
  const text = call.args.join(" ");
  if (index.test(text)) call.by.harm("package-index", `${call.program} ${text}`);
  if (removal?.test(text)) call.by.harm("infrastructure", `${call.program} ${text}`);
  if (runs?.test(text)) {
    call.by.harm("option-runs", `${call.program} ${text}`);
    for (const arg of call.args) if (/::|=/.test(arg)) call.by.script(arg.slice(arg.lastIndexOf("=") + 1), call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return call.program === "brew" && text.startsWith("--prefix") ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

const go: Program = (call) => {
  const text = call.args.join(" ");
  if (/^env -w .*(GOPROXY|GOFLAGS|GONOSUMDB|GOSUMDB|GOINSECURE|CC|GOPRIVATE)/.test(text)) call.by.harm("package-index", `go ${text}`);
  const exec = call.args.find((arg, i) => /^--?(toolexec|exec)=/.test(arg) || /^--?(toolexec|exec)$/.test(call.args[i - 1] ?? ""));
  if (exec !== undefined) {
    call.by.script(exec.replace(/^--?\w+=/, ""), call);
    call.by.harm("option-runs", `go ${text}`);
  }
  if (call.args[0] === "generate" || exec === undefined) call.by.add({ kind: "execute", program: "go", words: ["go", ...call.args.slice(0, 7)] });
  return call.args[0] === "env" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

const cargo: Program = (call) => {
  for (let i = 0; i < call.args.length; i++) if (call.args[i] === "--config" && /runner|wrapper|linker|rustc|registry|source|replace-with|=\s*\[?["']?\//.test(call.args[i + 1] ?? "")) call.by.harm("option-runs", `cargo --config ${call.args[i + 1]}`);
  if (call.args.some((arg, i) => arg === "--index" || (arg === "--git" && call.args[0] === "install" && i > 0))) call.by.harm(call.args.includes("--index") ? "package-index" : "remote-run", `cargo ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: "cargo", words: ["cargo", ...call.args.slice(0, 7)] });
  return UNSEEN;
};

// ── Databases ──

interface SqlClient {
  readonly short: string;
  readonly long: readonly string[];
  readonly code: readonly string[];
  /** Operand that holds SQL. */
  readonly operand?: number;
}

const sqlClient = (spec: SqlClient): Program => (call) => {
  const options = parseOptions(call.args, { short: spec.short, long: spec.long });
  const code = [...options.values(...spec.code), ...(spec.operand === undefined ? [] : options.operands.slice(spec.operand))];
  for (const text of code) judgeSql(text, call);
  if (spec.operand !== undefined && options.operands[0] !== undefined) call.by.read(options.operands[0], call);
  for (const file of options.values("f", "file", "init", "i")) {
    const own = call.by.written(file, call);
    if (own?.text !== undefined) judgeSql(own.text, call);
  }
  if (call.stdin.text !== undefined && code.length === 0) judgeSql(call.stdin.text, call);
  for (const option of options.values("o", "output", "L")) if (option.startsWith("|")) {
    call.by.harm("sql-program", `${call.program} -o ${option}`);
    call.by.script(option.slice(1), call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, "…"] });
  return UNSEEN;
};

const psql = sqlClient({ short: "cdfhLoFPpRTUv", long: ["command", "dbname", "file", "host", "port", "username", "output", "set", "variable", "log-file"], code: ["c", "command"] });
const mysql = sqlClient({ short: "eDhPuS", long: ["execute", "database", "host", "port", "user", "socket", "init-command", "default-character-set", "pager", "tee"], code: ["e", "execute", "init-command"] });
const sqlite = sqlClient({ short: "", long: ["cmd", "-cmd", "init", "separator", "nullvalue", "mode"], code: ["cmd"], operand: 1 });
const anySql = sqlClient({ short: "qcQehupdS", long: ["query", "execute", "command", "e", "host", "user", "password", "database"], code: ["q", "c", "Q", "e", "query", "execute", "command"], operand: 1 });

/** Databases with a language of their own: the words that empty or drop. */
const store = (pattern: RegExp): Program => (call) => {
  const text = `${call.args.join(" ")}\n${call.stdin.text ?? ""}`;
  if (pattern.test(text)) call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const dropper: Program = (call) => {
  if (!call.args.includes("--help")) call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
  return NOTHING;
};

/** Frameworks with tasks that drop the database. */
const tasks = (pattern: RegExp, code?: RegExp): Program => (call) => {
  const text = call.args.join(" ");
  if (pattern.test(text)) call.by.harm("database-drop", `${call.program} ${text}`);
  if (code) {
    const match = code.exec(text);
    if (match) call.by.harm("code-runs", `${call.program} ${text}`);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

// ── Infrastructure ──

/** Programs of clouds: the words that destroy, and the words that print secrets. */
const cloud = (destroys: RegExp, secret?: RegExp): Program => (call) => {
  const text = call.args.filter((arg) => !arg.includes(MANY)).join(" ");
  if (call.args.includes("--help") || call.args.includes("help") || (/--dry-?run\b/i.test(text) && !/--no-dry-?run/.test(text))) return reads(call);
  if (destroys.test(text)) call.by.harm("infrastructure", `${call.program} ${text}`);
  if (secret?.test(text)) call.by.harm("secret-read", `${call.program} ${text}`);
  for (const arg of call.args) if (/^(~|\/|\.)/.test(arg) && !hasMark(arg)) call.by.read(arg, call, { shown: false });
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const terraform = cloud(/(^|\s)(destroy)\b|apply\b.*(-destroy|-auto-approve)|^state (rm|push)|^workspace delete|^force-unlock|^taint\b|\brun-all (destroy|apply)/, /^output.*(-json|-raw)|^state pull/);
const aws = cloud(/\b(delete|terminate|remove|deregister|purge|destroy|disable|revoke|detach|stop|reboot|release|cancel|reset|empty)(-[\w-]+)\b|^(--?[\w-]+ \S+ )*s3 (rb|rm)\b|s3 (sync|mv)\b.*--delete/, /secretsmanager get-secret-value|ssm get-parameters?.*--with-decryption|sts (get-session-token|assume-role)|configure (get|export-credentials)|get-authorization-token|create-access-key|kms decrypt/);
const gcloud = cloud(/(^|\s)(delete|destroy|remove|reset|stop|disable|undelete-?|purge)(\s|$)|^(rm|rb)\b|\brm -r|rsync.*\s-d\b/, /auth (application-default )?print-(access|identity)-token|secrets versions access|keys create/);

const ansible: Program = (call) => {
  const options = parseOptions(call.args, { short: "miauelfBPtck", long: ["module-name", "args", "inventory", "user", "extra-vars", "limit"] });
  const module = options.value("m", "module-name") ?? "command";
  const text = options.value("a", "args");
  if (text !== undefined && /^(ansible\.builtin\.)?(shell|command|raw|script)$/.test(module)) call.by.script(text, call, { state: { ...call.state, cwds: [undefined] } });
  else if (/^(service|systemd)$/.test(module) && /state=(stopped|restarted)/.test(text ?? "")) call.by.harm("service-stop", `ansible ${text}`);
  else if (/^(reboot)$/.test(module)) call.by.add({ kind: "power", action: "ansible reboot" });
  else if (module === "file" && /state=absent/.test(text ?? "")) call.by.remove(/path=(\S+)/.exec(text!)?.[1] ?? UNKNOWN, call, { recursive: true, by: "ansible file" });
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const hermes: Program = (call) => {
  const words = parseOptions(call.args, { short: "pq" }).operands;
  const [area = "", verb = ""] = words;
  const show = `hermes ${words.join(" ")}`;
  if (area === "gateway" && /^(stop|restart|uninstall|kill)$/.test(verb)) call.by.harm("self-gateway", show);
  else if (area === "update" || area === "upgrade" || area === "uninstall") call.by.harm("self-update", show);
  else if ((area === "config" && /^(set|unset|edit|migrate)$/.test(verb)) || (/^(plugins?|tools|skills?|mcp|hooks?|cron|profile|auth|toolsets?|memory)$/.test(area) && /^(enable|disable|install|add|remove|rm|delete|set|update|uninstall|create|import|login|logout)$/.test(verb)) || /^(setup|login|logout|model|import|restore)$/.test(area)) call.by.harm("self-config", show);
  call.by.add({ kind: "execute", program: "hermes", words: ["hermes", ...words] });
  return call.stdin.from === "inherit" ? UNSEEN : derived(call.stdin);
};

const DB_TASKS = /\b(db:(drop|reset|wipe|purge|schema:load|migrate:reset|truncate_all)|migrate:(fresh|reset|refresh)|migrate reset|db push --force-reset|db wipe|sqlflush|flush --no-?input|reset_db|flush\b|ecto\.(drop|reset))/;

export const PLATFORMS: Readonly<Record<string, Program>> = {
  docker, podman: docker, nerdctl: docker, "docker-compose": compose, "podman-compose": compose, kubectl, oc: kubectl, k3s: (call) => (call.args[0] === "kubectl" ? kubectl({ ...call, args: call.args.slice(1) }) : UNSEEN), microk8s: (call) => (call.args[0] === "kubectl" ? kubectl({ ...call, args: call.args.slice(1) }) : UNSEEN), k: kubectl, helm: cloud(/^(\S+ )*(uninstall|delete|del|un)\b/), lxc: (call) => (call.args[0] === "exec" ? call.by.run(call.args.slice(call.args.indexOf("--") + 1), call) : cloud(/^(delete|stop|restart)\b/)(call)), crictl: cloud(/^(rm|rmi|stop|rmp|stopp)\b/), ctr: cloud(/\b(rm|delete|kill)\b/), virsh: cloud(/^(destroy|undefine|shutdown|reboot|vol-delete|pool-destroy|pool-delete)/), multipass: cloud(/^(delete|purge|stop)/), limactl: cloud(/^(delete|stop|factory-reset)/), colima: cloud(/^(delete|stop)/), minikube: cloud(/^(delete|stop)/), kind: cloud(/^delete/), k3d: cloud(/^\w+ (delete|stop)/),
  pip, pip3: pip, pipx: pip, uv: pip, uvx: (call) => npx(call), poetry: pip, pipenv: pip, pdm: pip, hatch: pip, rye: pip, npm, pnpm: npm, yarn: npm, cnpm: npm, npx, pnpx: npx, bunx: npx, go, cargo,
  gem: packages(/^sources.*(-a|--add)|--source[= ](?!https:\/\/rubygems\.org)|(^|\s)-s https?:/), bundle: (call) => (call.args[0] === "exec" ? call.by.run(call.args.slice(1), call) : packages(/^config.*mirror|^config.*(set).*(source|mirror)/)(call)), apt: packages(/^(edit-sources)/, undefined, /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin)/i), "apt-get": packages(/allow-(unauthenticated|insecure)/, undefined, /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin)/i), aptitude: packages(/(?!)/), "apt-key": packages(/^(add|adv)/), "add-apt-repository": packages(/(?!--help)/), "apt-add-repository": packages(/./), dnf: packages(/config-manager.*--?(add-repo|addrepo)|--nogpgcheck|--repofrompath/), yum: packages(/--nogpgcheck/), "yum-config-manager": packages(/--add-repo/), rpm: packages(/--import|--nosignature/), zypper: packages(/^(ar|addrepo)\b/), pacman: packages(/(?!)/), apk: packages(/(-X|--repository|--allow-untrusted)/), brew: (call) => brew(call), flatpak: packages(/remote-add/), snap: packages(/--dangerous|--devmode|--classic.*--dangerous/), choco: packages(/^source add/), composer: (call) => (call.args[0] === "exec" ? call.by.run(call.args.slice(1).filter((arg) => arg !== "--"), call) : packages(/^config.*(repositor|secure-http|disable-tls)/)(call)), luarocks: packages(/--server/), nuget: packages(/sources add/), dotnet: packages(/nuget add source/), corepack: (call) => call.by.run(call.args.filter((arg, i) => i > 0 || !["enable", "prepare"].includes(arg)), call),
  psql, pgcli: psql, mysql, mariadb: mysql, mycli: mysql, sqlite3: sqlite, sqlite, litecli: sqlite, duckdb: sqlClient({ short: "c", long: ["c", "s", "cmd", "init"], code: ["c", "s", "cmd"], operand: 1 }), "clickhouse-client": anySql, clickhouse: anySql, sqlcmd: anySql, isql: anySql, sqlplus: anySql, cqlsh: sqlClient({ short: "efupk", long: ["execute", "file"], code: ["e", "execute"] }), bq: (call) => (judgeSql(call.args.slice(1).filter((arg) => !arg.startsWith("-")).join(" ; "), call), cloud(/^(\S+ )*rm\b/)(call)), snowsql: anySql, trino: anySql, presto: anySql, hive: anySql, "spark-sql": anySql, cockroach: anySql, usql: anySql,
  dropdb: dropper, dropuser: dropper, mysqladmin: store(/\bdrop\b/), "redis-cli": store(/\b(flushall|flushdb)\b|\bconfig\s+set\s+(dir|dbfilename)|\bmodule\s+load\b|\bshutdown\b|\bdebug\s+segfault\b/i), valkey: store(/\b(flushall|flushdb)\b/i), "valkey-cli": store(/\b(flushall|flushdb)\b/i), mongo: store(/dropDatabase|\.drop\(|deleteMany\(\s*\{\s*\}|\.remove\(\s*\{?\s*\}?\s*\)/), mongosh: store(/dropDatabase|\.drop\(|deleteMany\(\s*\{\s*\}|\.remove\(\s*\{?\s*\}?\s*\)/), etcdctl: store(/\bdel\b.*(--prefix|--from-key)|\bdel\b/), influx: store(/\b(drop|delete)\b/i), consul: cloud(/kv delete|leave|operator raft remove/), mongorestore: store(/--drop\b/), pg_restore: store(/--clean\b|(^|\s)-c\b/), rails: tasks(DB_TASKS, /^(runner|r)\s.*(system|exec|`|eval)/), rake: tasks(DB_TASKS), "manage.py": tasks(DB_TASKS), artisan: tasks(DB_TASKS), prisma: tasks(DB_TASKS), sequelize: tasks(/db:drop|db:migrate:undo:all/), "sequelize-cli": tasks(/db:drop|db:migrate:undo:all/), knex: tasks(/migrate:rollback --all/), typeorm: tasks(/schema:drop/), mix: tasks(DB_TASKS), flyway: tasks(/\bclean\b/), liquibase: tasks(/drop-?all/i), "drizzle-kit": tasks(/\bdrop\b/), alembic: tasks(/downgrade base/), supabase: tasks(/db reset/),
  terraform, tofu: terraform, terragrunt: terraform, tf: terraform, pulumi: cloud(/^(\S+ )*(destroy|up\b.*(-y|--yes)|stack rm|cancel|refresh.*-y)/, /--show-secrets|config get .*--/), aws, awslocal: aws, gcloud, gsutil: gcloud, az: cloud(/(^|\s)(delete|purge|deallocate|stop|restart|remove)(-[\w-]+)?(\s|$)/, /keyvault secret show|account get-access-token|keys list|list-keys|credential (list|reset)/), doctl: cloud(/\b(delete|rm|d|destroy)\b/, /auth token/), heroku: cloud(/(apps:destroy|apps:delete|pg:reset|addons:destroy|ps:stop|pg:killall|(^|\s)destroy\b)/, /^(config(:get)?\b(?!:(set|unset|edit))|auth:token|pg:credentials)/), fly: cloud(/\b(destroy|delete|remove)\b/, /auth token|tokens create/), flyctl: cloud(/\b(destroy|delete|remove)\b/, /auth token/), vercel: cloud(/^(\S+ )*(rm|remove|project rm|env rm)\b/, /^env pull|^env ls.*decrypt/), netlify: cloud(/(sites:delete|\bdelete\b)/, /env:get|env:list/), railway: cloud(/\b(down|delete|remove)\b/, /^variables/), wrangler: cloud(/\b(delete)\b/), firebase: cloud(/(delete|destroy|:disable|remove)/), eksctl: cloud(/^(delete|drain)\b/), kops: cloud(/^delete\b/), linode: cloud(/\bdelete\b/), "linode-cli": cloud(/\b(delete|rm)\b/), hcloud: cloud(/\b(delete|shutdown|poweroff|reset|reboot)\b/), scw: cloud(/\b(delete|terminate|stop)\b/), oci: cloud(/\b(delete|terminate)\b/), ibmcloud: cloud(/\b(delete|rm|-rm)\b/), cf: cloud(/^(delete|d)\b|^delete-/, /^env\b/), serverless: cloud(/^remove\b/), sls: cloud(/^remove\b/), sam: cloud(/^delete\b/), cdk: cloud(/^destroy\b/), cdktf: cloud(/^destroy\b/), packer: cloud(/(?!)/), vault: cloud(/^(\S+ )*(delete|destroy|kv (delete|destroy|metadata delete)|secrets disable|auth disable|operator seal|lease revoke|token revoke)\b/, /^(kv get|read|token (lookup|create)|print token)\b/), nomad: cloud(/(job stop|stop|system gc|node drain)\b/), rclone: cloud(/^(\S+ )*(purge|delete|deletefile|rmdirs|sync|cleanup)\b/, /^config (show|dump)/), s3cmd: cloud(/^(\S+ )*(del|rm|rb|sync.*--delete-removed|expire)\b/), mc: cloud(/^(rm|rb|mirror.*--remove)\b/), b2: cloud(/(delete|rm)/), flux: cloud(/^(delete|uninstall)/), argocd: cloud(/\b(delete|terminate-op)\b/), istioctl: cloud(/uninstall|experimental uninstall/), velero: cloud(/\bdelete\b/), ansible, "ansible-playbook": cloud(/(?!)/), salt: cloud(/(?!)/), chef: cloud(/(?!)/), knife: cloud(/\bdelete\b/), hermes, "hermes-agent": hermes,
};

function brew(call: Call): Flow {
  const [verb = "", ...rest] = call.args;
  if (verb === "services" && /^(stop|restart|kill)$/.test(rest[0] ?? "")) call.by.harm("service-stop", `brew ${call.args.join(" ")}`);
  else if (verb === "tap" && rest.some((word) => /^(https?:|git@)/.test(word))) call.by.harm("package-index", `brew ${call.args.join(" ")}`);
  else if (verb === "install" && rest.some((word) => /^https?:/.test(word))) call.by.harm("remote-run", `brew ${call.args.join(" ")}`);
  return packages(/(?!)/)(call) as Flow;
}
