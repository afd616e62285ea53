import type { Program } from "../evaluate/call.ts";
import { NOTHING, UNSEEN } from "../risk/effect.ts";
import { BRACKET, hasMark, holdsEveryProcess, QUESTION, STAR } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { takesEveryName } from "./process-lists.ts";

/** `cd /proc; kill [0-9]*`: a pattern stands for many processes. */
const EVERY_NAME = new RegExp(`^[${STAR}${QUESTION}${BRACKET}]+$`);

export const kill: Program = (call) => {
  let signal = "TERM";
  const targets: string[] = [];
  for (let i = 0; i < call.args.length; i++) {
    const arg = call.args[i]!;
    if (arg === "-l" || arg === "-L" || arg === "--list" || arg === "--table") return UNSEEN;
    if (arg === "-s" || arg === "-n" || arg === "--signal") signal = call.args[++i] ?? "";
    else if (arg.startsWith("--signal=")) signal = arg.slice(9);
    else if (arg === "--") {
      targets.push(...call.args.slice(i + 1));
      break;
    } else if (i === 0 && /^-[A-Za-z0-9]+$/.test(arg) && call.args.length > 1) signal = arg.slice(1);
    else if (arg === "--help" || arg === "--version") return UNSEEN;
    else targets.push(arg);
  }
  const force = /^(SIG)?KILL$|^9$/i.test(signal);
  if (signal === "0") return UNSEEN;
  for (const target of targets) {
    const everything = target === "-1" || holdsEveryProcess(target) || EVERY_NAME.test(target);
    call.by.add({ kind: "signal", target, everything, force, byName: !everything && hasMark(target) });
    if (target === "1" && force) call.by.harm("force-kill", "kill of process 1");
  }
  return NOTHING;
};

export const pkill: Program = (call) => {
  const args = call.args.filter((arg) => !/^-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,}[0-9]?)$/.test(arg));
  const signals = call.args
    .filter((arg) => /^-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,}[0-9]?)$/.test(arg))
    .map((arg) => arg.slice(1));
  const options = parseOptions(args, {
    short: call.program === "killall" ? "suytoZcdmn" : "FgGPsutUrn",
    long: [
      "signal",
      "user",
      "euid",
      "uid",
      "group",
      "session",
      "terminal",
      "parent",
      "older-than",
      "younger-than",
      "ns",
      "pidfile",
    ],
  });
  const signal = signals.at(-1) ?? options.value("signal", ...(call.program === "killall" ? ["s"] : [])) ?? "TERM";
  const force = /^(SIG)?KILL$|^9$/i.test(signal);
  if (signal === "0" || options.has("l", "list", "L")) return UNSEEN;
  const names = options.operands;
  const pattern = call.program === "killall" ? options.has("r", "regexp") : true;
  const own = names.some((name) => /hermes|cli\.py/i.test(name));
  if (own) call.by.harm("self-kill", `${call.program} ${call.args.join(" ")}`);
  const inverse = call.program === "pkill" && options.has("v", "inverse");
  if (pattern && names.some((name) => takesEveryName(name) || inverse || (name === "/" && options.has("f", "full"))))
    call.by.add({ kind: "signal", target: "every process", everything: true, force, byName: true });
  else if (call.program === "killall" && options.has("r", "regexp"))
    call.by.harm("kill-regex", `killall ${call.args.join(" ")}`);
  if (names.length === 0 && options.has("u", "U", "user", "euid", "uid"))
    call.by.harm("kill-user", `${call.program} ${call.args.join(" ")}`);
  const groups = options.values("P", "parent", "g", "G", "group", "s", "session", "t", "terminal");
  for (const name of names.length > 0 ? names : groups)
    call.by.add({ kind: "signal", target: name, everything: false, force, byName: true });
  return NOTHING;
};
