import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";
import { shares } from "./shares.ts";
import { wrapper } from "./wrapper.ts";

export const chroot: Program = (call) => {
  const options = parseOptions(call.args, { long: ["userspec", "groups"], stop: true });
  const words = options.operands.slice(1);
  call.by.harm("root-shell", `chroot ${call.args.join(" ")}`);
  const root = options.operands[0];
  const outside = root === undefined ? undefined : call.by.paths(root, call.state)[0];
  // The root of the node that runs the container.
  const state =
    outside === "/" && call.state.mounts !== undefined ? { ...call.state, mounts: undefined, cwds: ["/"] } : call.state;
  return words.length > 0 ? call.by.run(words, call, call.stdin, state) : UNSEEN;
};

/** Programs that only look, and so need no question in a namespace. */
const PLAIN_LOOK = /^(?:id|whoami|ls|cat|readlink|ps|hostname|uname|true|echo|pwd|stat|df|mount|ip|lsns)$/;

export const nsenter: Program = (call) => {
  const options = parseOptions(call.args, { short: "tSG", long: ["target", "setuid", "setgid"], stop: true });
  const inner = options.operands[0];
  if (call.program === "nsenter" || inner === undefined || !PLAIN_LOOK.test(inner))
    call.by.harm(
      call.program === "nsenter" ? "container-host" : "root-shell",
      `${call.program} ${call.args.join(" ")}`,
    );
  return options.operands.length > 0 ? call.by.run(options.operands, call) : UNSEEN;
};

export const watch: Program = (call) => {
  const options = parseOptions(call.args, { short: "nqs", long: ["interval"], stop: true });
  return options.has("x", "exec")
    ? call.by.run(options.operands, call)
    : options.operands.length > 0
      ? call.by.script(options.operands.join(" "), call)
      : UNSEEN;
};

export const scriptProgram: Program = (call) => {
  const SCRIPT = { short: "cEIOBTmo", long: ["command"] };
  const options = parseOptions(call.args, SCRIPT);
  for (const text of options.values("c", "command")) call.by.script(text, call);
  const operands = parseOptions(call.args, { ...SCRIPT, stop: true }).operands;
  // BSD: `script FILE COMMAND…`.
  if (operands[0] !== undefined) call.by.write(operands[0], call);
  if (operands.length > 1) call.by.run(operands.slice(1), call);
  else if (options.values("c", "command").length === 0 && call.stdin.from === "pipe") call.by.run(["bash"], call);
  return UNSEEN;
};

export const flock: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "wEc",
    long: ["timeout", "wait", "conflict-exit-code", "command"],
    stop: true,
  });
  const [, ...rest] = options.operands;
  const inner = parseOptions(rest, { short: "c", long: ["command"], stop: true });
  for (const text of [...options.values("c", "command"), ...inner.values("c", "command")]) call.by.script(text, call);
  return inner.operands.length > 0 ? call.by.run(inner.operands, call) : UNSEEN;
};

export const busybox: Program = (call) => {
  const words = call.args.filter((arg, index) => !(index === 0 && arg.startsWith("--")));
  if (words[0] === "httpd")
    for (const place of parseOptions(words.slice(1), { short: "hpcuer" }).values("h")) shares(place, call);
  return words.length > 0 ? call.by.run(words, call) : UNSEEN;
};

export const systemdRun: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "puHME",
    long: [
      "property",
      "unit",
      "uid",
      "gid",
      "slice",
      "description",
      "on-calendar",
      "on-boot",
      "on-active",
      "on-startup",
      "on-unit-active",
      "setenv",
      "working-directory",
      "host",
      "machine",
      "timer-property",
      "nice",
    ],
    stop: true,
  });
  if (options.has("on-calendar", "on-boot", "on-active", "on-startup", "on-unit-active"))
    call.by.harm("schedule", `systemd-run ${call.args.join(" ")}`);
  if (options.operands.length === 1 && /^(\S*\/)?(ba|z|da|k|fi)?sh$/.test(options.operands[0]!) && !options.has("user"))
    call.by.harm("root-shell", `systemd-run ${call.args.join(" ")}`);
  return options.operands.length > 0 ? call.by.run(options.operands, call) : UNSEEN;
};

export const startStop: Program = (call) => {
  const options = parseOptions(
    call.args.filter((arg) => arg !== "--start" && arg !== "-S"),
    { short: "xapnuR", long: ["exec", "startas", "pidfile", "name", "chuid", "retry", "chdir", "user"] },
  );
  if (options.has("K", "stop")) call.by.harm("service-stop", `start-stop-daemon ${call.args.join(" ")}`);
  const program = options.value("a", "startas", "x", "exec");
  if (program !== undefined && !options.has("K", "stop")) call.by.run([program, ...options.operands], call);
  return UNSEEN;
};

/** Runs each of its operands as shell text. */
export const eachText: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "wmrpNsuLnM",
    long: [
      "warmup",
      "min-runs",
      "runs",
      "prepare",
      "setup",
      "cleanup",
      "shell",
      "export-json",
      "export-markdown",
      "names",
      "exec",
      "ext",
      "watch",
      "ignore",
      "signal",
      "command",
    ],
  });
  for (const text of [...options.values("prepare", "setup", "cleanup", "exec", "command", "p"), ...options.operands])
    if (!/^\d+$/.test(text)) call.by.script(text, call);
  return UNSEEN;
};

