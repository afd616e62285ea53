import type { TestExpression, Word } from "unbash";
import { subscript } from "../parse/arithmetic.ts";
import { hasMark } from "../parse/marks.ts";
import { matchEnd, parsePattern } from "../parse/patterns.ts";
import type { ShellState } from "../parse/state.ts";
import type { Walker } from "./walker.ts";

/** `[[ … ]]`: whether it holds, where the text says so. Everything in it is expanded either way. */
export function testHolds(expression: TestExpression, state: ShellState, walk: Walker): boolean | undefined {
  switch (expression.type) {
    case "TestUnary": {
      const operand = walk.text(expression.operand, state);
      subscript(operand, state, walk);
      return wordsHold([expression.operator, operand]);
    }
    case "TestBinary": {
      const [left, right] = [walk.text(expression.left, state), walk.text(expression.right, state)] as const;
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator))
        for (const side of [left, right]) subscript(side, state, walk);
      if (!/^(==?|!=)$/.test(expression.operator)) return wordsHold([left, expression.operator, right]);
      const same = fits(left, expression.right, right, state);
      return same === undefined ? undefined : same === (expression.operator !== "!=");
    }
    case "TestLogical": {
      const held = expression.operands.map((operand) => testHolds(operand, state, walk));
      const decides = expression.operator === "||";
      return held.includes(decides) ? decides : held.includes(undefined) ? undefined : !decides;
    }
    case "TestNot": {
      const held = testHolds(expression.operand, state, walk);
      return held === undefined ? undefined : held !== (expression.negations.length % 2 === 1);
    }
    case "TestGroup":
      return testHolds(expression.expression, state, walk);
  }
}

/** `test` and `[`, for the questions that are about words and numbers alone. */
export function wordsHold(words: readonly string[]): boolean | undefined {
  if (words.some(hasMark)) return undefined;
  if (words[0] === "!" && words.length > 1) {
    const held = wordsHold(words.slice(1));
    return held === undefined ? undefined : !held;
  }
  const [first = "", operator = "", second = ""] = words;
  if (words.length < 2) return first !== "";
  if (words.length === 2) return first === "-n" ? operator !== "" : first === "-z" ? operator === "" : undefined;
  if (words.length > 3) return undefined;
  if (operator === "=" || operator === "==") return first === second;
  if (operator === "!=") return first !== second;
  const compare = operator.startsWith("-") ? NUMBERS[operator] : undefined;
  return compare && /^-?\d+$/.test(first) && /^-?\d+$/.test(second)
    ? compare(Number(first), Number(second))
    : undefined;
}

const NUMBERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "-eq": (a, b) => a === b,
  "-ne": (a, b) => a !== b,
  "-lt": (a, b) => a < b,
  "-le": (a, b) => a <= b,
  "-gt": (a, b) => a > b,
  "-ge": (a, b) => a >= b,
};

/** Whether a pattern matches a text; unknown if quotes and pattern characters are mixed. */
export function fits(text: string, pattern: Word, expanded: string, state: ShellState): boolean | undefined {
  if (hasMark(text) || hasMark(expanded)) return undefined;
  if (!/[*?[\\]/.test(expanded) && !/[@+!]\(/.test(pattern.text)) return text === expanded;
  if (/["'\\$`(]|\[:/.test(pattern.text)) return undefined;
  const pieces = parsePattern(expanded);
  return pieces && matchEnd(pieces, text, 0, true, state.budget) === text.length;
}
