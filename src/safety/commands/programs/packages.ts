import { passesData } from "./roles/usual-programs.ts";
import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { judgeCode } from "../code/code.ts";
import { outputsInto } from "../risk/unknown-options.ts";
import { cargoWatch } from "./watchers.ts";
import { npm, npx } from "./node-packages.ts";
import { pip } from "./python-packages.ts";

/** Options that remove a package without checking what depends on it. */
const UNPROTECTED =
  /--force-(removal-of-\w+|broken-world)|^module (remove|reset|disable)\b|--set-disabled|--rebuilddb|--noscripts|--allow-remove-essential|--force-(all|depends|remove-\w+|overwrite)|--nodeps|(^|\s)-R\w*dd|--allowerasing.*\bremove\b|--ignore-dependencies|--break-system-packages.*--force/;

/** A package manager: the words that change package sources, and those that remove without a check. */
const packages =
  (index: RegExp, removal?: RegExp, runs?: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    if (index.test(text)) call.by.harm("package-index", `${call.program} ${text}`);
    if (
      call.args.slice(1).some((arg) => /^(https?|ftp):\/\//.test(arg)) &&
      /^(-\w*[UiF]\w*\s|install|add|in|localinstall|reinstall|upgrade)\b/.test(text)
    )
      call.by.harm("remote-run", `${call.program} ${text}`);
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
  if (/^env -w .*(GOPROXY|GOFLAGS|GONOSUMDB|GOSUMDB|GOINSECURE|CC|GOPRIVATE)/.test(text))
    call.by.harm("package-index", `go ${text}`);
  const exec = call.args.find(
    (arg, i) => /^--?(toolexec|exec|vettool)=/.test(arg) || /^--?(toolexec|exec|vettool)$/.test(call.args[i - 1] ?? ""),
  );
  if (exec !== undefined) {
    call.by.script(exec.replace(/^--?\w+=/, ""), call);
    if (!passesData(exec.replace(/^--?\w+=/, ""))) call.by.harm("option-runs", `go ${text}`);
  }
  if (call.args[0] === "run") ownProgram(call);
  if (call.args[0] === "generate" || exec === undefined)
    call.by.add({ kind: "execute", program: "go", words: ["go", ...call.args.slice(0, 7)] });
  return call.args[0] === "env" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

/** `go run x.go`, `go run -`: judges a program that this script wrote or passes in. */
function ownProgram(call: Call): void {
  const judge = (text: string): void => judgeCode("other", text.replaceAll(":=", "="), call);
  for (const file of call.args.slice(1)) {
    const text =
      file === "-" || file === "/dev/stdin"
        ? call.stdin.text
        : file.endsWith(".go")
          ? call.by.written(file, call)?.text
          : undefined;
    if (text !== undefined) judge(text);
  }
}

const cargo: Program = (call) => {
  outputsInto(call);
  for (let i = 0; i < call.args.length; i++)
    if (
      call.args[i] === "--config" &&
      /runner|wrapper|linker|rustc|registry|source|replace-with|=\s*\[?["']?\//.test(call.args[i + 1] ?? "")
    )
      call.by.harm("option-runs", `cargo --config ${call.args[i + 1]}`);
  if (call.args[0] === "watch") cargoWatch(call);
  if (call.args[0] === "owner" && call.args.some((arg) => /^(--add|--remove|-a|-r)\b/.test(arg)))
    call.by.harm("privilege-config", `cargo ${call.args.join(" ")}`);
  if (call.args[0] === "yank") call.by.harm("infrastructure", `cargo ${call.args.join(" ")}`);
  if (call.args.some((arg, i) => arg === "--index" || (arg === "--git" && call.args[0] === "install" && i > 0)))
    call.by.harm(call.args.includes("--index") ? "package-index" : "remote-run", `cargo ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: "cargo", words: ["cargo", ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function brew(call: Call): Flow {
  const [verb = "", ...rest] = call.args;
  if (verb === "services" && /^(stop|restart|kill)$/.test(rest[0] ?? ""))
    call.by.harm("service-stop", `brew ${call.args.join(" ")}`);
  else if (verb === "tap" && rest.some((word) => /^(https?:|git@)/.test(word)))
    call.by.harm("package-index", `brew ${call.args.join(" ")}`);
  else if (verb === "install" && rest.some((word) => /^https?:/.test(word)))
    call.by.harm("remote-run", `brew ${call.args.join(" ")}`);
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
    call.args[0] === "exec"
      ? call.by.run(call.args.slice(1), call)
      : packages(/^config.*mirror|^config.*(set).*(source|mirror)/)(call),
  apt: packages(
    /^(edit-sources)/,
    undefined,
    /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin|Pager)/i,
  ),
  "apt-get": packages(
    /allow-(unauthenticated|insecure)/,
    undefined,
    /(^|\s)(-o|--option)[= ]?\s*\S*(Pre-Invoke|Post-Invoke|Pre-Install|Proxy-Auto-Detect|Dir::Bin|Pager)/i,
  ),
  aptitude: packages(/(?!)/, undefined, /(^|\s)-o\s*\S*(Invoke|Dir::Bin|Pager)/i),
  "apt-key": packages(/^(add|adv)/),
  "add-apt-repository": packages(/(?!--help)/),
  "apt-add-repository": packages(/./),
  dnf: packages(
    /config-manager.*--?(add-repo|addrepo)|--nogpgcheck|--repofrompath|--enableplugin|(^|\s)(-c|--config)[= ]|--setopt=\S*(baseurl|plugins|gpgcheck)/,
  ),
  yum: packages(
    /--nogpgcheck|--repofrompath|--enableplugin|(^|\s)(-c|--config)[= ]|--setopt=\S*(baseurl|plugins|gpgcheck)/,
  ),
  "yum-config-manager": packages(/--add-repo/),
  rpm: packages(
    /--import|--nosignature|^-\w*[iUF]\S* .*https?:/,
    undefined,
    /(^|\s)(-E|--eval|--define)[= ].*%(?:\(|\{(?:lua|expand|load|uncompress)\b)|--pipe\b/,
  ),
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
