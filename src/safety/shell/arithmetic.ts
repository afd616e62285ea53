import type { ArithmeticExpression } from "unbash";
import { substituted } from "./effect.ts";
import type { Expander } from "./expand.ts";
import { UNKNOWN } from "./marks.ts";
import type { ShellState } from "./state.ts";

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
      const stored = /^[a-z_]\w*$/i.test(text) ? state.variables.get(text) : undefined;
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
      const yes = arithmetic(node.consequent, state, by);
      const no = arithmetic(node.alternate, state, by);
      return test === undefined ? undefined : test ? yes : no;
    }
    case "ArithmeticBinary": {
      const left = arithmetic(node.left, state, by);
      const right = arithmetic(node.right, state, by);
      if (node.operator.endsWith("=") && !["==", "!=", "<=", ">="].includes(node.operator) && node.left.type === "ArithmeticWord") {
        state.variables.set(node.left.value, node.operator === "=" && right !== undefined ? String(right) : UNKNOWN);
        return node.operator === "=" ? right : undefined;
      }
      return left === undefined || right === undefined ? undefined : calculate(node.operator, left, right);
    }
  }
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
