import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { EVERY_PROCESS, isKnown, MANY, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { fork } from "../parse/state.ts";
import { fileBelow, holdsSecretsBelow } from "./printed-names.ts";
import { checksSyntax } from "./lint-modes.ts";
import { unescape } from "../parse/text-tools.ts";

/** Programs that run a command for every item of a list. */
export const xargs: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "aEeIiLlnPsd",
    long: ["arg-file", "delimiter", "eof", "replace", "max-lines", "max-args", "max-procs", "max-chars"],
    stop: true,
  });
  const words = options.operands.length > 0 ? options.operands : ["echo"];
  const inside: Call["state"] = { ...call.state, eachFile: "xargs-rm" };
  const listed = options.value("a", "arg-file");
  if (listed !== undefined) call.by.read(listed, call, { shown: true });
  const stdin = listed === undefined ? call.stdin : (call.by.written(listed, call) ?? UNSEEN);
  const replace = options.value("I", "replace", "i") ?? (options.has("i") ? "{}" : undefined);
  const delimiter = options.has("0", "null")
    ? "\0"
    : options.has("d", "delimiter")
      ? unescape(options.value("d", "delimiter") ?? "\0")
      : undefined;
  const items =
    stdin.text === undefined || !isKnown(stdin.text)
      ? undefined
      : delimiter !== undefined
        ? stdin.text.split(delimiter).filter((item) => item !== "")
        : listItems(stdin.text, replace === undefined ? /\s/ : /\n/);
  const known = items !== undefined;
  const program = words[0]!.replace(/^.*\//, "");
  if (program === "rm" || program === "unlink" || program === "shred" || program === "rmdir")
    call.by.harm("xargs-rm", `xargs ${words.join(" ")}`);
  if (known && stdin.below && /^(rm|unlink|shred)$/.test(program))
    for (const item of items ?? []) call.by.remove(item, call, { recursive: true, by: "xargs rm" });
  // The list contains every file below a folder, so the command acts like `-R`.
  if (known && stdin.below && /^(chmod|chown|chgrp)$/.test(program))
    call.by.run([words[0]!, "-R", ...words.slice(1), ...(items ?? [])], call, UNSEEN, inside);
  // A program that reads files reads every file below the folder.
  else if (known && stdin.below) {
    const files = (items ?? []).filter((item) => holdsSecretsBelow(item, call)).map((item) => fileBelow(item));
    if (files.length > 0)
      call.by.run(
        replace === undefined ? [...words, ...files] : words.map((word) => word.replaceAll(replace, files[0]!)),
        call,
        UNSEEN,
        inside,
      );
  }
  // An interpreter that takes its script from the list runs a text that is not shown.
  const at = words.findIndex((word) => !WRAPPING.test(word));
  const inner = (words[at] ?? "").replace(/^.*\//, "");
  const rest = words.slice(at + 1);
  if (
    !known &&
    /^(ba|z|da|k|fi)?sh$|^(python|perl|ruby|node|php)/.test(inner) &&
    !rest.some((word) => !word.startsWith("-") && word !== replace) &&
    // A list from the network may contain an option that undoes the check.
    (stdin.remote || stdin.decoded || !checksSyntax(inner, rest))
  )
    call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the script comes from the list`);
  const last = words.at(-1);
  if (!known && last === "-c" && /^(ba|z|da|k)?sh$/.test(program))
    call.by.harm("unseen-shell", `xargs ${words.join(" ")}: the text comes from the list`);
  if (items !== undefined && items.length > MAX_RUNS) tooMany(call);
  if (replace !== undefined) {
    const patterns = stdin.text?.startsWith("/") ? linesOf(stdin.text) : stdin.names;
    for (const item of (items ?? patterns ?? [stdin.processes ? EVERY_PROCESS : UNKNOWN]).slice(0, MAX_RUNS))
      call.by.run(
        words.map((word) => word.replaceAll(replace, item)),
        call,
        UNSEEN,
        inside,
      );
    if (!known && words[0]!.includes(replace))
      call.by.harm("computed-command", `xargs ${words.join(" ")}: the command comes from the list`);
    return UNSEEN;
  }
  const max = Number(options.value("n", "max-args") ?? 0);
  if (items && max > 0)
    for (let i = 0; i < Math.min(items.length, MAX_RUNS * max); i += max)
      call.by.run([...words, ...items.slice(i, i + max)], call, UNSEEN, inside);
  else if (!known && stdin.text !== undefined && stdin.text.length < 4000 && program !== "rm")
    return call.by.run([...words, ...linesOf(stdin.text)], call, UNSEEN, inside);
  else
    return call.by.run(
      [
        ...words,
        ...(items ??
          stdin.names ??
          (program === "rm" ? [UNKNOWN] : [(stdin.processes ? EVERY_PROCESS : UNKNOWN) + MANY])),
      ],
      call,
      UNSEEN,
      inside,
    );
  return UNSEEN;
};

const linesOf = (text: string): readonly string[] => text.split(/[\n\0]/).filter((line) => line !== "");

/** Wrappers and options that may precede the program. */
const WRAPPING = /^(?:env|sudo|doas|nice|nohup|command|time|timeout|stdbuf|ionice)$|^-|^\w+=|^\d+[smh]?$/;

/**
 * The items as xargs splits them, respecting quotes and backslashes. Undefined if a quote is not closed.
 */
function listItems(text: string, separator: RegExp): readonly string[] | undefined {
  const items: string[] = [];
  let item: string | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote !== "") {
      if (char === quote) quote = "";
      else item += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      item ??= "";
    } else if (item === undefined && /[ \t]/.test(char)) continue;
    else if (char === "\\") item = (item ?? "") + (text[++i] ?? "");
    else if (!separator.test(char)) item = (item ?? "") + char;
    else if (item !== undefined) {
      items.push(item);
      item = undefined;
    }
  }
  if (item !== undefined) items.push(item);
  return quote === "" ? items.filter((one) => one !== "") : undefined;
}

/** The number of commands from one list that are judged. */
const MAX_RUNS = 60;

function tooMany(call: Call): void {
  call.by.harm("parser-limit", `${call.program} runs more commands than the analysis can follow`);
}

export const parallel: Program = (call) => {
  const separator = call.args.findIndex((arg) => /^::::?\+?$/.test(arg));
  const head = separator === -1 ? call.args : call.args.slice(0, separator);
  const items =
    separator === -1 || call.args[separator]!.startsWith("::::")
      ? undefined
      : call.args.slice(separator + 1).filter((arg) => !/^:::\+?$/.test(arg));
  const options = parseOptions(head, {
    short: "jaISNnLMPsE",
    long: [
      "jobs",
      "arg-file",
      "delay",
      "timeout",
      "joblog",
      "sshlogin",
      "colsep",
      "retries",
      "results",
      "tmpdir",
      "load",
    ],
    stop: true,
  });
  const text = options.operands.join(" ");
  const known = call.stdin.text !== undefined ? call.stdin.text.split("\n").filter((line) => line !== "") : undefined;
  if ((items ?? known ?? []).length > MAX_RUNS) tooMany(call);
  if (text === "") {
    const lines = items ?? known;
    if (lines) for (const line of lines.slice(0, MAX_RUNS)) call.by.script(line, call);
    else if (!options.has("shellquote", "shell-quote", "dry-run", "dryrun"))
      call.by.harm("unseen-shell", "parallel runs lines that are not shown");
    return UNSEEN;
  }
  const all = [...(items ?? known ?? []), ...(items === undefined ? (call.stdin.names ?? []) : [])];
  const given =
    all.length > 0
      ? all
      : items === undefined && known === undefined
        ? [call.stdin.processes ? EVERY_PROCESS : UNKNOWN]
        : [];
  for (const item of given.slice(0, MAX_RUNS)) {
    const filled = text.replace(/\{[./#%1]*\}/g, item);
    call.by.script(filled === text ? `${text} ${item}` : filled, call, {
      stdin: UNSEEN,
      state: { ...fork(call.state), eachFile: "xargs-rm" },
    });
  }
  if (/^\s*(\S*\/)?rm\s/.test(text)) call.by.harm("xargs-rm", `parallel ${text}`);
  return UNSEEN;
};
