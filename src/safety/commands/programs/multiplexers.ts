import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";

export const tmux: Program = (call) => {
  if (call.args[0] === "-c" && call.args[1] !== undefined) call.by.script(call.args[1], call);
  const verb = call.args.find((arg) => !arg.startsWith("-")) ?? "";
  const rest = call.args.slice(call.args.indexOf(verb) + 1);
  if (
    /^(new|new-session|new-window|neww|split-window|splitw|respawn-pane|respawn-window|run|run-shell|if-shell|popup|display-popup|pipe-pane)$/.test(
      verb,
    )
  ) {
    const words = parseOptions(rest, { short: "sntceFxyl", stop: true }).operands;
    if (words.length > 0) call.by.script(words.join(" "), call);
    // Several words are a command without a shell.
    if (words.length > 1) call.by.run(words, call);
  } else if (verb === "send-keys" || verb === "send") {
    const words = parseOptions(rest, { short: "tN", stop: true }).operands.filter(
      (word) => !/^(Enter|C-m|C-[a-z]|Escape|Space|Tab)$/.test(word),
    );
    call.by.script(words.join(" "), call);
  } else if (verb.startsWith("kill-server")) call.by.harm("force-kill", "tmux kill-server ends every session");
  return UNSEEN;
};

export const screen: Program = (call) => {
  const options = parseOptions(call.args, { short: "ScepTtsh", stop: true });
  const stuff = options.operands.indexOf("stuff");
  if (options.has("X") && stuff >= 0) call.by.script(options.operands.slice(stuff + 1).join(" "), call);
  else if (options.has("X") && options.operands[0] === "exec") call.by.run(options.operands.slice(1), call);
  else if (!options.has("X", "r", "x") && options.operands.length > 0) call.by.run(options.operands, call);
  return UNSEEN;
};
