import type { Program } from "../evaluate/call.ts";
import { judgeEnvironment } from "../evaluate/environment.ts";
import { parseOptions } from "../parse/options.ts";

export const env: Program = (call) => {
  // `-S` splits its text into words.
  let args = [...call.args];
  for (let i = 0; i < args.length && i < 40; i++) {
    const arg = args[i]!;
    const split =
      arg === "-S" || arg === "--split-string" ? args[i + 1] : /^(?:-[iv0]*S|--split-string=)([\s\S]+)$/.exec(arg)?.[1];
    if (split !== undefined) {
      args = [
        ...args.slice(0, i),
        ...splitWords(split),
        ...args.slice(i + (arg === "-S" || arg === "--split-string" ? 2 : 1)),
      ];
      break;
    }
    if (!arg.startsWith("-")) break;
  }
  const options = parseOptions(args, { short: "uCa", long: ["unset", "chdir", "argv0"], stop: true });
  let words = options.operands;
  const state = { ...call.state, variables: new Map(call.state.variables), exported: new Set(call.state.exported) };
  const directory = options.value("C", "chdir");
  if (directory !== undefined) state.cwds = call.by.paths(directory, call.state);
  const assigned = assignmentsBefore(words);
  const program = words[assigned.length] ?? "";
  for (const [name, value] of assigned) {
    state.variables.set(name, value);
    state.exported.add(name);
    judgeEnvironment(name, value, { ...call, program });
  }
  words = words.slice(assigned.length);
  if (words.length > 0) return call.by.run(words, call, call.stdin, state);
  call.by.harm("environment-read", "env prints the whole environment");
  return { text: undefined, secret: "environment", from: "pipe" };
};

/** The assignments before the command: `env A=1 B=2 make`. */
export function assignmentsBefore(words: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const out: [string, string][] = [];
  for (const word of words) {
    if (!/^[A-Za-z_][\w%]*=/.test(word)) break;
    const equals = word.indexOf("=");
    out.push([word.slice(0, equals), word.slice(equals + 1)]);
  }
  return out;
}

function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g))
    words.push(match[1] ?? match[2] ?? match[3]!);
  return words;
}
