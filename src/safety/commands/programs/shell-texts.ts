import type { Call, Program } from "../evaluate/call.ts";
import { allBelow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, EVERY_PROCESS, hasGlob, isKnown, SECRET } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { printfText, unescape } from "../parse/text-tools.ts";
import { setVariable } from "../parse/variables.ts";
import { evaluating } from "./evaluating.ts";
import { printedNames } from "./printed-names.ts";

const echo: Program = (call) => {
  let args = call.args;
  let escapes = false;
  let newline = true;
  while (args[0] !== undefined && /^-[neE]+$/.test(args[0])) {
    if (args[0].includes("e")) escapes = true;
    if (args[0].includes("n")) newline = false;
    args = args.slice(1);
  }
  const text = args.join(" ");
  reportSecrets(text, call);
  if (hasGlob(text)) return printedNames(args, call) ?? { text: undefined, from: "pipe" };
  return literal((escapes ? unescape(text) : text) + (newline ? "\n" : ""));
};

const printf: Program = (call) => {
  const toVariable = call.args[0] === "-v" ? call.args[1] : undefined;
  const args = (toVariable === undefined ? call.args : call.args.slice(2)).filter(
    (arg, index) => !(index === 0 && arg === "--"),
  );
  reportSecrets(args.join(" "), call);
  // With an option, the output is not followed.
  const text =
    toVariable === undefined && /^-./.test(call.args[0] ?? "") && call.args[0] !== "--"
      ? ""
      : printfText(args[0] ?? "", args.slice(1));
  if (toVariable !== undefined) {
    setVariable(toVariable, text ?? COMPUTED, call.state);
    return NOTHING;
  }
  return text === undefined ? UNSEEN : literal(text);
};

function reportSecrets(text: string, call: Call): void {
  if (text.includes(SECRET)) call.by.harm("environment-read", `${call.program} prints a secret variable`);
}

const read: Program = (call) => {
  const options = parseOptions(call.args, { short: "adinNptu" });
  const names = options.operands.length > 0 ? options.operands : ["REPLY"];
  const first = call.stdin.text?.split("\n")[0] ?? "";
  const line = options.has("r") ? first : first.replace(/\\(.)/g, "$1");
  const separators = call.state.variables.get("IFS");
  const known = typeof separators === "string" && isKnown(separators);
  const single =
    known &&
    call.stdin.text !== undefined &&
    call.stdin.text.trimEnd().split("\n").length === 1 &&
    (isKnown(call.stdin.text) ||
      (/^\S+\n?$/.test(call.stdin.text.replace(/^\//, "")) && call.stdin.text.startsWith("/")));
  const blank = !known || /^\s+$/.test(separators);
  const words = blank
    ? line.trim().split(/\s+/)
    : separators === ""
      ? [line]
      : line.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, "\\$&")}]`));
  const unseen = call.stdin.processes ? EVERY_PROCESS : (call.stdin.names?.[0] ?? COMPUTED);
  const array = options.value("a");
  if (array !== undefined) setVariable(array, single ? words : [unseen], call.state);
  else
    names.forEach((name, index) =>
      setVariable(
        name,
        single
          ? index === names.length - 1
            ? words.slice(index).join(blank ? " " : separators.slice(0, 1))
            : (words[index] ?? "")
          : unseen,
        call.state,
      ),
    );
  return NOTHING;
};

const mapfile: Program = (call) => {
  const options = parseOptions(call.args, { short: "dnOsuCc" });
  const callback = options.value("C");
  if (callback !== undefined) call.by.script(`${callback} 0 line`, call);
  const lines =
    (allBelow(call.stdin) ?? call.stdin.text)?.split("\n").filter((line) => line !== "") ?? call.stdin.names;
  setVariable(options.operands[0] ?? "MAPFILE", lines ?? [call.stdin.processes ? EVERY_PROCESS : COMPUTED], call.state);
  return NOTHING;
};

/** Builtins that print texts and read them into variables. */
export const SHELL_TEXTS: Readonly<Record<string, Program>> = {
  echo,
  printf: (call) => (call.args[0] === "-v" ? evaluating(printf)(call) : printf(call)),
  read: evaluating(read),
  mapfile,
  readarray: mapfile,
};
