import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { guessCommands } from "../risk/guess-commands.ts";
import { parseOptions } from "../parse/options.ts";
import { judgeUnknownProgram } from "../risk/unknown-program.ts";
import { afterDoubleDash, elevated } from "./launchers.ts";
import { ssh } from "./ssh.ts";
import { wrapper } from "./wrapper.ts";

/** Table entries for several programs with the same function. */
const all = (names: string, program: Program): Readonly<Record<string, Program>> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, program]));

/** Terminals: one word after the option is shell text; several words are a command. */
const terminal =
  (...options: readonly string[]): Program =>
  (call) => {
    const at = call.args.findIndex((arg) => options.includes(arg));
    const words = call.args.slice(at + 1);
    if (at !== -1 && words.length === 1) call.by.script(words[0]!, call);
    else if (at !== -1 && words.length > 0) call.by.run(words, call);
    return UNSEEN;
  };

/** Another subcommand that runs no command: judged like an unknown program. */
const unknownProgram: Program = (call) => {
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  judgeUnknownProgram(call, call.program);
  call.by.suspect(() => guessCommands(call));
  return UNSEEN;
};

/** Runs the words after `--` as a command. */
const behindDashes: Program = (call) => {
  const at = call.args.indexOf("--");
  return at !== -1 && at + 1 < call.args.length ? call.by.run(call.args.slice(at + 1), call) : unknownProgram(call);
};

/** Runs a command only with some of its subcommands. */
const under =
  (verb: RegExp, carrier: Program): Program =>
  (call) =>
    verb.test(call.args.find((arg) => !arg.startsWith("-")) ?? "") ? carrier(call) : unknownProgram(call);

/**
 * Runs on other machines. The remaining arguments are for their shell; the first is the machine's name unless an option
 * names the machines.
 */
const elsewhere =
  (short: string, named: "by option" | "by word" = "by option"): Program =>
  (call) => {
    const words = parseOptions(call.args, {
      short,
      long: ["hosts", "hostfile", "user", "options", "timeout", "outdir", "errdir"],
      stop: true,
    }).operands;
    return words.length === 0 ? UNSEEN : ssh({ ...call, args: named === "by word" ? words : ["hosts", ...words] });
  };

/** `apptainer exec IMAGE command`: the container sees the same home and working directory. */
const image = (call: Call): ReturnType<Program> => {
  const verb = call.args.findIndex((arg) => /^(exec|run|shell)$/.test(arg));
  if (verb === -1 || call.args[verb] !== "exec") return behindDashes(call);
  const values = [
    "bind",
    "env",
    "env-file",
    "home",
    "pwd",
    "workdir",
    "overlay",
    "mount",
    "network",
    "security",
    "scratch",
    "app",
  ];
  const options = parseOptions(call.args.slice(verb + 1), { short: "BHSWo", long: values, stop: true });
  const words = options.operands.slice(1);
  return words.length === 0 ? UNSEEN : call.by.run(words, call);
};

const batch: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "ABCDGJKLMNOPSWXabcdeikmnopqtwx",
    long: ["wrap", "job-name", "output", "error", "time", "mem", "partition", "account"],
    stop: true,
  });
  for (const text of options.values("wrap")) call.by.script(text, call);
  return UNSEEN;
};

const parallelJobs: Program = (call) => {
  const long = [
    "hostfile",
    "host",
    "machinefile",
    "mca",
    "map-by",
    "bind-to",
    "wdir",
    "np",
    "n",
    "prefix",
    "env",
    "genv",
    "x",
    "H",
  ];
  const words = parseOptions(call.args, { long, words: true, stop: true }).operands;
  return words.length === 0 ? UNSEEN : call.by.run(words, call);
};

const slurm = wrapper({
  short: "ABCDGJKLMNOPSTWXabcdegijkmnopqtwxru",
  long: [
    "ntasks",
    "nodes",
    "cpus-per-task",
    "mem",
    "partition",
    "account",
    "time",
    "job-name",
    "output",
    "error",
    "gres",
    "gpus",
    "chdir",
    "jobid",
    "qos",
    "container-image",
  ],
});

const queue = wrapper({
  short: "GLNDdEfqJoemnRWPcgu",
  long: ["group", "label", "working-directory", "delay", "after"],
  verb: ["add", "submit"],
});

/**
 * Programs that only run their remaining arguments as a command: as another user, with limits, in a terminal, a
 * container or a queue, on other machines.
 */
