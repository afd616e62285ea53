import type { Call, Program } from "../call.ts";
import { type Flow, NOTHING, UNSEEN } from "../effect.ts";
import { judgeEnvironment } from "../environment.ts";
import { isKnown, MANY, UNKNOWN } from "../marks.ts";
import { parseOptions } from "../options.ts";
import {
  afterDoubleDash,
  afterOption,
  bubblewrap,
  busybox,
  capabilities,
  chroot,
  conda,
  eachText,
  elevated,
  expectProgram,
  flock,
  gdb,
  ipExec,
  nix,
  nsenter,
  screen,
  scriptProgram,
  ssh,
  startStop,
  systemdRun,
  tmux,
  vagrant,
  watch,
  windowsShell,
} from "./launchers.ts";
import { fork } from "../state.ts";
import { WATCHERS } from "./watchers.ts";
import { wrapper } from "./wrapper.ts";

const env: Program = (call) => {
  // `-S` splits its text into words of its own.
  let args = [...call.args];
  for (let i = 0; i < args.length && i < 40; i++) {
    const arg = args[i]!;
    const split = arg === "-S" || arg === "--split-string" ? args[i + 1] : /^(?:-[iv0]*S|--split-string=)([\s\S]+)$/.exec(arg)?.[1];
    if (split !== undefined) {
      args = [...args.slice(0, i), ...splitWords(split), ...args.slice(i + (arg === "-S" || arg === "--split-string" ? 2 : 1))];
      break;
    }
    if (!arg.startsWith("-")) break;
  }
  const options = parseOptions(args, { short: "uCa", long: ["unset", "chdir", "argv0"], stop: true });
  let words = options.operands;
  const state = { ...call.state, variables: new Map(call.state.variables), exported: new Set(call.state.exported) };
  const directory = options.value("C", "chdir");
  if (directory !== undefined) state.cwds = call.by.paths(directory, call.state);
  const assigned = assignmentsBefore(words);
  const program = words[assigned.length] ?? "";
  for (const [name, value] of assigned) {
    state.variables.set(name, value);
    state.exported.add(name);
    judgeEnvironment(name, value, { ...call, program });
  }
  words = words.slice(assigned.length);
  if (words.length > 0) return call.by.run(words, call, call.stdin, state);
  call.by.harm("environment-read", "env prints the whole environment");
  return { text: undefined, secret: "environment", from: "pipe" };
};

/** `A=1 B=2` before the command of `env` and `sudo`. */
function assignmentsBefore(words: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const out: [string, string][] = [];
  for (const word of words) {
    if (!/^[A-Za-z_][\w%]*=/.test(word)) break;
    const equals = word.indexOf("=");
    out.push([word.slice(0, equals), word.slice(equals + 1)]);
  }
  return out;
}

function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)) words.push(match[1] ?? match[2] ?? match[3]!);
  return words;
}

