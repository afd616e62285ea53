import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";

/** Commands of tmux whose last words are another command of tmux. */
const NESTING = /^(?:set-hook|bind|bind-key|confirm|confirm-before|command-prompt|display-menu|menu)$/;
/** Options of tmux whose value is a command. */
const COMMAND_OPTION = /^(?:default-command|default-shell|editor|copy-command|lock-command|update-environment)$/;

export const tmux: Program = (call) => {
  const at = call.args.indexOf(";");
  if (at > 0) {
    tmux({ ...call, args: call.args.slice(0, at) });
    tmux({ ...call, args: call.args.slice(at + 1) });
    return UNSEEN;
  }
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
  } else if (NESTING.test(verb)) {
    // The nested command has the syntax of a shell's words.
    const inner = rest.findLast((word) => /^[a-z][\w-]*\s/.test(word));
    if (inner !== undefined) call.by.script(`tmux ${inner}`, call);
  } else if (/^set(?:-option|-window-option|w)?$/.test(verb)) {
    const [name = "", ...values] = parseOptions(rest, { short: "t" }).operands;
    if (COMMAND_OPTION.test(name)) call.by.script(values.join(" "), call);
  } else if (/^(?:save-buffer|saveb|load-buffer|loadb|source-file|source)$/.test(verb)) {
    for (const file of parseOptions(rest, { short: "bt" }).operands)
      if (verb.startsWith("save")) call.by.write(file, call);
      else if (verb.startsWith("load")) call.by.read(file, call);
      else if (!file.startsWith(`${call.by.home}/`)) call.by.harm("option-runs", `tmux ${verb} ${file}`);
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