export function gdb(call: Call): Flow {
  const given = call.args.findIndex((arg) => arg === "--args" || arg === "--");
  if (given >= 0) call.by.run(call.args.slice(given + 1), call);
  if (call.args.some((arg) => /^(dump|append|generate-core|gcore|x\/s|info auxv)\b/.test(arg)))
    call.by.harm("secret-read", `${call.program} copies a process's memory`);
  const options = parseOptions(call.args, {
    short: "xp",
    long: ["ex", "eval-command", "command", "pid", "o", "O", "iex", "one-line"],
    words: true,
  });
  for (const text of options.values("ex", "eval-command", "o", "O", "iex", "one-line")) {
    const shell = /^\s*(?:shell|!|platform shell|pipe)\s*(.*)$/.exec(text);
    if (shell || /\bpython|\bcall\b|system\(/.test(text)) call.by.harm("option-runs", `${call.program} runs ${text}`);
    if (shell) call.by.script(shell[1]!, call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
  return UNSEEN;
}

/** `pdsh -w hosts command …`, `capsh … -- -c …`: a shell as another user if no command is named. */
export function capabilities(call: Call): Flow {
  if (call.args.at(-1) === "--") call.by.harm("root-shell", `${call.program} ${call.args.join(" ")}`);
  return afterDoubleDash(call);
}

export const elevated =
  (program: Program): Program =>
  (call) => {
    const user = call.args.find((_, i) => /^(?:-u|--user)$/.test(call.args[i - 1] ?? ""));
    call.by.takeRights(user ?? "root", call.state);
    return program({ ...call, state: { ...call.state, root: true } });
  };

export function bubblewrap(call: Call): Flow {
  const at = call.args.findIndex(
    (arg, i) =>
      !arg.startsWith("-") &&
      !/^--(ro-|dev-)?bind(-try)?$|^--symlink$|^--setenv$/.test(call.args[i - 2] ?? "") &&
      !(call.args[i - 1] ?? "").startsWith("--"),
  );
  return at >= 0 ? call.by.run(call.args.slice(at), call) : afterDoubleDash(call);
}

export function afterDoubleDash(call: Call): Flow {
  const at = call.args.indexOf("--");
  const code = call.args[call.args.indexOf("-c") + 1];
  if (at >= 0) {
    const words = call.args.slice(at + 1);
    if (call.program === "capsh") return call.by.run(["bash", ...words], call);
    return call.by.run(words, call);
  }
  return call.args.includes("-c") && code !== undefined ? call.by.script(code, call) : UNSEEN;
}

export function afterOption(call: Call, option: string): Flow {
  const at = call.args.indexOf(option);
  if (at === -1) return UNSEEN;
  const words = call.args.slice(at + 1);
  return words.length === 1 ? call.by.script(words[0]!, call) : call.by.run(words, call);
}

export function conda(call: Call): Flow | void {
  if (call.args[0] === "run")
    return wrapper({ verb: ["run"], short: "np", long: ["name", "prefix", "cwd"] })(call) ?? UNSEEN;
  if (call.args[0] === "config" && call.args.some((arg) => /^--(add|append|prepend|set)$/.test(arg)))
    call.by.harm("package-index", `${call.program} ${call.args.join(" ")}`);
  if (/^(remove|uninstall)$/.test(call.args[0] ?? "") && call.args.includes("--all"))
    call.by.harm("recursive-delete", `${call.program} ${call.args.join(" ")}`);
  if (call.args[0] === "env" && call.args[1] === "remove")
    call.by.harm("recursive-delete", `${call.program} ${call.args.join(" ")}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
}

/** A flake or an expression from outside the distribution. */
const UNKNOWN_FLAKE =
  /^(git\+|hg\+|https?:|tarball\+|file\+|path:\/(tmp|var\/tmp|dev\/shm)\/|(github|gitlab|sourcehut):(?!nixos\/))/i;

export function nix(call: Call): Flow | void {
  // A build runs in a sandbox and writes only to the store.
  const verb = call.args.find((arg) => /^(run|shell|develop|profile|bundle|print-dev-env)$/.test(arg));
  const untrusted = call.args.find((arg) => UNKNOWN_FLAKE.test(arg));
  if (untrusted !== undefined && verb !== undefined) call.by.harm("remote-run", `nix ${verb} runs ${untrusted}`);
  const at = call.args.findIndex((arg) => arg === "-c" || arg === "--command");
  if (at >= 0) return call.by.run(call.args.slice(at + 1), call);
  call.by.add({ kind: "execute", program: "nix", words: ["nix", ...call.args] });
}

export function ipExec(call: Call): Flow {
  const at = call.args.indexOf("exec");
  if (at >= 0) return call.by.run(call.args.slice(at + 2), call);
  if (call.args.some((arg) => /^(add|del|delete|set|flush|change|replace)$/.test(arg)))
    call.by.harm("kernel-setting", `ip ${call.args.join(" ")}`);
  return UNSEEN;
}

export function expectProgram(call: Call): Flow {
  const options = parseOptions(call.args, { short: "cfb" });
  const file = options.value("f") ?? options.operands[0];
  if (file !== undefined) call.by.read(file, call, { shown: false });
  const code =
    options.values("c").join("\n") || ((file === undefined ? call.stdin : call.by.written(file, call))?.text ?? "");
  if (file === undefined && call.stdin.remote)
    call.by.harm("remote-shell", `${call.program} runs text from the network`);
  for (const match of code.matchAll(/(?:^|[\s;])(?:spawn|exec|system)\s+([^\n;\]]+)/g)) call.by.script(match[1]!, call);
  for (const [, force, places] of code.matchAll(/(?:^|[\s;[{])file\s+delete\s+(-force\s+)?(?:--\s+)?([^\n;\]}]+)/g))
    for (const place of places!.trim().split(/\s+/))
      call.by.remove(place.replace(/^["{]|["}]$/g, ""), call, { recursive: force !== undefined, by: call.program });
  return UNSEEN;
}