const sudo: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "ugpCDhRrTtU",
    long: ["user", "group", "prompt", "close-from", "chdir", "host", "chroot", "role", "type", "command-timeout", "other-user"],
    stop: true,
  });
  let words = options.operands;
  const assigned = assignmentsBefore(words);
  for (const [name, value] of assigned) judgeEnvironment(name, value, call);
  words = words.slice(assigned.length);
  if (options.has("S", "stdin") || options.has("A", "askpass"))
    call.by.harm("sudo-flag", `sudo ${call.args.join(" ")}: takes the password from elsewhere than a person`);
  const other = options.value("u", "user");
  const asUser = words.length > 0 && other !== undefined && !/^(root|#?0)$/.test(other) && isKnown(other);
  if (!asUser && (options.has("s", "shell") || options.has("i", "login")))
    call.by.harm(words.length > 0 ? "sudo-flag" : "root-shell", `sudo ${call.args.join(" ")}`);
  if (options.has("e", "edit") || call.program === "sudoedit") {
    for (const file of words) call.by.write(file, call, "edit");
    return NOTHING;
  }
  if (words.length === 0) return UNSEEN;
  const program = words[0]!.replace(/^.*\//, "");
  const rest = words.slice(1).filter((word) => !/^-(i|l|-login|p)$/.test(word));
  if (/^(bash|sh|zsh|dash|ksh|fish|csh|tcsh)$/.test(program) && rest.length === 0 && call.stdin.from === "inherit")
    call.by.harm("root-shell", `sudo ${words.join(" ")}`);
  const state = { ...call.state, root: true };
  if (options.has("i", "s") && words.length > 0) return call.by.script(words.join(" "), call, { state: fork(state) });
  const flow = call.by.run(words, call, call.stdin, state);
  call.state.cwds = state.cwds;
  return flow;
};

/** `sg GROUP -c TEXT`. */
function groupShell(call: Call): Flow {
  const [, ...words] = call.args.filter((arg) => arg !== "-c");
  if (words.length === 0 && /^(root|wheel|sudo|docker|disk|lxd|admin|shadow)$/.test(call.args[0] ?? "")) call.by.harm("root-shell", `sg ${call.args.join(" ")}`);
  return words.length > 0 ? call.by.script(words.join(" "), call) : UNSEEN;
}

const su: Program = (call) => {
  const options = parseOptions(call.args, { short: "csgGw", long: ["command", "shell", "session-command", "group"] });
  const code = options.values("c", "command", "session-command");
  if (code.length === 0) call.by.harm("root-shell", `su ${call.args.join(" ")}`);
  else call.by.harm("sudo-flag", `su ${call.args.join(" ")}`);
  for (const text of code) call.by.script(text, call);
  return UNSEEN;
};

const xargs: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "aEeIiLlnPsd",
    long: ["arg-file", "delimiter", "eof", "replace", "max-lines", "max-args", "max-procs", "max-chars"],
    stop: true,
  });
  const words = options.operands.length > 0 ? options.operands : ["echo"];
  for (const file of options.values("a", "arg-file")) call.by.read(file, call, { shown: true });
  const replace = options.value("I", "replace", "i") ?? (options.has("i") ? "{}" : undefined);
  const known =
    call.stdin.text !== undefined &&
    isKnown(call.stdin.text) &&
    call.stdin.text.length < 4000 &&
    !call.stdin.text.includes("'") &&
    !call.stdin.text.includes('"');
  const items = known
    ? (options.has("0", "null") ? call.stdin.text!.split("\0") : call.stdin.text!.split(replace === undefined ? /\s+/ : /\n/)).filter(
        (item) => item !== "",
      )
    : undefined;
  const program = words[0]!.replace(/^.*\//, "");
  if (program === "rm" || program === "unlink" || program === "shred" || program === "rmdir") call.by.harm("xargs-rm", `xargs ${words.join(" ")}`);
  if (known && call.stdin.below && /^(rm|unlink|shred)$/.test(program)) for (const item of items ?? []) call.by.remove(item, call, { recursive: true, by: "xargs rm" });
  // Interpreters that take their script from the list run what nobody sees.
  if (
    !known &&
    /^(ba|z|da|k|fi)?sh$|^(python|perl|ruby|node|php)/.test(program) &&
    !words.slice(1).some((word) => !word.startsWith("-") && word !== replace)
  )
    call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the script comes from the list`);
  const last = words.at(-1);
  if (!known && last === "-c" && /^(ba|z|da|k)?sh$/.test(program))
    call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the text comes from the list`);
  if (items !== undefined && items.length > MAX_RUNS) tooMany(call);
  if (replace !== undefined) {
    for (const item of (items ?? [UNKNOWN]).slice(0, MAX_RUNS))
      call.by.run(
        words.map((word) => word.replaceAll(replace, item)),
        call,
        UNSEEN,
      );
    if (!known && words[0]!.includes(replace)) call.by.harm("computed-command", `xargs ${words.join(" ")}: the command comes from the list`);
    return UNSEEN;
  }
  const max = Number(options.value("n", "max-args") ?? 0);
  if (items && max > 0)
    for (let i = 0; i < Math.min(items.length, MAX_RUNS * max); i += max) call.by.run([...words, ...items.slice(i, i + max)], call, UNSEEN);
  else if (!known && call.stdin.text !== undefined && call.stdin.text.length < 400 && program !== "rm")
    return call.by.run([...words, ...call.stdin.text.split("\n").filter((line) => line !== "")], call, UNSEEN);
  else return call.by.run([...words, ...(items ?? (program === "rm" ? [UNKNOWN] : [UNKNOWN + MANY]))], call, UNSEEN);
  return UNSEEN;
};

/** Of a list's commands so many are followed. */
const MAX_RUNS = 60;

