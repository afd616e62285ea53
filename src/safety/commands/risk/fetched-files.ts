import { posix } from "node:path";
import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "./effect.ts";
import { REMOTE } from "../parse/marks.ts";
import { once } from "../parse/once.ts";

/** Programs that run files of one type. */
const RUNS_FILES =
  /^(cmake|gradlew?|mvn|ant|sbt|meson|ninja|nix(-\w+)?|guix|task|just|rake|conda|mamba|dnf|rpm|dpkg|apt|brew|npm|pip3?)$/;

const anyOf = (names: string, when: RegExp): Readonly<Record<string, RegExp>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, when]));

/** Programs that install, apply or start a file that they are named, and with which words. */
const does = once((): Readonly<Record<string, RegExp>> => ({
  ...anyOf(
    "ansible-playbook rpm dpkg installer msiexec crontab insmod expect tclsh wish Rscript julia octave lua luajit deno bun tsx ts-node",
    /./,
  ),
  ...anyOf(
    "osascript amm scala groovy jbang rust-script kotlinc kotlin swift rdmd jshell clj clojure bb elixir iex runghc runhaskell guile racket ocaml raku sbcl fennel janet bpftrace nix-build nix-shell",
    /./,
  ),
  ...anyOf("dart zig crystal v nim cargo", /\brun\b|^r\b|script\b/),
  ...anyOf(
    "apt apt-get dnf yum zypper apk snap flatpak pip pip3 pipx uv npm yarn pnpm gem go brew conda mamba choco winget",
    /^(?:install|i|add|localinstall|reinstall|run|exec|x|tool|upgrade|global)\b/,
  ),
  dotnet: /^(?:fsi|script|run)\b/,
  java: /\.(?:java|jar)\b/,
  rails: /\b(?:runner|r)\b/,
  artisan: /^tinker\b/,
  jupyter: /^(?:console|execute|run)\b/,
  pacman: /^-U/,
  kubectl: /\b(?:apply|create|replace)\b/,
  oc: /\b(?:apply|create|replace)\b/,
  helm: /\b(?:install|upgrade)\b/,
  docker: /\b(?:compose|build|load|stack)\b/,
  podman: /\b(?:compose|build|load|play|kube)\b/,
  "docker-compose": /./,
  nomad: /\brun\b/,
  systemctl: /\b(?:link|enable)\b/,
  launchctl: /\b(?:load|bootstrap|submit)\b/,
  terraform: /\b(?:apply|init)\b/,
  vagrant: /\b(?:up|provision)\b/,
  packer: /\bbuild\b/,
}));

/** Programs that take what they do from the file behind this option; the others hold what they work on. */
const doesFileOf = once((): Readonly<Record<string, RegExp>> =>
  Object.fromEntries(
    (
      [
        ["awk gawk mawk sed psql mysql mariadb", /^(?:-f|--file|-e)$/],
        ["vim nvim vi ex", /^(?:-S|-u|-s|--cmd)$/],
        ["emacs", /^(?:-l|--load|--script)$/],
        ["java javaw", /^-(?:jar|cp|classpath)$/],
        ["gdb lldb", /^(?:-x|-s|--source|--command)$/],
      ] as const
    ).flatMap(([names, option]) => names.split(" ").map((name) => [name, option])),
  ),
);

/** Programs that run what they read where no file is named, and the words they may have then. */
const runsInput = once((): Readonly<Record<string, RegExp>> => ({
  ...anyOf(
    "bun deno tclsh wish expect osascript amm clj clojure iex jshell pwsh powershell fennel janet",
    /^(?:-[\w-]+ ?)*$/,
  ),
  ...anyOf("osascript", /^(?:-l \w+ ?|-s \w+ ?)*$/),
  rails: /^(?:c|console)\b[^/]*$/,
  artisan: /^tinker$/,
  jupyter: /^console\b/,
  ex: /^-s\b/,
  source: /^$/,
  ".": /^$/,
}));
const COMPILES = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|tcc|go|ghc|ocamlopt|zig|dmd|ldc2|gfortran|fpc)$/;
const MAX_SOURCE = 20_000;
const INPUT = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

export function doesFiles(call: Call): boolean {
  const { program } = call;
  if (COMPILES.test(program)) return true;
  return (
    mayBeFetched(call) &&
    (RUNS_FILES.test(program) ||
      Object.hasOwn(does(), program) ||
      Object.hasOwn(doesFileOf(), program) ||
      Object.hasOwn(runsInput(), program))
  );
}

