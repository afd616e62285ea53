import type { Call } from "../evaluate/call.ts";
import type { Options } from "../parse/options.ts";
import { judgeAddress } from "./git-address.ts";
import { configured } from "./git-config.ts";

/** Subcommands that connect to another repository. */
const NETWORK = new Set("clone fetch pull ls-remote push".split(" "));

/** Options whose value git runs, by subcommand. */
const RUNS: ReadonlyMap<string, readonly string[]> = new Map([
  ["clone", ["u", "upload-pack", "c", "config", "template"]],
  ["fetch", ["upload-pack"]],
  ["pull", ["upload-pack"]],
  ["ls-remote", ["upload-pack", "exec"]],
  ["push", ["receive-pack", "exec"]],
  ["rebase", ["x", "exec"]],
  ["grep", ["O", "open-files-in-pager"]],
  ["difftool", ["x", "extcmd"]],
  ["archive", ["exec"]],
  ["init", ["template"]],
  ["fetch-pack", ["upload-pack", "exec"]],
  ["send-pack", ["receive-pack", "exec"]],
  ["web--browse", ["b", "browser"]],
  ["merge-driver", ["program"]],
  ["send-email", ["smtp-server", "to-cmd", "cc-cmd", "header-cmd", "sendmail-cmd"]],
]);

/** Subcommands whose operands are a command. */
const OPERAND_RUNS: ReadonlySet<string> = new Set(["merge-index", "remote-ext"]);

/** Judges the options of a subcommand that name a program. */
export function programs(verb: string, options: Options, call: Call): void {
  for (const name of RUNS.get(verb) ?? []) {
    for (const value of options.values(name)) {
      // `--to` does not abbreviate `--to-cmd`. `--smtp-server` names a program only as a path.
      if (
        verb === "send-email" &&
        (options.options.some((option) => option.value === value && /^(?:to|cc)$/.test(option.name)) ||
          (name === "smtp-server" && !value.includes("/")))
      )
        continue;
      if (name === "c" || name === "config") configured(value, call);
      else if (verb === "rebase") {
        strangeProgram(`git rebase --exec ${value}`, value, call);
        call.by.script(value, call);
      } else if (!(verb === "clone" && name === "c")) {
        call.by.harm("option-runs", `git ${verb} ${name.length > 1 ? "--" : "-"}${name} runs ${value}`);
        call.by.script(value, call);
      }
    }
  }
  // An address that names a transport program asks with every subcommand.
  if (verb !== "grep")
    for (const word of [...options.operands, ...options.values("repo", "remote", "bundle-uri", "reference", "o")])
      if (/^(?:ext|fd)::/i.test(word)) judgeAddress(word, call);
  const [program] = options.operands;
  if (OPERAND_RUNS.has(verb) && program !== undefined && program !== "git-merge-one-file") {
    call.by.harm("option-runs", `git ${verb} runs ${options.operands.join(" ")}`);
    call.by.script(
      options.operands.slice(verb === "remote-ext" ? 1 : 0, verb === "merge-index" ? 1 : undefined).join(" "),
      call,
    );
  }
  for (const operand of options.operands)
    if (NETWORK.has(verb) && operand.startsWith("-o")) call.by.harm("option-runs", `git ${verb} ${operand}`);
}

/**
 * A file outside the repository, run at every commit: it exists for every checkout, and no commit shows its content.
 */
const OUTSIDE = /(?:^|[\s;&|"'])(?:\.\.\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/|~\/\.|\$HOME\/\.)[^\s;&|]*/;
const RUNS_FILE =
  /^\s*(?:(?:env\s+)?(?:\w+=\S*\s+)*(?:(?:ba|z|da|k)?sh|source|\.|python3?|node|perl|ruby|exec)\s+(?:-\w+\s+)*|make\s+-C\s*)?(?=\.\.\/|\/|~|\$HOME)/;

/** A command that contacts another machine. */
const FETCHES =
  /(?:^|[;&|({]\s*|\b(?:then|do|else|if|while|until|time|exec)\s+|(?:^|\s)(?:!|-c)\s+['"]?|\$\(\s*|`)(?:sudo\s+|env\s+|timeout\s+\S+\s+|\w+=\S*\s+)*['"]?(?:curl|wget|wget2|fetch|https?|aria2c|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|tftp)\s/;

const LOCAL = /\b(?:localhost|127\.0\.0\.1)\b/;

export function strangeProgram(show: string, text: string, call: Call): void {
  if (text.length < 2000 && FETCHES.test(text.trimStart()) && !LOCAL.test(text)) call.by.harm("option-runs", show);
  if (text.length < 500 && RUNS_FILE.test(text) && OUTSIDE.test(text)) call.by.harm("option-runs", show);
}