function tooMany(call: Call): void {
  call.by.harm("parser-limit", `${call.program} runs more commands than the analysis follows`);
}

const parallel: Program = (call) => {
  const separator = call.args.findIndex((arg) => /^::::?\+?$/.test(arg));
  const head = separator === -1 ? call.args : call.args.slice(0, separator);
  const items =
    separator === -1 || call.args[separator]!.startsWith("::::") ? undefined : call.args.slice(separator + 1).filter((arg) => !/^:::\+?$/.test(arg));
  const options = parseOptions(head, {
    short: "jaISNnLMPsE",
    long: ["jobs", "arg-file", "delay", "timeout", "joblog", "sshlogin", "colsep", "retries", "results", "tmpdir", "load"],
    stop: true,
  });
  const text = options.operands.join(" ");
  const known = call.stdin.text !== undefined ? call.stdin.text.split("\n").filter((line) => line !== "") : undefined;
  if ((items ?? known ?? []).length > MAX_RUNS) tooMany(call);
  if (text === "") {
    const lines = items ?? known;
    if (lines) for (const line of lines.slice(0, MAX_RUNS)) call.by.script(line, call);
    else call.by.harm("unseen-shell", "parallel runs lines that are not shown");
    return UNSEEN;
  }
  for (const item of (items ?? known ?? [UNKNOWN]).slice(0, MAX_RUNS)) {
    const filled = text.replace(/\{[./#%1]*\}/g, item);
    call.by.script(filled === text ? `${text} ${item}` : filled, call, { stdin: UNSEEN });
  }
  if (/^\s*(\S*\/)?rm\s/.test(text)) call.by.harm("xargs-rm", `parallel ${text}`);
  return UNSEEN;
};

const timeout = wrapper({ short: "ks", long: ["kill-after", "signal"], skip: 1 });

export const WRAPPERS: Readonly<Record<string, Program>> = {
  ...WATCHERS,
  env,
  genv: env,
  sudo,
  sudoedit: sudo,
  doas: (call) =>
    parseOptions(call.args, { short: "uC", stop: true }).has("s")
      ? (call.by.harm("root-shell", "doas -s"), UNSEEN)
      : sudo({ ...call, args: call.args.filter((arg) => arg !== "-n") }),
  pkexec: elevated(wrapper({ long: ["user"] })),
  run0: elevated(wrapper({ short: "ugD", long: ["user", "group", "chdir", "unit", "property", "setenv", "nice"] })),
  arch: wrapper({ short: "de" }),
  setarch: wrapper({ skip: 1 }),
  su,
  runuser: (call) => (call.args.includes("-u") ? wrapper({ short: "ug" })(call) : su(call)),
  gosu: wrapper({ skip: 1 }),
  "su-exec": wrapper({ skip: 1 }),
  setpriv: wrapper({ long: ["reuid", "regid", "groups", "inh-caps"] }),
  fakeroot: wrapper({ short: "lsib" }),
  sg: (call) => groupShell(call),
  nice: wrapper({ short: "n", long: ["adjustment"] }),
  ionice: wrapper({ short: "cnpPu", long: ["class", "classdata"] }),
  chrt: wrapper({ short: "TPD", skip: 1 }),
  taskset: wrapper({ skip: 1 }),
  numactl: wrapper({ short: "NmCpi" }),
  prlimit: wrapper({ short: "p" }),
  cpulimit: wrapper({ short: "lpe" }),
  timeout,
  gtimeout: timeout,
  nohup: wrapper(),
  setsid: wrapper(),
  stdbuf: wrapper({ short: "ioe", long: ["input", "output", "error"] }),
  unbuffer: wrapper(),
  time: wrapper({ short: "fo", long: ["format", "output"], writes: ["o", "output"] }),
  gtime: wrapper({ short: "fo", writes: ["o"] }),
  noglob: wrapper(),
  nocorrect: wrapper(),
  caffeinate: wrapper({ short: "tw" }),
  "systemd-inhibit": wrapper({ long: ["what", "who", "why", "mode"] }),
  "systemd-run": systemdRun,
  eatmydata: wrapper(),
  choom: wrapper({ short: "np" }),
  catchsegv: wrapper(),
  softlimit: wrapper({ short: "acdflmoprst" }),
  "start-stop-daemon": startStop,
  daemonize: wrapper({ short: "aceolpuE" }),
  faketime: wrapper({ skip: 1, short: "f" }),
  proxychains: wrapper({ short: "f" }),
  proxychains4: wrapper({ short: "f" }),
  torsocks: wrapper(),
  tsocks: wrapper(),
  rlwrap: wrapper({ short: "fHsSbCDlmPpqwz" }),
  "xvfb-run": wrapper({ short: "enfsp", long: ["server-args", "server-num"] }),
  "dbus-run-session": wrapper(),
  strace: wrapper({ short: "eopuPsSaIXbE", writes: ["o"] }),
  ltrace: wrapper({ short: "eopusSalnFE", writes: ["o"] }),
  perf: wrapper({ verb: ["stat", "record", "trace"], short: "eoFpgI" }),
  valgrind: wrapper(),
  gdb: (call) => gdb(call),
  lldb: (call) => gdb(call),
  rr: wrapper({ verb: ["record"] }),
  linux32: wrapper(),
  linux64: wrapper(),
  unshare: nsenter,
  nsenter,
  chroot,
  fakechroot: wrapper(),
  firejail: wrapper(),
  bwrap: (call) => bubblewrap(call),
  capsh: (call) => capabilities(call),
  xargs,
  gxargs: xargs,
  parallel,
  ssh,
  autossh: ssh,
  mosh: (call) => ssh({ ...call, args: call.args.filter((arg) => arg !== "--") }),
  pdsh: (call) => ssh({ ...call, args: ["hosts", ...parseOptions(call.args, { short: "wxgflutN", stop: true }).operands] }),
  sshpass: wrapper({ short: "pfdPe" }),
  watch,
  script: scriptProgram,
  scriptreplay: () => UNSEEN,
  flock,
  lockf: wrapper({ short: "t", skip: 1 }),
  busybox,
  toybox: busybox,
  tmux,
  screen,
  hyperfine: eachText,
  concurrently: eachText,
  "cargo-watch": wrapper({ short: "xs", shell: ["s"] }),
  reflex: wrapper({ short: "rRgG" }),
  chronic: wrapper(),
  ts: () => UNSEEN,
  ifne: wrapper(),
  pee: eachText,
  dotenv: wrapper({ short: "ecvpf" }),
  "dotenv-cli": wrapper({ short: "ecv" }),
  "cross-env": env,
  "env-cmd": wrapper({ short: "fe" }),
  direnv: wrapper({ verb: ["exec"], skip: 1 }),
  mise: wrapper({ verb: ["exec", "x"] }),
  asdf: wrapper({ verb: ["exec"] }),
  rbenv: wrapper({ verb: ["exec"] }),
  pyenv: wrapper({ verb: ["exec"] }),
  nodenv: wrapper({ verb: ["exec"] }),
  volta: wrapper({ verb: ["run"], short: "" }),
  conda: (call) => conda(call),
  mamba: (call) => conda(call),
  micromamba: (call) => conda(call),
  "nix-shell": wrapper({ short: "pIA", long: ["run", "command"], shell: ["run", "command"] }),
  nix: (call) => nix(call),
  ip: (call) => ipExec(call),
  expect: (call) => expectProgram(call),
  xterm: (call) =>
    call.args.includes("-display") ? (call.by.harm("reverse-shell", `xterm ${call.args.join(" ")}`), UNSEEN) : afterOption(call, "-e"),
  "gnome-terminal": (call) => afterDoubleDash(call),
  konsole: (call) => afterOption(call, "-e"),
  alacritty: (call) => afterOption(call, "-e"),
  kitty: wrapper(),
  cmd: (call) => windowsShell(call),
  wsl: (call) => {
    if (/--(unregister|shutdown|terminate)\b/.test(call.args.join(" "))) call.by.harm("infrastructure", `wsl ${call.args.join(" ")}`);
    return wrapper({ short: "du" })(call) ?? UNSEEN;
  },
  vagrant: (call) => vagrant(call),
  "docker-machine": (call) => (/^(rm|kill|stop|restart|regenerate-certs)$/.test(call.args[0] ?? "") ? (call.by.harm("infrastructure", `docker-machine ${call.args.join(" ")}`), UNSEEN) : wrapper({ verb: ["ssh"], skip: 1 })(call)),
};
