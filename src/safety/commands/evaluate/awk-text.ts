import { printfText, unescape } from "../parse/text-tools.ts";

const MAX_INPUT = 4_000;

/**
 * The output of an awk program that only prints: `{print $2, $3}`, `BEGIN{printf "%s", "x"}`, `NR==2{print}`. Undefined
 * if it does anything else, or if its separator is not a single letter.
 */
export function awkText(program: string, input: string | undefined, separator = " "): string | undefined {
  if (!/^[^\\^$.|?*+()[\]{}]$/.test(separator) || program.length > MAX_INPUT || (input?.length ?? 0) > MAX_INPUT)
    return undefined;
  const lines = input === undefined || input === "" ? [] : input.replace(/\n$/, "").split("\n");
  let out = "";
  for (const rule of rulesOf(program) ?? [undefined]) {
    if (rule === undefined || (input === undefined && !rule.begins)) return undefined;
    for (const [at, line] of (rule.begins ? [""] : lines).entries()) {
      if ((rule.line !== undefined && rule.line !== at + 1) || (rule.word !== undefined && !fits(line, rule.word)))
        continue;
      const fields =
        separator === " "
          ? line.split(/[ \t]+/).filter((field) => field !== "")
          : line === ""
            ? []
            : line.split(separator);
      for (const statement of rule.statements) {
        const printed = statementText(statement, [line, ...fields]);
        if (printed === undefined) return undefined;
        out += printed;
      }
    }
  }
  return out;
}

interface Rule {
  readonly begins: boolean;
  /** Only for the line of this number. */
  readonly line: number | undefined;
  /** Only for lines that begin with it (`^Name:`), or hold it. */
  readonly word?: string | undefined;
  readonly statements: readonly (readonly string[])[];
}

const fits = (line: string, word: string): boolean =>
  word.startsWith("^") ? line.startsWith(word.slice(1)) : line.includes(word);

/** One rule; several that look at the same input would print line by line. */
function rulesOf(program: string): readonly Rule[] | undefined {
  const match = /^\s*(BEGIN|NR\s*==\s*(\d+)|\/(\^?[\w :-]+)\/)?\s*\{([^{}]*)\}\s*$/.exec(program);
  const tokens = match === null ? undefined : match[4]!.match(/"(?:[^"\\]|\\.)*"|\$?\w+|[;,()]|\S/g);
  if (!match || !tokens) return undefined;
  const statements: string[][] = [[]];
  for (const token of tokens) {
    if (token === ";") statements.push([]);
    else statements.at(-1)!.push(token);
  }
  return [
    {
      begins: match[1] === "BEGIN",
      line: match[2] === undefined ? undefined : Number(match[2]),
      word: match[3],
      statements: statements.filter((words) => words.length > 0),
    },
  ];
}

function statementText([verb, ...rest]: readonly string[], fields: readonly string[]): string | undefined {
  if (verb !== "print" && verb !== "printf") return undefined;
  const plain = rest[0] === "(" && rest.at(-1) === ")" && !rest.slice(1, -1).includes("(") ? rest.slice(1, -1) : rest;
  const args = plain.length === 0 ? [fields[0]!] : argumentsOf(plain, fields);
  if (args === undefined) return undefined;
  return verb === "print" ? `${args.join(" ")}\n` : printfText(args[0]!.replaceAll("\\", "\\\\"), args.slice(1));
}

/** Expressions between commas, each of texts and fields that stand beside each other. */
function argumentsOf(words: readonly string[], fields: readonly string[]): readonly string[] | undefined {
  const args: string[] = [""];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === ",") {
      args.push("");
      continue;
    }
    const called = CASES.get(word);
    const value =
      called !== undefined && words[at + 1] === "(" && words[at + 3] === ")"
        ? atom(words[at + 2]!, fields)
        : atom(word, fields);
    if (value === undefined) return undefined;
    args[args.length - 1] += called === undefined ? value : called(value);
    if (called !== undefined) at += 3;
  }
  return args;
}

const CASES: ReadonlyMap<string, (text: string) => string> = new Map([
  ["toupper", (text: string) => text.toUpperCase()],
  ["tolower", (text: string) => text.toLowerCase()],
]);

function atom(word: string, fields: readonly string[]): string | undefined {
  if (word.startsWith('"')) return unescape(word.slice(1, -1));
  if (/^\$\d{1,3}$/.test(word)) return fields[Number(word.slice(1))] ?? "";
  if (word === "$NF") return fields.at(-1) ?? "";
  return /^\d{1,9}$/.test(word) ? String(Number(word)) : undefined;
}