/** Nothing can have come from the network where nothing is read, written or named that did. */
function mayBeFetched({ stdin, state, args }: Call): boolean {
  return (
    stdin.remote === true ||
    stdin.text?.includes(REMOTE) === true ||
    state.files.size > 0 ||
    args.some((arg) => /(?:https?|ftp):/.test(arg))
  );
}

/**
 * A file that came from the network: `ansible-playbook <(curl …)`, `curl -O …/a.deb && dpkg -i a.deb`, `curl … | deno
 * run -`.
 */
export function fetchedWords(call: Call): void {
  if (mayBeFetched(call)) judgeWords(call);
  if (COMPILES.test(call.program)) compiled(call);
}

function judgeWords(call: Call): void {
  const { program, args } = call;
  const words = args.join(" ");
  const all = Object.hasOwn(does(), program) && does()[program]!.test(words === "" ? " " : words);
  const behind = Object.hasOwn(doesFileOf(), program) ? doesFileOf()[program] : undefined;
  for (const [at, arg] of args.entries()) {
    const file = arg.replace(/^--?[\w-]+=/, "");
    if (behind !== undefined && /\bso(?:urce)?!?\s+(?:https?|ftp):/.test(arg))
      call.by.harm("remote-run", `${program} ${arg}`);
    const taken = all || behind?.test(args[at - 1] ?? "") === true;
    if ((taken || file.startsWith("/dev/fd/")) && call.by.written(file, call)?.remote)
      call.by.harm("remote-run", `${program} does what came from the network`);
    if (taken && call.stdin.remote && (INPUT.test(file) || arg === "-f-")) runsNetwork(call);
  }
  // `tclsh <<< "$(curl …)"` as well.
  if (
    (call.stdin.remote || call.stdin.text?.includes(REMOTE)) &&
    Object.hasOwn(runsInput(), program) &&
    runsInput()[program]!.test(words)
  )
    runsNetwork(call);
  if (/^deno$/.test(program) && /^(?:test|bench|serve|install|cache|compile|x)\b.*\shttps?:/.test(words))
    call.by.harm("remote-run", `deno ${words}`);
  if (/^nix-(?:shell|build|env)$/.test(program) && args.some((arg) => /^https?:/.test(arg)))
    call.by.harm("remote-run", `${program} ${words}`);
}

function runsNetwork(call: Call): void {
  call.by.harm("remote-shell", `${call.program} runs text from the network`);
}

/** The effects of a C program that this script wrote, as far as they are severe. */
function judgeC(text: string, call: Call): void {
  if (/(?:while\s*\(\s*(?:1|true)\s*\)|for\s*\(\s*;\s*;\s*\))\s*\{?\s*(?:\w+\s*=\s*)?v?fork\s*\(\s*\)\s*;/.test(text))
    call.by.add({ kind: "fork bomb" });
  if (/\bkill\s*\(\s*-1\s*,/.test(text))
    call.by.add({ kind: "signal", target: "-1", everything: true, force: true, byName: false });
  if (/\breboot\s*\(\s*(?:RB_|LINUX_REBOOT|0x)/.test(text)) call.by.add({ kind: "power", action: "reboot()" });
  for (const [, line] of text.matchAll(/\b(?:system|popen)\s*\(\s*"((?:[^"\\]|\\.)*)"/g))
    call.by.script(line!.replace(/\\(.)/g, "$1"), call, { stdin: UNSEEN });
}

/** The output of a compiler comes from the network if its source does. */
function compiled(call: Call): void {
  for (const arg of call.args)
    if (/\.(?:c|cc|cpp|cxx)$/.test(arg) || arg === "-")
      judgeC((arg === "-" ? call.stdin : call.by.written(arg, call))?.text?.slice(0, MAX_SOURCE) ?? "", call);
  const sources = call.args.filter((arg) =>
    INPUT.test(arg) ? call.stdin.remote : /\.\w{1,4}$/.test(arg) && call.by.written(arg, call)?.remote,
  );
  if (sources.length === 0) return;
  if (call.args.includes("-run") || call.args[0] === "run") runsNetwork(call);
  const named = call.args[call.args.indexOf("-o") + 1];
  const out =
    call.args.includes("-o") && named !== undefined
      ? named
      : call.program === "rustc"
        ? posix.basename(sources[0]!).replace(/\.\w+$/, "")
        : "a.out";
  for (const path of call.by.paths(out, call.state))
    call.state.files.set(path, { text: undefined, remote: true, from: "file" });
}
