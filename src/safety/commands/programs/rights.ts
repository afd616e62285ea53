import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, NOTHING, UNSEEN } from "../risk/effect.ts";
import { judgeEnvironment } from "../evaluate/environment.ts";
import { isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { fork } from "../parse/state.ts";
import { assignmentsBefore } from "./env.ts";

/** Programs that run others with the rights of another user. */
export const sudo: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "ugpCDhRrTtU",
    long: [
      "user",
      "group",
      "prompt",
      "close-from",
      "chdir",
      "host",
      "chroot",
      "role",
      "type",
      "command-timeout",
      "other-user",
    ],
    stop: true,
  });
  let words = options.operands;
  const assigned = assignmentsBefore(words);
  for (const [name, value] of assigned) judgeEnvironment(name, value, call);
  words = words.slice(assigned.length);
  if (options.has("S", "stdin") || options.has("A", "askpass"))
    call.by.harm("sudo-flag", `sudo ${call.args.join(" ")}: reads the password from another source than the user`);
  const other = options.value("u", "user");
  const asUser = words.length > 0 && other !== undefined && !/^(root|#?0)$/.test(other) && isKnown(other);
  if (!asUser && (options.has("s", "shell") || options.has("i", "login")))
    call.by.harm(words.length > 0 ? "sudo-flag" : "root-shell", `sudo ${call.args.join(" ")}`);
  if (options.has("e", "edit") || call.program === "sudoedit") {
    for (const file of words) call.by.write(file, call, "edit");
    call.by.takeRights("root", call.state);
    return NOTHING;
  }
  if (words.length === 0 && !options.has("s", "shell", "i", "login")) return UNSEEN;
  call.by.takeRights(
    other === undefined || /^(root|#?0)$/.test(other) ? "root" : other.replace(/^#/, "user "),
    call.state,
  );
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
export function groupShell(call: Call): Flow {
  const [, ...words] = call.args.filter((arg) => arg !== "-c");
  if (words.length === 0 && /^(root|wheel|sudo|docker|disk|lxd|admin|shadow)$/.test(call.args[0] ?? ""))
    call.by.harm("root-shell", `sg ${call.args.join(" ")}`);
  return words.length > 0 ? call.by.script(words.join(" "), call) : UNSEEN;
}

export const su: Program = (call) => {
  const options = parseOptions(call.args, { short: "csgGw", long: ["command", "shell", "session-command", "group"] });
  const code = options.values("c", "command", "session-command");
  call.by.takeRights(options.operands.find((word) => word !== "-") ?? "root", call.state);
  if (code.length === 0) call.by.harm("root-shell", `su ${call.args.join(" ")}`);
  else call.by.harm("sudo-flag", `su ${call.args.join(" ")}`);
  for (const text of code) call.by.script(text, call);
  return UNSEEN;
};
