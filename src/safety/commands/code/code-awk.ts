import type { Call } from "../evaluate/call.ts";
import { readArguments } from "./code-arguments.ts";
import type { Token } from "./code-tokens.ts";
import { literal, UNSEEN } from "../risk/effect.ts";
import { isKnown, UNKNOWN } from "../parse/marks.ts";
import { printfText } from "../parse/text-tools.ts";

type Variables = ReadonlyMap<string, string>;

/** The effect of an awk statement; how many shells it starts. */
export function judgeAwk(tokens: readonly Token[], i: number, variables: Variables, call: Call): number {
  const token = tokens[i]!;
  if (token.text === "system" && tokens[i + 1]?.text === "(") {
    const formats = tokens[i + 2]?.text === "sprintf" && tokens[i + 3]?.text === "(";
    const text = formats
      ? formatted(tokens, i + 4, variables, call)
      : readArguments(tokens, i + 2, variables, call.state.budget)[0]?.text;
    if (text === undefined) call.by.harm("code-runs", "awk: system(…) with computed text");
    else call.by.script(text, call);
    return 1;
  }
  if (
    token.text === "getline" &&
    (tokens[i - 1]?.text === "|" || (tokens[i - 1]?.text === "&" && tokens[i - 2]?.text === "|"))
  ) {
    const text = before(tokens, tokens[i - 1]!.text === "|" ? i - 2 : i - 3, variables);
    if (text !== undefined) call.by.script(text, call);
    else call.by.harm("code-runs", "awk: runs a computed command");
    return 1;
  }
  if (token.text === "print" || token.text === "printf") return judgePrint(tokens, i, variables, call);
  if (token.text === "inet") call.by.harm("reverse-shell", "awk opens a network connection");
  return 0;
}

/** `print … | "sh"`, `print … > "file"`. */
function judgePrint(tokens: readonly Token[], i: number, variables: Variables, call: Call): number {
  for (let at = i + 1; at < tokens.length && ![";", "}"].includes(tokens[at]!.text); at++) {
    const next = tokens[at + 1];
    if (tokens[at]!.kind !== "punctuation") continue;
    if (tokens[at]!.text === "|" && next?.text !== "getline" && next?.text !== "|") {
      const to = next?.text === "&" ? tokens[at + 2] : next;
      const command = to?.kind === "string" ? to.text : to?.kind === "name" ? variables.get(to.text) : undefined;
      const text = command === undefined ? undefined : printed(tokens, i, at, variables, call);
      if (command?.startsWith("/inet")) call.by.harm("reverse-shell", "awk opens a network connection");
      else if (command === undefined) call.by.harm("code-runs", "awk: pipes to a computed command");
      else call.by.script(command, call, { stdin: text === undefined ? UNSEEN : literal(text) });
      return 1;
    }
    if (tokens[at]!.text === ">" && next?.kind === "string") call.by.write(next.text, call);
  }
  return 0;
}

/** The text between `print` and the command it is piped to, if all of it is literal. */
function printed(
  tokens: readonly Token[],
  verb: number,
  end: number,
  variables: Variables,
  call: Call,
): string | undefined {
  const inside = tokens.slice(verb + 1, end);
  if (inside.length === 0) return undefined;
  const args = readArguments(inside, 0, variables, call.state.budget);
  const texts = args.length === 1 && args[0]!.items !== undefined ? args[0]!.items : args.map(({ text }) => text);
  if (!texts.every((text) => text !== undefined && isKnown(text))) return undefined;
  return tokens[verb]!.text === "print" ? `${texts.join(" ")}\n` : format(texts as readonly string[]);
}

function formatted(tokens: readonly Token[], start: number, variables: Variables, call: Call): string | undefined {
  const texts = readArguments(tokens, start, variables, call.state.budget).map(({ text }) => text);
  return texts.every((text) => text !== undefined) ? format(texts as readonly string[]) : undefined;
}

const format = ([pattern = "", ...values]: readonly string[]): string | undefined =>
  printfText(pattern.replaceAll("\\", "\\\\"), values);

/** The texts and names that stand beside each other and end at `last`: `"rm " "-rf " place | getline`. */
function before(tokens: readonly Token[], last: number, variables: Variables): string | undefined {
  let out = "";
  let known = false;
  let at = tokens[last]?.text === ")" && tokens[last]!.kind === "punctuation" ? last - 1 : last;
  for (; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.kind === "string") out = token.text + out;
    else if (token.kind === "name" && !WORDS.has(token.text)) out = (variables.get(token.text) ?? UNKNOWN) + out;
    else break;
    known ||= token.kind === "string" || variables.has(token.text);
  }
  return known ? out : undefined;
}

const WORDS: ReadonlySet<string> = new Set(["do", "else", "in", "return", "BEGIN", "END"]);
