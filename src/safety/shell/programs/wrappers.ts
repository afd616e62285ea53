import type { Call, Program } from "../call.ts";
import { derived, type Flow, NOTHING, UNSEEN } from "../effect.ts";
import { judgeEnvironment } from "../environment.ts";
import { isKnown, MANY, UNKNOWN } from "../marks.ts";
import { type OptionSpec, parseOptions } from "../options.ts";

interface Wrapper extends OptionSpec {
  /** Operands before the command. */
  readonly skip?: number;
  /** Options whose value is shell text. */
  readonly shell?: readonly string[];
  /** The operands are joined and given to a shell. */
  readonly joined?: boolean;
  /** Words of its own before the command: `uv run`, `poetry run`. */
  readonly verb?: readonly string[];
  /** Options whose value is a file that is written. */
  readonly writes?: readonly string[];
}

/** A program that runs the rest of its words. */
function wrapper(spec: Wrapper = {}): Program {
  return (call) => {
    let args = call.args;
    if (spec.verb) {
      const at = args.findIndex((arg) => !arg.startsWith("-"));
      if (at === -1 || !spec.verb.includes(args[at]!)) return;
      args = args.slice(at + 1);
    }
    const options = parseOptions(args, { ...spec, long: [...(spec.long ?? []), ...(spec.shell ?? []).filter((name) => name.length > 1)], stop: true });
    for (const target of options.values(...(spec.writes ?? []))) call.by.write(target, call);
    let flow: Flow = UNSEEN;
    for (const text of options.values(...(spec.shell ?? []))) flow = call.by.script(text, call);
    const words = options.operands.slice(spec.skip ?? 0);
    if (words.length === 0) return flow;
    return spec.joined ? call.by.script(words.join(" "), call) : call.by.run(words[0] === "--" ? words.slice(1) : words, call);
  };
}

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
  const state = { ...call.state, variables: new Map(call.state.variables) };
  const directory = options.value("C", "chdir");
  if (directory !== undefined) state.cwds = call.by.paths(directory, call.state);
  const assigned = assignmentsBefore(words);
  const program = words[assigned.length] ?? "";
  for (const [name, value] of assigned) {
    state.variables.set(name, value);
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
  const options = parseOptions(call.args, { short: "ugpCDhRrTtU", long: ["user", "group", "prompt", "close-from", "chdir", "host", "chroot", "role", "type", "command-timeout", "other-user"], stop: true });
  let words = options.operands;
  const assigned = assignmentsBefore(words);
  for (const [name, value] of assigned) judgeEnvironment(name, value, call);
  words = words.slice(assigned.length);
  if (options.has("S", "stdin") || options.has("A", "askpass")) call.by.harm("sudo-flag", `sudo ${call.args.join(" ")}: takes the password from elsewhere than a person`);
  if (options.has("s", "shell") || options.has("i", "login")) call.by.harm(words.length > 0 ? "sudo-flag" : "root-shell", `sudo ${call.args.join(" ")}`);
  if (options.has("e", "edit") || call.program === "sudoedit") {
    for (const file of words) call.by.write(file, call, "edit");
    return NOTHING;
  }
  if (words.length === 0) return UNSEEN;
  const program = words[0]!.replace(/^.*\//, "");
  const rest = words.slice(1).filter((word) => !/^-(i|l|-login|p)$/.test(word));
  if (/^(bash|sh|zsh|dash|ksh|fish|csh|tcsh)$/.test(program) && rest.length === 0 && call.stdin.from === "inherit") call.by.harm("root-shell", `sudo ${words.join(" ")}`);
  if (options.has("i", "s") && words.length > 0) return call.by.script(words.join(" "), call);
  return call.by.run(words, call);
};

const su: Program = (call) => {
  const options = parseOptions(call.args, { short: "csgGw", long: ["command", "shell", "session-command", "group"] });
  const code = options.values("c", "command", "session-command");
  if (code.length === 0) call.by.harm("root-shell", `su ${call.args.join(" ")}`);
  else call.by.harm("sudo-flag", `su ${call.args.join(" ")}`);
  for (const text of code) call.by.script(text, call);
  return UNSEEN;
};

const xargs: Program = (call) => {
  const options = parseOptions(call.args, { short: "aEeIiLlnPsd", long: ["arg-file", "delimiter", "eof", "replace", "max-lines", "max-args", "max-procs", "max-chars"], stop: true });
  const words = options.operands.length > 0 ? options.operands : ["echo"];
  const replace = options.value("I", "replace", "i") ?? (options.has("i") ? "{}" : undefined);
  const known = call.stdin.text !== undefined && isKnown(call.stdin.text) && call.stdin.text.length < 4000 && !call.stdin.text.includes("'") && !call.stdin.text.includes('"');
  const items = known ? (options.has("0", "null") ? call.stdin.text!.split("\0") : call.stdin.text!.split(replace === undefined ? /\s+/ : /\n/)).filter((item) => item !== "") : undefined;
  const program = words[0]!.replace(/^.*\//, "");
  if (program === "rm" || program === "unlink" || program === "shred" || program === "rmdir") call.by.harm("xargs-rm", `xargs ${words.join(" ")}`);
  // Interpreters that take their script from the list run what nobody sees.
  if (!known && /^(ba|z|da|k|fi)?sh$|^(python|perl|ruby|node|php)/.test(program) && !words.slice(1).some((word) => !word.startsWith("-") && word !== replace)) call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the script comes from the list`);
  const last = words.at(-1);
  if (!known && last === "-c" && /^(ba|z|da|k)?sh$/.test(program)) call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the text comes from the list`);
  if (replace !== undefined) {
    for (const item of (items ?? [UNKNOWN]).slice(0, 20)) call.by.run(words.map((word) => word.replaceAll(replace, item)), call, UNSEEN);
    if (!known && words[0]!.includes(replace)) call.by.harm("computed-command", `xargs ${words.join(" ")}: the command comes from the list`);
    return UNSEEN;
  }
  const max = Number(options.value("n", "max-args") ?? 0);
  if (items && max > 0) for (let i = 0; i < Math.min(items.length, 20 * max); i += max) call.by.run([...words, ...items.slice(i, i + max)], call, UNSEEN);
  else return call.by.run([...words, ...(items ?? (program === "rm" ? [UNKNOWN] : [UNKNOWN + MANY]))], call, UNSEEN);
  return UNSEEN;
};

const parallel: Program = (call) => {
  const separator = call.args.findIndex((arg) => /^::::?\+?$/.test(arg));
  const head = separator === -1 ? call.args : call.args.slice(0, separator);
  const items = separator === -1 || call.args[separator]!.startsWith("::::") ? undefined : call.args.slice(separator + 1).filter((arg) => !/^:::\+?$/.test(arg));
  const options = parseOptions(head, { short: "jaISNnLMPsE", long: ["jobs", "arg-file", "delay", "timeout", "joblog", "sshlogin", "colsep", "retries", "results", "tmpdir", "load"], stop: true });
  const text = options.operands.join(" ");
  const known = call.stdin.text !== undefined ? call.stdin.text.split("\n").filter((line) => line !== "") : undefined;
  if (text === "") {
    const lines = items ?? known;
    if (lines) for (const line of lines.slice(0, 20)) call.by.script(line, call);
    else call.by.harm("unseen-shell", "parallel runs lines that are not shown");
    return UNSEEN;
  }
  for (const item of (items ?? known ?? [UNKNOWN]).slice(0, 20)) {
    const filled = text.replace(/\{[./#%1]*\}/g, item);
    call.by.script(filled === text ? `${text} ${item}` : filled, call, { stdin: UNSEEN });
  }
  if (/^\s*(\S*\/)?rm\s/.test(text)) call.by.harm("xargs-rm", `parallel ${text}`);
  return UNSEEN;
};

const ssh: Program = (call) => {
  const options = parseOptions(call.args, { short: "BbcDEeFIiJLlmOopQRSWw", stop: true });
  for (const option of options.values("o")) {
    const match = /^(ProxyCommand|LocalCommand|KnownHostsCommand|Match\s+exec)\s*[= ]\s*(.*)$/i.exec(option);
    if (match && !/^none$/i.test(match[2]!) && !/^(\S*\/)?(ssh|nc|ncat|cloudflared|aws|gcloud)\s/.test(match[2]!)) {
      call.by.harm("option-runs", `ssh -o ${option}`);
      call.by.script(match[2]!, call);
    } else if (match) call.by.script(match[2]!.replace(/%[a-z%]/g, UNKNOWN), call);
  }
  const [host, ...words] = options.operands;
  if (host !== undefined) call.by.network(`ssh://${host}`, false);
  // Another machine: neither this directory nor these files.
  const away = { ...call.state, cwds: [undefined], variables: new Map([["HOME", call.by.home], ["IFS", " \t\n"]]), files: new Map() };
  if (words.length > 0) return { ...call.by.script(words.join(" "), call, { state: away }), remote: true };
  if (call.stdin.text !== undefined && host !== undefined && call.stdin.from !== "inherit") call.by.script(call.stdin.text, call, { stdin: UNSEEN, state: away });
  else if (call.stdin.from === "pipe" && host !== undefined && !options.has("N", "f")) call.by.harm(call.stdin.remote ? "remote-shell" : call.stdin.decoded ? "decoded-shell" : "unseen-shell", `ssh ${host} runs a shell on a text that is not shown`);
  return { ...derived(call.stdin), remote: true };
};

const chroot: Program = (call) => {
  const options = parseOptions(call.args, { long: ["userspec", "groups"], stop: true });
  const words = options.operands.slice(1);
  call.by.harm("root-shell", `chroot ${call.args.join(" ")}`);
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
};

const nsenter: Program = (call) => {
  const options = parseOptions(call.args, { short: "tSG", long: ["target", "setuid", "setgid"], stop: true });
  call.by.harm(call.program === "nsenter" ? "container-host" : "root-shell", `${call.program} ${call.args.join(" ")}`);
  return options.operands.length > 0 ? call.by.run(options.operands, call) : UNSEEN;
};

const watch: Program = (call) => {
  const options = parseOptions(call.args, { short: "nqs", long: ["interval"], stop: true });
  return options.has("x", "exec") ? call.by.run(options.operands, call) : options.operands.length > 0 ? call.by.script(options.operands.join(" "), call) : UNSEEN;
};

const scriptProgram: Program = (call) => {
  const options = parseOptions(call.args, { short: "cEIOBTmo", long: ["command"] });
  for (const text of options.values("c", "command")) call.by.script(text, call);
  const operands = options.operands;
  // BSD: `script FILE COMMAND…`.
  if (operands[0] !== undefined) call.by.write(operands[0], call);
  if (operands.length > 1) call.by.run(operands.slice(1), call);
  else if (options.values("c", "command").length === 0 && call.stdin.from === "pipe") call.by.run(["bash"], call);
  return UNSEEN;
};

const flock: Program = (call) => {
  const options = parseOptions(call.args, { short: "wEc", long: ["timeout", "wait", "conflict-exit-code", "command"], stop: true });
  const [, ...rest] = options.operands;
  const inner = parseOptions(rest, { short: "c", long: ["command"], stop: true });
  for (const text of [...options.values("c", "command"), ...inner.values("c", "command")]) call.by.script(text, call);
  return inner.operands.length > 0 ? call.by.run(inner.operands, call) : UNSEEN;
};

const busybox: Program = (call) => {
  const words = call.args.filter((arg, index) => !(index === 0 && arg.startsWith("--")));
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
};

const systemdRun: Program = (call) => {
  const options = parseOptions(call.args, { short: "puHME", long: ["property", "unit", "uid", "gid", "slice", "description", "on-calendar", "on-boot", "on-active", "on-startup", "on-unit-active", "setenv", "working-directory", "host", "machine", "timer-property", "nice"], stop: true });
  if (options.has("on-calendar", "on-boot", "on-active", "on-startup", "on-unit-active")) call.by.harm("schedule", `systemd-run ${call.args.join(" ")}`);
  return options.operands.length > 0 ? call.by.run(options.operands, call) : UNSEEN;
};

const startStop: Program = (call) => {
  const options = parseOptions(call.args, { short: "xapnuR", long: ["exec", "startas", "pidfile", "name", "chuid", "retry", "chdir", "user"] });
  if (options.has("K", "stop")) call.by.harm("service-stop", `start-stop-daemon ${call.args.join(" ")}`);
  const program = options.value("a", "startas", "x", "exec");
  if (program !== undefined && !options.has("K", "stop")) call.by.run([program, ...options.operands], call);
  return UNSEEN;
};

const tmux: Program = (call) => {
  const verb = call.args.find((arg) => !arg.startsWith("-")) ?? "";
  const rest = call.args.slice(call.args.indexOf(verb) + 1);
  if (/^(new|new-session|new-window|neww|split-window|splitw|respawn-pane|respawn-window|run|run-shell|if-shell|popup|display-popup|pipe-pane)$/.test(verb)) {
    const words = parseOptions(rest, { short: "sntceFxyl", stop: true }).operands;
    if (words.length > 0) call.by.script(words.join(" "), call);
  } else if (verb === "send-keys" || verb === "send") {
    const words = parseOptions(rest, { short: "tN", stop: true }).operands.filter((word) => !/^(Enter|C-m|C-[a-z]|Escape|Space|Tab)$/.test(word));
    call.by.script(words.join(" "), call);
  } else if (verb.startsWith("kill-server")) call.by.harm("force-kill", "tmux kill-server ends every session");
  return UNSEEN;
};

const screen: Program = (call) => {
  const options = parseOptions(call.args, { short: "ScepTtsh", stop: true });
  const stuff = options.operands.indexOf("stuff");
  if (options.has("X") && stuff >= 0) call.by.script(options.operands.slice(stuff + 1).join(" "), call);
  else if (!options.has("X", "r", "x") && options.operands.length > 0) call.by.run(options.operands, call);
  return UNSEEN;
};

/** Runs each of its operands as shell text. */
const eachText: Program = (call) => {
  const options = parseOptions(call.args, { short: "wmrpNsuLnM", long: ["warmup", "min-runs", "runs", "prepare", "setup", "cleanup", "shell", "export-json", "export-markdown", "names", "exec", "ext", "watch", "ignore", "signal", "command"] });
  for (const text of [...options.values("prepare", "setup", "cleanup", "exec", "command", "p"), ...options.operands]) if (!/^\d+$/.test(text)) call.by.script(text, call);
  return UNSEEN;
};

const nodemon: Program = (call) => {
  const options = parseOptions(call.args, { short: "xewid", long: ["exec", "ext", "watch", "ignore", "delay"] });
  for (const text of options.values("x", "exec")) call.by.script(text, call);
  call.by.add({ kind: "execute", program: "nodemon", words: ["nodemon", ...call.args] });
  return UNSEEN;
};

const timeout = wrapper({ short: "ks", long: ["kill-after", "signal"], skip: 1 });

export const WRAPPERS: Readonly<Record<string, Program>> = {
  env, genv: env, sudo, sudoedit: sudo, doas: (call) => (parseOptions(call.args, { short: "uC", stop: true }).has("s") ? (call.by.harm("root-shell", "doas -s"), UNSEEN) : sudo({ ...call, args: call.args.filter((arg) => arg !== "-n") })), pkexec: wrapper({ long: ["user"] }), su, runuser: (call) => (call.args.includes("-u") ? wrapper({ short: "ug" })(call) : su(call)), gosu: wrapper({ skip: 1 }), "su-exec": wrapper({ skip: 1 }), setpriv: wrapper({ long: ["reuid", "regid", "groups", "inh-caps"] }), fakeroot: wrapper({ short: "lsib" }), sg: wrapper({ skip: 1, joined: true, short: "c", shell: ["c"] }),
  nice: wrapper({ short: "n", long: ["adjustment"] }), ionice: wrapper({ short: "cnpPu", long: ["class", "classdata"] }), chrt: wrapper({ short: "TPD", skip: 1 }), taskset: wrapper({ skip: 1 }), numactl: wrapper({ short: "NmCpi" }), prlimit: wrapper({ short: "p" }), cpulimit: wrapper({ short: "lpe" }), timeout, gtimeout: timeout, nohup: wrapper(), setsid: wrapper(), stdbuf: wrapper({ short: "ioe", long: ["input", "output", "error"] }), unbuffer: wrapper(), time: wrapper({ short: "fo", long: ["format", "output"], writes: ["o", "output"] }), gtime: wrapper({ short: "fo", writes: ["o"] }), noglob: wrapper(), nocorrect: wrapper(), caffeinate: wrapper({ short: "tw" }), "systemd-inhibit": wrapper({ long: ["what", "who", "why", "mode"] }), "systemd-run": systemdRun, eatmydata: wrapper(), choom: wrapper({ short: "np" }), catchsegv: wrapper(), softlimit: wrapper({ short: "acdflmoprst" }), "start-stop-daemon": startStop, daemonize: wrapper({ short: "aceolpuE" }), faketime: wrapper({ skip: 1, short: "f" }), proxychains: wrapper({ short: "f" }), proxychains4: wrapper({ short: "f" }), torsocks: wrapper(), tsocks: wrapper(), rlwrap: wrapper({ short: "afHs" }), "xvfb-run": wrapper({ short: "enfsp", long: ["server-args", "server-num"] }), "dbus-run-session": wrapper(), strace: wrapper({ short: "eopuPsSaIXbE", writes: ["o"] }), ltrace: wrapper({ short: "eopusSalnFE", writes: ["o"] }), perf: wrapper({ verb: ["stat", "record", "trace"], short: "eoFpgI" }), valgrind: wrapper(), gdb: (call) => gdb(call), lldb: (call) => gdb(call), rr: wrapper({ verb: ["record"] }), linux32: wrapper(), linux64: wrapper(), setarch: wrapper({ skip: 1 }), unshare: nsenter, nsenter, chroot, fakechroot: wrapper(), firejail: wrapper(), bwrap: (call) => bubblewrap(call), capsh: (call) => afterDoubleDash(call),
  xargs, gxargs: xargs, parallel, ssh, autossh: ssh, mosh: ssh, sshpass: wrapper({ short: "pfdPe" }), watch, script: scriptProgram, scriptreplay: () => UNSEEN, flock, lockf: wrapper({ short: "t", skip: 1 }), busybox, toybox: busybox, tmux, screen, hyperfine: eachText, nodemon, entr: wrapper(), watchexec: wrapper({ short: "ewifs", long: ["exts", "watch", "ignore", "shell"] }), concurrently: eachText, "cargo-watch": wrapper({ short: "xs", shell: ["s"] }), reflex: wrapper({ short: "rRgG" }), chronic: wrapper(), ts: () => UNSEEN, ifne: wrapper(), pee: eachText, dotenv: wrapper({ short: "ecvpf" }), "dotenv-cli": wrapper({ short: "ecv" }), "cross-env": env, "env-cmd": wrapper({ short: "fe" }), direnv: wrapper({ verb: ["exec"], skip: 1 }), mise: wrapper({ verb: ["exec", "x"] }), asdf: wrapper({ verb: ["exec"] }), rbenv: wrapper({ verb: ["exec"] }), pyenv: wrapper({ verb: ["exec"] }), nodenv: wrapper({ verb: ["exec"] }), volta: wrapper({ verb: ["run"], short: "" }), conda: (call) => conda(call), mamba: (call) => conda(call), micromamba: (call) => conda(call), "nix-shell": wrapper({ short: "pIA", long: ["run", "command"], shell: ["run", "command"] }), nix: (call) => nix(call), ip: (call) => ipExec(call), expect: (call) => expectProgram(call), xterm: (call) => afterOption(call, "-e"), "gnome-terminal": (call) => afterDoubleDash(call), konsole: (call) => afterOption(call, "-e"), alacritty: (call) => afterOption(call, "-e"), kitty: wrapper(), cmd: (call) => windowsShell(call), wsl: wrapper({ short: "du" }), vagrant: (call) => vagrant(call), "docker-machine": wrapper({ verb: ["ssh"], skip: 1 }),
};

function gdb(call: Call): Flow {
  const options = parseOptions(call.args, { short: "xp", long: ["ex", "eval-command", "command", "pid"], words: true });
  for (const text of options.values("ex", "eval-command", "o", "iex")) {
    const shell = /^\s*(?:shell|!|platform shell|pipe)\s*(.*)$/.exec(text);
    if (shell || /\bpython|\bcall\b|system\(/.test(text)) call.by.harm("option-runs", `${call.program} runs ${text}`);
    if (shell) call.by.script(shell[1]!, call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
  return UNSEEN;
}

function bubblewrap(call: Call): Flow {
  const at = call.args.findIndex((arg, i) => !arg.startsWith("-") && !/^--(ro-|dev-)?bind(-try)?$|^--symlink$|^--setenv$/.test(call.args[i - 2] ?? "") && !(call.args[i - 1] ?? "").startsWith("--"));
  return at >= 0 ? call.by.run(call.args.slice(at), call) : afterDoubleDash(call);
}

function afterDoubleDash(call: Call): Flow {
  const at = call.args.indexOf("--");
  const code = call.args[call.args.indexOf("-c") + 1];
  if (at >= 0) {
    const words = call.args.slice(at + 1);
    if (call.program === "capsh") return call.by.run(["bash", ...words], call);
    return call.by.run(words, call);
  }
  return call.args.includes("-c") && code !== undefined ? call.by.script(code, call) : UNSEEN;
}

function afterOption(call: Call, option: string): Flow {
  const at = call.args.indexOf(option);
  if (at === -1) return UNSEEN;
  const words = call.args.slice(at + 1);
  return words.length === 1 ? call.by.script(words[0]!, call) : call.by.run(words, call);
}

function conda(call: Call): Flow | void {
  if (call.args[0] === "run") return wrapper({ verb: ["run"], short: "np", long: ["name", "prefix", "cwd"] })(call) ?? UNSEEN;
  if (call.args[0] === "config" && call.args.some((arg) => /^--(add|append|prepend|set)$/.test(arg))) call.by.harm("package-index", `${call.program} ${call.args.join(" ")}`);
  if (call.args[0] === "env" && call.args[1] === "remove") call.by.harm("recursive-delete", `${call.program} ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
}

function nix(call: Call): Flow | void {
  const at = call.args.findIndex((arg) => arg === "-c" || arg === "--command");
  if (at >= 0) return call.by.run(call.args.slice(at + 1), call);
  call.by.add({ kind: "execute", program: "nix", words: ["nix", ...call.args] });
}

function ipExec(call: Call): Flow {
  const at = call.args.indexOf("exec");
  if (at >= 0) return call.by.run(call.args.slice(at + 2), call);
  if (call.args.some((arg) => /^(add|del|delete|set|flush|change|replace)$/.test(arg))) call.by.harm("kernel-setting", `ip ${call.args.join(" ")}`);
  return UNSEEN;
}

function expectProgram(call: Call): Flow {
  const code = parseOptions(call.args, { short: "cfb" }).values("c").join("\n") || (call.stdin.text ?? "");
  for (const match of code.matchAll(/(?:^|[\s;])(?:spawn|exec|system)\s+([^\n;\]]+)/g)) call.by.script(match[1]!, call);
  return UNSEEN;
}

function windowsShell(call: Call): Flow {
  const at = call.args.findIndex((arg) => /^\/[ck]$/i.test(arg));
  const text = call.args.slice(at + 1).join(" ");
  if (at >= 0 && /(^|[&|]\s*)(del|erase|rd|rmdir)\b/i.test(text)) call.by.harm("windows-delete", `cmd ${text}`);
  if (at >= 0 && /(^|[&|]\s*)(format\s+[a-z]:)/i.test(text)) call.by.add({ kind: "device", path: text, action: "format", proven: true });
  if (at >= 0 && /(^|[&|]\s*)shutdown\b/i.test(text)) call.by.add({ kind: "power", action: text });
  return UNSEEN;
}

function vagrant(call: Call): Flow {
  const options = parseOptions(call.args, { short: "c", long: ["command"] });
  if (call.args[0] === "ssh") for (const text of options.values("c", "command")) call.by.script(text, call);
  if (call.args[0] === "destroy") call.by.harm("infrastructure", "vagrant destroy");
  if (call.args[0] === "halt" || call.args[0] === "reload") call.by.harm("container-stop", `vagrant ${call.args[0]}`);
  return UNSEEN;
}
