import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";

/** Programs that run something again whenever a file changes. */
const entr: Program = (call) => {
  const { options, operands } = parseOptions(call.args, { stop: true });
  // With -s, the first operand is shell text and the others are its arguments.
  if (options.some(({ name }) => name === "s"))
    return operands[0] === undefined
      ? UNSEEN
      : call.by.script(operands[0], call, { args: operands.slice(1), stdin: UNSEEN });
  return operands.length === 0 ? UNSEEN : call.by.run(operands, call, UNSEEN);
};

const watchexec: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "ewifsdWEjo",
    long: [
      "exts",
      "watch",
      "watch-non-recursive",
      "ignore",
      "shell",
      "filter",
      "signal",
      "debounce",
      "delay-run",
      "workdir",
      "env",
      "emit-events-to",
      "on-busy-update",
      "stop-signal",
      "stop-timeout",
      "project-origin",
      "ignore-file",
      "filter-file",
      "fs-events",
      "wrap-process",
      "socket",
    ],
    stop: true,
  });
  const words = options.operands[0] === "--" ? options.operands.slice(1) : options.operands;
  if (words.length === 0) return UNSEEN;
  return options.value("shell") === "none" || options.has("n")
    ? call.by.run(words, call, UNSEEN)
    : call.by.script(words.join(" "), call, { stdin: UNSEEN });
};

const nodemon: Program = (call) => {
  const options = parseOptions(call.args, { short: "xewid", long: ["exec", "ext", "watch", "ignore", "delay"] });
  for (const text of options.values("x", "exec")) call.by.script(text, call);
  call.by.add({ kind: "execute", program: "nodemon", words: ["nodemon", ...call.args] });
  return UNSEEN;
};

/** `cargo watch -x test -s 'make lint'`. */
export function cargoWatch(call: Call): void {
  const options = parseOptions(call.args.slice(1), {
    short: "xsCwiBdE",
    long: ["exec", "shell", "workdir", "watch", "ignore", "delay", "use-shell", "features", "env"],
    stop: true,
  });
  for (const text of options.values("s", "shell")) call.by.script(text, call);
  for (const text of options.values("x", "exec")) call.by.script(`cargo ${text}`, call);
  const dashes = call.args.indexOf("--");
  if (dashes > 0) call.by.script(call.args.slice(dashes + 1).join(" "), call);
}

export const WATCHERS: Readonly<Record<string, Program>> = {
  entr,
  watchexec,
  nodemon,
  "cargo-watch": (call) => (cargoWatch({ ...call, args: ["watch", ...call.args] }), UNSEEN),
};
