import type { ArithmeticExpression, ArithmeticWord } from "unbash";
import { substituted } from "../risk/effect.ts";
import type { Expander } from "./expander.ts";
import { UNKNOWN } from "./marks.ts";
import type { ShellState } from "./state.ts";
import { setVariable, valueOf } from "./variables.ts";

/** The value of an arithmetic expression whose every part is written out. */
export function arithmetic(node: ArithmeticExpression, state: ShellState, by: Expander): number | undefined {
  state.budget.spend(0.3);
  switch (node.type) {
    case "ArithmeticWord": {
      const text = node.parts ? by.parts(node.parts, state) : node.value;
      const based = /^(\d+)#([0-9a-z]+)$/i.exec(text);
      if (based) return Number.parseInt(based[2]!, Number(based[1]));
      if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
      if (/^(0x[0-9a-f]+|\d+)$/i.test(text)) return Number(text);
      const stored = /^[a-z_]\w*(\[[\w@]+\])?$/i.test(text) ? valueOf(text, state) : undefined;
      if (typeof stored === "string") subscript(stored, state, by);
      return typeof stored === "string" && /^-?\d+$/.test(stored) ? Number(stored) : undefined;
    }
    case "ArithmeticCommandExpansion": {
      const value = Number(substituted(by.capture(node.script, state)));
      return Number.isInteger(value) ? value : undefined;
    }
    case "ArithmeticGroup":
      return arithmetic(node.expression, state, by);
    case "ArithmeticUnary": {
      const value = arithmetic(node.operand, state, by);
      if ((node.operator === "++" || node.operator === "--") && node.operand.type === "ArithmeticWord") {
        const next = value === undefined ? undefined : value + (node.operator === "++" ? 1 : -1);
        store(node.operand, next, state);
        return node.prefix ? next : value;
      }
      if (value === undefined) return undefined;
      return node.operator === "-"
        ? -value
        : node.operator === "+"
          ? value
          : node.operator === "~"
            ? ~value
            : node.operator === "!"
              ? Number(!value)
              : undefined;
    }
    case "ArithmeticTernary": {
      const test = arithmetic(node.test, state, by);
      if (test !== undefined) return arithmetic(test === 0 ? node.alternate : node.consequent, state, by);
      const yes = arithmetic(node.consequent, state, by);
      const no = arithmetic(node.alternate, state, by);
      return yes === no ? yes : undefined;
    }
    case "ArithmeticBinary": {
      const left = arithmetic(node.left, state, by);
      const right = arithmetic(node.right, state, by);
      if (
        node.operator.endsWith("=") &&
        !["==", "!=", "<=", ">="].includes(node.operator) &&
        node.left.type === "ArithmeticWord"
      ) {
        const value =
          node.operator === "="
            ? right
            : left === undefined || right === undefined
              ? undefined
              : calculate(node.operator.slice(0, -1), left, right);
        store(node.left, value, state);
        return value;
      }
      return left === undefined || right === undefined ? undefined : calculate(node.operator, left, right);
    }
  }
}

function store(word: ArithmeticWord, value: number | undefined, state: ShellState): void {
  if (/^[A-Za-z_]/.test(word.value)) setVariable(word.value, value === undefined ? UNKNOWN : String(value), state);
}

/** Arithmetic evaluates what a name holds, and a subscript in it runs its substitutions. */
export function subscript(text: string, state: ShellState, by: Pick<Expander, "rerun">): void {
  if (/\[[\s\S]*(\$\(|`)/.test(text)) by.rerun(text, state);
}

function calculate(operator: string, a: number, b: number): number | undefined {
  const whole = (n: number): number | undefined => (Number.isFinite(n) ? Math.trunc(n) : undefined);
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return whole(a / b);
    case "%":
      return whole(a % b);
    case "**":
      return whole(a ** b);
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case ",":
      return b;
    case "==":
      return Number(a === b);
    case "!=":
      return Number(a !== b);
    case "<":
      return Number(a < b);
    case ">":
      return Number(a > b);
    case "<=":
      return Number(a <= b);
    case ">=":
      return Number(a >= b);
    case "&&":
      return Number(a !== 0 && b !== 0);
    case "||":
      return Number(a !== 0 || b !== 0);
    default:
      return undefined;
  }
}
