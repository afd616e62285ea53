import type { Call, Program } from "../evaluate/call.ts";
import { isQuietLisp } from "../code/code-lisp.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { isKnown } from "../parse/marks.ts";

export const editor: Program = (call) => {
  const commands = call.args.flatMap((arg, i) =>
    /^-[sEeRnu]*c$/.test(arg) ||
    arg === "--cmd" ||
    arg === "-S" ||
    (arg === "-s" && !/^(?:ex|ed|red|nano|pico)$/.test(call.program))
      ? [call.args[i + 1] ?? ""]
      : arg.startsWith("+")
        ? [arg.slice(1)]
        : [],
  );
  for (const arg of call.args) {
    const inner = /%sh\{(.*)\}/s.exec(arg)?.[1];
    if (inner !== undefined) call.by.script(inner, call);
  }
  for (const command of commands) {
    const shell =
      /^:?\s*(?:silent\s*!?\s*|exe(?:cute)?\s+['"]?)?(?:(?:\d*,?\$?%?)?|r(?:ead)?\s*|(?:\d*,?\$?%?)?w(?:rite)?\s+)!(.*)$/.exec(
        command,
      );
    const written =
      /^:?\s*(?:\d*,?\$?%?)?(?:wq?|x|xit|exit|write|wall|sav|saveas|up|update)!?\s+(?:>>\s*)?(\S+)/.exec(command) ??
      /\bwritefile\(.*,\s*["']([^"']+)["']/.exec(command);
    if (written) call.by.write(written[1]!.replace(/^~(?=\/)/, call.by.home), call);
    const opened =
      /^:?\s*(?:\d*,?\$?%?)?(?:r(?:ead)?|e(?:dit)?|sp(?:lit)?|vs(?:plit)?|tabe(?:dit)?|so(?:urce)?)!?\s+(?:\+\+?\S+\s+)*([^!\s|][^\s|]*)/.exec(
        command,
      );
    if (opened) call.by.read(opened[1]!.replace(/^~(?=\/)/, call.by.home), call);
    if (/\bdelete\(\s*['"][^)]*['"]rf?['"]/.test(command))
      call.by.harm("recursive-delete", `${call.program} runs ${command}`);
    const sets = /^:?\s*set(?:l(?:ocal)?)?\s[^|]*$/.test(command);
    if (
      shell ||
      (!sets && /\b(system|systemlist|py3?x?|python3?|lua|perl|ruby|term(inal)?|jobstart)\b/.test(command))
    ) {
      call.by.harm("option-runs", `${call.program} runs ${command}`);
      if (shell) call.by.script(shell[1]!, call);
    }
  }
  if (call.stdin.text !== undefined && call.program !== "nano" && call.program !== "pico") {
    for (const line of call.stdin.text.split("\n")) {
      const opened = /^:?[rEe](?:ead|dit)?\s+([^!\s]\S*)/.exec(line)?.[1];
      if (opened !== undefined) call.by.read(opened, call);
      if (/^:?!./.test(line)) {
        call.by.harm("option-runs", `${call.program} runs ${line}`);
        call.by.script(line.replace(/^:?!/, ""), call);
      }
    }
  }
  const speller =
    call.program === "nano" ? call.args.findIndex((arg) => arg === "-s" || arg.startsWith("--speller")) : -1;
  if (speller >= 0) call.by.harm("option-runs", `nano runs ${call.args.slice(speller).join(" ")}`);
  const looks = call.args.some((arg) => /^-[RM]+$/.test(arg)) || /^(view|rview|gview)$/.test(call.program);
  for (const file of call.args.filter((arg) => !/^[-+]/.test(arg) && !commands.includes(arg)))
    if (looks) call.by.read(file, call, { shown: true });
    else call.by.write(file, call, "edit");
  return UNSEEN;
};

const EMACS_CODE = /^(--?(eval|execute|funcall|load)|-[efl])$/;

const EMACS_TASK = /^(batch-[\w-]+|ert-run-tests-batch[\w-]*|org-\w+-export-to-\w+|package-\w+|checkdoc[\w-]*)$/;

export function emacs(call: Call): Flow {
  const codes = call.args.flatMap((arg, i) => {
    const joined = /^--(?:eval|execute|funcall|load)=(.*)$/s.exec(arg)?.[1];
    return joined !== undefined ? [joined] : EMACS_CODE.test(call.args[i - 1] ?? "") ? [arg] : [];
  });
  for (const code of codes)
    if (!EMACS_TASK.test(code) && !(code.startsWith("(") && isKnown(code) && isQuietLisp(code)))
      call.by.harm("option-runs", `emacs runs ${code}`);
  for (const file of call.args) {
    // `/ssh:host:/file` is a file on another machine.
    const host = /^\/(?:ssh|scp|sftp|rsync|ftp|sudo|su|telnet|smb|docker)x?:([^:|]+):/.exec(file)?.[1];
    if (host !== undefined) call.by.network(host, true);
    else if (/^[/~.\w]/.test(file) && !codes.includes(file)) call.by.write(file, call, "edit");
  }
  return UNSEEN;
}