export const CARRIERS: Readonly<Record<string, Program>> = {
  // First processes of containers, and supervisors
  "dumb-init": wrapper({ short: "r", long: ["rewrite"] }),
  tini: wrapper({ short: "pe" }),
  catatonit: wrapper(),
  "with-contenv": wrapper(),
  execlineb: wrapper({ short: "c", shell: ["c"] }),
  ...all(
    "s6-setuidgid setuidgid envuidgid s6-envuidgid envdir s6-envdir setlock s6-setlock lckdo",
    wrapper({ skip: 1 }),
  ),
  chpst: wrapper({ short: "uUbenlLm/dopfcrt" }),
  ...all(
    "run-one run-this-one keep-one-running run-one-constantly run-one-until-success run-one-until-failure",
    wrapper(),
  ),
  // Programs that wait, or retry
  retry: wrapper({ short: "tsmd", long: ["times", "sleep", "max", "delay", "tries", "until", "interval"] }),
  ...all("wait-for wait-for-it wait-for-it.sh wait-on start-server-and-test", behindDashes),
  dockerize: wrapper({
    long: [
      "wait",
      "timeout",
      "template",
      "stdout",
      "stderr",
      "poll-interval",
      "wait-retry-interval",
      "wait-http-header",
    ],
    words: true,
  }),
  // Environments
  envchain: wrapper({ skip: 1 }),
  ...all("foreman honcho", under(/^run$/, wrapper({ verb: ["run"], short: "efp", long: ["env", "procfile", "port"] }))),
  "cross-env-shell": (call) => call.by.script(call.args.join(" "), call),
  "ssh-agent": wrapper({ short: "aEPt" }),
  "dbus-launch": wrapper(),
  xinit: wrapper(),
  cage: wrapper(),
  ...all("devbox devenv flox scl chruby-exec schroot lxc-attach buildah", behindDashes),
  rvm: (call) => (call.args[1] === "do" ? call.by.run(call.args.slice(2), call) : behindDashes(call)),
  ...all("nvm n", under(/^exec$/, wrapper({ verb: ["exec"], skip: 1 }))),
  fnm: under(/^exec$/, wrapper({ verb: ["exec"], long: ["using"] })),
  pixi: under(/^run$/, wrapper({ verb: ["run"], short: "e", long: ["environment", "manifest-path"] })),
  // Programs that change the user or the rights
  "sudo-rs": elevated(wrapper({ short: "ugpDCRhT" })),
  ...all("calife sux", elevated(wrapper({ short: "udtrg" }))),
  // Limits, measurement, emulators
  cgexec: wrapper({ short: "g" }),
  trickle: wrapper({ short: "dutlnp" }),
  ...all(
    "torify graftcp mangohud gamemoderun prime-run optirun primusrun memusage heaptrack ccache distcc winpty gamescope box64 box86",
    wrapper(),
  ),
  kcov: wrapper({ skip: 1 }),
  uftrace: under(/^(record|live)$/, wrapper({ verb: ["record", "live"] })),
  multitime: wrapper({ short: "nsciroI" }),
  // Terminals and queues
  foot: wrapper({ short: "cotwaWTDe", long: ["config", "override", "term", "title", "app-id", "working-directory"] }),
  wezterm: (call) =>
    call.args[0] === "start"
      ? wrapper({ verb: ["start"], long: ["cwd", "class", "workspace"] })(call)
      : unknownProgram(call),
  ...all(
    "urxvt rxvt st lxterminal ghostty x-terminal-emulator tilix terminator xfce4-terminal qterminal cool-retro-term guake terminology deepin-terminal",
    terminal("-e", "-x", "--command", "--execute"),
  ),
  ...all("mate-terminal kgx ptyxis", (call) =>
    call.args.includes("--") ? afterDoubleDash(call) : terminal("-e", "-x")(call),
  ),
  ...all("dtach abduco", (call) => {
    const at = call.args.findIndex((arg) => /^-[ncAeC]$/.test(arg));
    return at === -1
      ? UNSEEN
      : wrapper({ skip: 1 })({
          ...call,
          args: call.args.slice(at + 1).filter((arg, i) => i === 0 || !/^-[zEr]$/.test(arg)),
        });
  }),
  pueue: under(/^(add|submit)$/, queue),
  ...all("tsp nq", wrapper({ short: "NDWLUE" })),
  zellij: under(/^run$/, wrapper({ verb: ["run"], short: "dnw", long: ["direction", "name", "cwd"] })),
  // Containers and clusters
  ...all("apptainer singularity", image),
  distrobox: behindDashes,
  "distrobox-enter": behindDashes,
  toolbox: under(/^run$/, wrapper({ verb: ["run"], short: "cdr", long: ["container", "distro", "release"] })),
  "systemd-nspawn": elevated(wrapper({ short: "DMu", long: ["directory", "machine", "bind", "setenv", "user"] })),
  "flatpak-spawn": wrapper(),
  "host-spawn": wrapper(),
  srun: slurm,
  salloc: slurm,
  sbatch: batch,
  ...all("mpirun mpiexec orterun prun jsrun aprun", parallelJobs),
  qsub: (call) => (call.args.includes("-b") ? wrapper({ short: "bNoeqlpPjvVwS" })(call) : unknownProgram(call)),
  bsub: wrapper({ short: "qJoeinRWMPgu" }),
  // Many machines at once
  ...all("pssh parallel-ssh", elsewhere("hHlpoetOxXA")),
  clush: elsewhere("wgxlfcdtuo"),
  dsh: elsewhere("mgflo"),
  ...all("rsh rexec remsh plink", elsewhere("lPpi", "by word")),
};
