import type { Budget } from "../parse/budget.ts";
import { foldLiterals } from "./code-literals.ts";
import { type Language, type Token, tokenize } from "./code-tokens.ts";
import { isKnown } from "../parse/marks.ts";

const MAX_SOURCE = 2_000;
/** Those that end what they print with a line end. */
const LINES = /^(?:puts|log|say)$/;

/** The output of a program that only prints literal texts; undefined for any other. */
export function printedText(language: Language, source: string, budget: Budget): string | undefined {
  if (source.length > MAX_SOURCE || !isKnown(source)) return undefined;
  budget.spend(source.length / 10);
  const tokens = foldLiterals(tokenize(source, language), language, budget);
  let out = "";
  for (const statement of statementsOf(tokens)) {
    const printed = printedBy(statement, language);
    if (printed === undefined) return undefined;
    out += printed;
  }
  return out === "" ? undefined : out;
}

function statementsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const out: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "punctuation" && (token.text === ";" || token.text === "\n")) out.push([]);
    else out.at(-1)!.push(token);
  }
  return out.filter((statement) => statement.length > 0);
}

/** `print("x")`, `console.log("x")`, `puts "x"`. */
function printedBy(statement: readonly Token[], language: Language): string | undefined {
  const text = statement.find(({ kind }) => kind === "string");
  const shape = statement.map((token) => (token === text ? "…" : token.text)).join("");
  const verb = /^(?:(?:console|process\.stdout|\$stdout|STDOUT|io)\.)?(print|puts|say|echo|log|write)(?:…|\(…\))$/.exec(
    shape,
  )?.[1];
  if (text === undefined || verb === undefined) return undefined;
  return (
    text.text + (LINES.test(verb) || (verb === "print" && (language === "python" || language === "lua")) ? "\n" : "")
  );
}
