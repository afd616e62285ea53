import type { Call } from "./call.ts";
import { readArguments } from "./code-arguments.ts";
import type { Token } from "./code-tokens.ts";

/** What awk does at one of its own words; how many shells it starts. */
export function judgeAwk(tokens: readonly Token[], i: number, variables: ReadonlyMap<string, string>, call: Call): number {
  const token = tokens[i]!;
  if (token.text === "system" && tokens[i + 1]?.text === "(") {
    const argument = readArguments(tokens, i + 2, variables, call.state.budget)[0];
    if (argument?.text === undefined) call.by.harm("code-runs", "awk: system(…) with text that is not written out");
    else call.by.script(argument.text, call);
    return 1;
  }
  if (token.text === "getline" && tokens[i - 1]?.text === "|") {
    if (tokens[i - 2]?.kind === "string") call.by.script(tokens[i - 2]!.text, call);
    else call.by.harm("code-runs", "awk: runs a command that is not written out");
    return 1;
  }
  if (token.text === "print" || token.text === "printf") {
    for (let at = i + 1; at < tokens.length && ![";", "}"].includes(tokens[at]!.text); at++) {
      const next = tokens[at + 1];
      if (tokens[at]!.text === "|" && next?.text !== "getline" && next?.text !== "|") {
        if (next?.kind === "string") call.by.script(next.text, call, { stdin: { text: undefined, from: "pipe" } });
        else call.by.harm("code-runs", "awk: pipes to a command that is not written out");
        return 1;
      }
      if (tokens[at]!.text === ">" && next?.kind === "string") call.by.write(next.text, call);
    }
  }
  if (token.text === "inet") call.by.harm("reverse-shell", "awk opens a network connection");
  return 0;
}
