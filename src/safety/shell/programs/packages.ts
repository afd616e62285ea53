import type { Call, Program } from "../call.ts";
import { type Flow, UNSEEN } from "../effect.ts";
import { UNKNOWN } from "../marks.ts";
import { judgeCode } from "../code.ts";
import { parseOptions } from "../options.ts";
import { outputsInto } from "../stranger-options.ts";
import { putPackages } from "./put-packages.ts";
import { cargoWatch } from "./watchers.ts";

const pip: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "rceifdtpC",
    long: [
      "directory",
      "project",
      "requirement",
      "constraint",
      "editable",
      "index-url",
      "extra-index-url",
      "index",
      "default-index",
      "find-links",
      "target",
      "prefix",
      "root",
      "proxy",
      "trusted-host",
      "python",
      "with",
      "from",
      "source",
    ],
  });
  const show = `${call.program} ${call.args.join(" ")}`;
  outputsInto(call);
  const words = options.operands;
  for (const url of options.values("i", "index-url", "extra-index-url", "index", "default-index", "f", "find-links"))
    if (/:\/\/|[\uE000-\uE00F]/.test(url)) call.by.harm("package-index", show);
  if (options.has("trusted-host")) call.by.harm("package-index", show);
  if (words[0] === "config" && /^(set|edit)$/.test(words[1] ?? "")) call.by.harm("package-index", show);
  if (
    words.some((word) => /^(git\+|hg\+|svn\+|https?:|\S+ @ (git\+|http))/.test(word)) ||
    options.values("e", "r", "requirement", "editable").some((value) => /^(https?:|git\+)/.test(value))
  )
    call.by.harm("remote-run", show);
  if (
    call.program === "uv" ||
    call.program === "uvx" ||
    call.program === "poetry" ||
    call.program === "pipenv" ||
    call.program === "pdm" ||
    call.program === "hatch" ||
    call.program === "rye" ||
    call.program === "pipx"
  ) {
    if (words[0] === "run" || (words[0] === "env" && words[1] === "run")) return runWords(call, ["run"]);
    if (words[0] === "source" && words[1] === "add") call.by.harm("package-index", show);
    if (words[0] === "tool" && words[1] === "run") return runWords(call, ["tool", "run"]);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function runWords(call: Call, verbs: readonly string[]): Flow {
  const at = call.args.indexOf(verbs.at(-1)!);
  const options = parseOptions(call.args.slice(at + 1), {
    short: "pmw",
    long: [
      "python",
      "with",
      "extra",
      "group",
      "env-file",
      "project",
      "directory",
      "package",
      "module",
      "with-requirements",
      "index",
      "filter",
      "dir",
      "index-url",
    ],
    stop: true,
  });
  const words = options.operands[0] === "--" ? options.operands.slice(1) : options.operands;
  // `uv run -`: python, and what it reads is the program.
  if (words[0] === "-" || words[0] === "/dev/stdin") return call.by.run(["python3", "-"], call);
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
}

/** The scripts of a `package.json` that this very script wrote. */
function ownScripts(verb: string, second: string, call: Call): void {
  const text = call.by.written("package.json", call)?.text;
  if (text === undefined) return;
  const named = /^(run|run-script|rum)$/.test(verb) ? second : /^(install|i|ci|add|in)$/.test(verb) || verb === "" ? "(pre|post)?install|prepare" : verb;
  if (!/^[\w:.()|?-]+$/.test(named)) return;
  for (const [, code] of text.matchAll(new RegExp(`"(?:pre|post)?(?:${named})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, "g"))) call.by.script(code!.replace(/\\(.)/g, "$1"), call, { stdin: UNSEEN });
}

const npm: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "cCpw",
    long: [
      "call",
      "registry",
      "prefix",
      "script-shell",
      "package",
      "userconfig",
      "globalconfig",
      "node-options",
      "workspace",
      "filter",
      "tag",
      "loglevel",
      "dir",
      "cwd",
      "git",
      "cache",
    ],
  });
  // `yarn workspace web exec …`, `yarn workspaces foreach -A exec …`: the same verbs behind them.
  const inWorkspace = options.operands[0] === "workspace" || (options.operands[0] === "workspaces" && /^(foreach|run)$/.test(options.operands[1] ?? ""));
  const [verb = "", second = ""] = inWorkspace ? options.operands.slice(2) : options.operands;
  const show = `${call.program} ${call.args.join(" ")}`;
  ownScripts(verb, second, call);
  if (!options.has("g", "global")) putPackages(verb, options.value("prefix", "dir", "cwd", "C"), call);
  if (options.values("registry").length > 0) call.by.harm("package-index", show);
  if (options.has("script-shell") || (options.has("git") && options.value("git") !== undefined) || options.has("node-options"))
    call.by.harm("option-runs", show);
  if (/^(config|c|set)$/.test(verb)) {
    const words = verb === "set" ? options.operands.slice(1) : options.operands.slice(2);
    if (
      (verb === "set" || second === "set") &&
      /registry|script-shell|^git|cafile|strict-ssl|authtoken|proxy|prefix|globalconfig|userconfig|node-options|npmRegistryServer|yarn-?path|plugins|init-module|editor|shell|viewer/i.test(
        words.join(" "),
      )
    )
      call.by.harm("package-index", show);
    if (second === "get" && /token|password|_auth/i.test(words.join(" "))) call.by.harm("secret-read", show);
  }
  // What a later `npm install` or `npm test` runs.
  const scripts = verb === "set-script" ? options.operands.slice(2) : verb === "pkg" && second === "set" ? options.operands.slice(2).flatMap((word) => /^scripts\.[^=]+=(.*)$/s.exec(word)?.[1] ?? []) : [];
  for (const text of scripts) call.by.script(text, call, { stdin: UNSEEN });
  if (verb === "unpublish" || (verb === "token" && /^(revoke|create)$/.test(second)) || (verb === "dist-tag" && /^(rm|remove)$/.test(second))) call.by.harm("infrastructure", show);
  // Who may publish, and who may see.
  if ((/^(owner|team)$/.test(verb) && /^(add|rm|remove|destroy)$/.test(second)) || (verb === "access" && /^(public|restricted|grant|revoke|set)$/.test(second))) call.by.harm("privilege-config", show);
  if (verb === "token" && second === "list") call.by.harm("secret-read", show);
  if (
    /^(install|i|add|in|isntall|exec|x|dlx|create|init)$/.test(verb) &&
    options.operands.slice(1).some((word) => /^(https?:|git\+|git:|git@|ssh:|github:|gist:|gitlab:|bitbucket:)/.test(word))
  )
    call.by.harm("remote-run", show);
  if (options.values("package").some((word) => /^(?:https?:|git[+:@]|github:)/.test(word))) call.by.harm("remote-run", show);
  // Hadoop has a program of that name.
  if (/^(app|application|container)$/.test(verb) && call.args.includes("-kill")) call.by.harm("service-stop", show);
  const code = options.value("c", "call");
  if (code !== undefined && /^(exec|x)$/.test(verb)) call.by.script(code, call);
  if (verb === "exec" && call.program === "yarn" && options.operands.length > 1) call.by.script(call.args.slice(call.args.indexOf("exec") + 1).filter((arg) => arg !== "--").join(" "), call);
  else if (/^(exec|x|dlx)$/.test(verb)) {
    const at = call.args.indexOf(verb);
    const inner = parseOptions(call.args.slice(at + 1), { short: "pc", long: ["package", "call", "workspace"], stop: true });
    if (inner.operands.length > 0 && code === undefined) call.by.run(inner.operands, call);
  }
  if (/^(rimraf|del-cli|shx|run-s|cross-env|concurrently|nodemon)$/.test(verb)) call.by.run(call.args.slice(call.args.indexOf(verb)), call);
  if (verb === "explore") {
    const dashes = call.args.indexOf("--");
    if (dashes >= 0) call.by.run(call.args.slice(dashes + 1), call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return verb === "bin" || verb === "root" || verb === "prefix" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

const npx: Program = (call) => {
  const options = parseOptions(call.args, { short: "pc", long: ["package", "call", "registry", "shell", "node-arg"], stop: true });
  if (options.values("registry").length > 0) call.by.harm("package-index", `npx ${call.args.join(" ")}`);
  for (const text of options.values("c", "call")) call.by.script(text, call);
  for (const name of [...options.values("p", "package"), ...options.operands.slice(0, 1)])
    if (/^(https?:|git\+|git@|github:|gist:)/.test(name)) call.by.harm("remote-run", `npx runs ${name}`);
  if (options.operands.length > 0) {
    const [name = "", ...rest] = options.operands;
    call.by.run([name.replace(/(.)@[\w.^~-]+$/, "$1"), ...rest], call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

/** Package managers by the words that change where packages come from, or that remove without asking. */
/** Removal without a look at what needs it. */
const UNPROTECTED = /--force-(removal-of-\w+|broken-world)|^module (remove|reset|disable)\b|--set-disabled|--rebuilddb|--noscripts|--allow-remove-essential|--force-(all|depends|remove-\w+|overwrite)|--nodeps|(^|\s)-R\w*dd|--allowerasing.*\bremove\b|--ignore-dependencies|--break-system-packages.*--force/;

const packages =
  (index: RegExp, removal?: RegExp, runs?: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    if (index.test(text)) call.by.harm("package-index", `${call.program} ${text}`);
    if (call.args.slice(1).some((arg) => /^(https?|ftp):\/\//.test(arg)) && /^(-\w*[UiF]\w*\s|install|add|in|localinstall|reinstall|upgrade)\b/.test(text)) call.by.harm("remote-run", `${call.program} ${text}`);
    if (/^history (undo|rollback|redo)\b/.test(text)) call.by.harm("system-config", `${call.program} ${text}`);
    if (UNPROTECTED.test(text)) call.by.harm("system-config", `${call.program} ${text}`);
    if (removal?.test(text)) call.by.harm("infrastructure", `${call.program} ${text}`);
    if (runs?.test(text)) {
      call.by.harm("option-runs", `${call.program} ${text}`);
      for (const arg of call.args) if (/::|=/.test(arg)) call.by.script(arg.slice(arg.lastIndexOf("=") + 1), call);
    }
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    return call.program === "brew" && text.startsWith("--prefix") ? { text: UNKNOWN, from: "text" } : UNSEEN;
  };

const go: Program = (call) => {
  outputsInto(call);
  const text = call.args.join(" ");
  if (/^env -w .*(GOPROXY|GOFLAGS|GONOSUMDB|GOSUMDB|GOINSECURE|CC|GOPRIVATE)/.test(text)) call.by.harm("package-index", `go ${text}`);
  const exec = call.args.find((arg, i) => /^--?(toolexec|exec|vettool)=/.test(arg) || /^--?(toolexec|exec|vettool)$/.test(call.args[i - 1] ?? ""));
  if (exec !== undefined) {
    call.by.script(exec.replace(/^--?\w+=/, ""), call);
    call.by.harm("option-runs", `go ${text}`);
  }
  if (call.args[0] === "run") ownProgram(call);
  if (call.args[0] === "generate" || exec === undefined) call.by.add({ kind: "execute", program: "go", words: ["go", ...call.args.slice(0, 7)] });
  return call.args[0] === "env" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

/** `go run x.go`, `go run -`: what this very script wrote, or hands it, is judged. */
function ownProgram(call: Call): void {
  const judge = (text: string): void => judgeCode("other", text.replaceAll(":=", "="), call);
  for (const file of call.args.slice(1)) {
    const text = file === "-" || file === "/dev/stdin" ? call.stdin.text : file.endsWith(".go") ? call.by.written(file, call)?.text : undefined;
    if (text !== undefined) judge(text);
  }
}

const cargo: Program = (call) => {
  outputsInto(call);
  for (let i = 0; i < call.args.length; i++)
    if (call.args[i] === "--config" && /runner|wrapper|linker|rustc|registry|source|replace-with|=\s*\[?["']?\//.test(call.args[i + 1] ?? ""))
      call.by.harm("option-runs", `cargo --config ${call.args[i + 1]}`);
  if (call.args[0] === "watch") cargoWatch(call);
  if (call.args[0] === "owner" && call.args.some((arg) => /^(--add|--remove|-a|-r)\b/.test(arg))) call.by.harm("privilege-config", `cargo ${call.args.join(" ")}`);
  if (call.args[0] === "yank") call.by.harm("infrastructure", `cargo ${call.args.join(" ")}`);
  if (call.args.some((arg, i) => arg === "--index" || (arg === "--git" && call.args[0] === "install" && i > 0)))
    call.by.harm(call.args.includes("--index") ? "package-index" : "remote-run", `cargo ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: "cargo", words: ["cargo", ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function brew(call: Call): Flow {
  const [verb = "", ...rest] = call.args;
  if (verb === "services" && /^(stop|restart|kill)$/.test(rest[0] ?? "")) call.by.harm("service-stop", `brew ${call.args.join(" ")}`);
  else if (verb === "tap" && rest.some((word) => /^(https?:|git@)/.test(word))) call.by.harm("package-index", `brew ${call.args.join(" ")}`);
  else if (verb === "install" && rest.some((word) => /^https?:/.test(word))) call.by.harm("remote-run", `brew ${call.args.join(" ")}`);
  return packages(/(?!)/)(call) as Flow;
}

export const PACKAGES: Readonly<Record<string, Program>> = {
  pip,
  pip3: pip,
  pipx: pip,
  uv: pip,
  uvx: (call) => npx(call),
  poetry: pip,
  pipenv: pip,
  pdm: pip,
  hatch: pip,
  rye: pip,
  npm,
  pnpm: npm,
  yarn: npm,
  cnpm: npm,
  npx,
  pnpx: npx,
  bunx: npx,
  go,
  cargo,
  gem: packages(/^sources.*(-a|--add)|--source[= ]|(^|\s)-s https?:/, /^yank/),
  bundle: (call) =>
    call.args[0] === "exec" ? call.by.run(call.args.slice(1), call) : packages(/^config.*mirror|^config.*(set).*(source|mirror)/)(call),
  apt: packages(/^(edit-sources)/, undefined, /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin|Pager)/i),
  "apt-get": packages(
    /allow-(unauthenticated|insecure)/,
    undefined,
    /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin|Pager)/i,
  ),
  aptitude: packages(/(?!)/, undefined, /(^|\s)-o\s*\S*(Invoke|Dir::Bin|Pager)/i),
  "apt-key": packages(/^(add|adv)/),
  "add-apt-repository": packages(/(?!--help)/),
  "apt-add-repository": packages(/./),
  dnf: packages(/config-manager.*--?(add-repo|addrepo)|--nogpgcheck|--repofrompath|--enableplugin|(^|\s)(-c|--config)[= ]|--setopt=\S*(baseurl|plugins|gpgcheck)/),
  yum: packages(/--nogpgcheck|--repofrompath|--enableplugin|(^|\s)(-c|--config)[= ]|--setopt=\S*(baseurl|plugins|gpgcheck)/),
  "yum-config-manager": packages(/--add-repo/),
  rpm: packages(/--import|--nosignature|^-\w*[iUF]\S* .*https?:/, undefined, /(^|\s)(-E|--eval|--define)[= ].*%[({]|--pipe\b/),
  zypper: packages(/^(ar|addrepo|rr|removerepo|mr|modifyrepo|nr|renamerepo|as|addservice)\b/),
  pacman: packages(/(?!)/),
  apk: packages(/(-X|--repository|--allow-untrusted)/),
  brew: (call) => brew(call),
  choco: packages(/^source add/),
  composer: (call) =>
    call.args[0] === "exec"
      ? call.by.run(
          call.args.slice(1).filter((arg) => arg !== "--"),
          call,
        )
      : packages(/^config.*(\brepo(sitor\w*)?s?\.|secure-http|disable-tls)/)(call),
  luarocks: packages(/--server/),
  nuget: packages(/sources add/),
  dotnet: packages(/nuget add source/, /^ef (database drop|migrations remove --force)\b/),
  corepack: (call) =>
    call.by.run(
      call.args.filter((arg, i) => i > 0 || !["enable", "prepare"].includes(arg)),
      call,
    ),
};
