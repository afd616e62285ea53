import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";
import { parallel, xargs } from "./each-item.ts";
import { env } from "./env.ts";
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
  scriptProgram,
  startStop,
  systemdRun,
  watch,
} from "./launchers.ts";
import { screen, tmux } from "./multiplexers.ts";
import { groupShell, su, sudo } from "./rights.ts";
import { ssh, vagrant } from "./ssh.ts";
import { WATCHERS } from "./watchers.ts";
import { windowsShell } from "./windows-shell.ts";
import { wrapper } from "./wrapper.ts";

const timeout = wrapper({ short: "ks", long: ["kill-after", "signal"], skip: 1 });

/** Asks if a shell will run code that this script wrote whenever it enters the folder. */
const trusting =
  (verb: RegExp, files: readonly string[], program: Program): Program =>
  (call) => {
    const own = verb.test(call.args[0] ?? "")
      ? files.find((file) => call.by.written(file, call) !== undefined)
      : undefined;
    if (own === undefined) return program(call);
    call.by.harm("shell-startup", `${call.program} ${call.args.join(" ")} lets ${own} run`);
    return UNSEEN;
  };

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
  sg: groupShell,
  nice: wrapper({ short: "n", long: ["adjustment"] }),
  ionice: wrapper({ short: "cnpPu", long: ["class", "classdata"] }),
  chrt: wrapper({ short: "TPD", skip: 1 }),
  taskset: wrapper({ skip: 1 }),
  numactl: wrapper({ short: "NmCpi" }),
  prlimit: wrapper({ short: "p" }),
  cpulimit: wrapper({ short: "lpe" }),
  timeout,
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
  pdsh: (call) =>
    ssh({ ...call, args: ["hosts", ...parseOptions(call.args, { short: "wxgflutN", stop: true }).operands] }),
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
  direnv: trusting(/^(allow|permit|grant)$/, [".envrc"], wrapper({ verb: ["exec"], skip: 1 })),
  mise: trusting(/^trust$/, ["mise.toml", ".mise.toml", ".tool-versions"], wrapper({ verb: ["exec", "x"] })),
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
    call.args.includes("-display")
      ? (call.by.harm("reverse-shell", `xterm ${call.args.join(" ")}`), UNSEEN)
      : afterOption(call, "-e"),
  "gnome-terminal": (call) => afterDoubleDash(call),
  konsole: (call) => afterOption(call, "-e"),
  alacritty: (call) => afterOption(call, "-e"),
  kitty: wrapper(),
  cmd: (call) => windowsShell(call),
  wsl: (call) => {
    if (/--(unregister|shutdown|terminate)\b/.test(call.args.join(" ")))
      call.by.harm("infrastructure", `wsl ${call.args.join(" ")}`);
    return wrapper({ short: "du" })(call) ?? UNSEEN;
  },
  vagrant: (call) => vagrant(call),
  "docker-machine": (call) =>
    /^(rm|kill|stop|restart|regenerate-certs)$/.test(call.args[0] ?? "")
      ? (call.by.harm("infrastructure", `docker-machine ${call.args.join(" ")}`), UNSEEN)
      : wrapper({ verb: ["ssh"], skip: 1 })(call),
};
