import { add, invert, multiply, divide, divideDown, negate, power, remainder, shift, together } from "./arithmetic.ts";
import { CONSTANTS, FUNCTIONS } from "./functions.ts";
import { typeOf, type Value } from "./numbers.ts";
import { invalid, tokenize } from "./tokenize.ts";

/** A parsed expression that was not evaluated yet. */
type Term = () => Value;

type Operator = (a: Value, b: Value) => Value;

/** From the loosest to the tightest. */
const LEVELS: readonly { readonly [sign: string]: Operator }[] = [
  { "|": together("|", (a, b) => a | b) },
  { "^": together("^", (a, b) => a ^ b) },
  { "&": together("&", (a, b) => a & b) },
  { "<<": shift("<<"), ">>": shift(">>") },
  { "+": add, "-": (a, b) => add(a, b, "-") },
  { "*": multiply, "/": divide, "//": divideDown, "%": remainder },
];

/**
 * Numbers, the operators above, `**`, parentheses and the functions and constants of `functions.ts`; the language has
 * no other names, so an expression can access nothing else.
 * @throws with the error of the expression, in the Python twin's words.
 */
export function evaluate(expression: string): Value {
  const tokens = tokenize(expression);
  let at = 0;
  let depth = 0;
  const term = level(0);
  while (tokens[at]?.kind === "end of line") at += 1;
  if (at < tokens.length) throw unexpected();
  return term();

  function take(...wanted: readonly string[]): string | undefined {
    const token = tokens[at];
    if (token?.kind !== "sign" || !wanted.includes(token.text)) return undefined;
    at += 1;
    return token.text;
  }

  function unexpected(): Error {
    const token = tokens[at];
    return token === undefined && depth > 0
      ? invalid(1, "'(' was never closed")
      : invalid(token?.line ?? tokens.at(-1)?.line ?? 1);
  }

  function level(depthOf: number): Term {
    const operators = LEVELS[depthOf];
    if (operators === undefined) return signed();
    let left = level(depthOf + 1);
    for (let sign = take(...Object.keys(operators)); sign !== undefined; sign = take(...Object.keys(operators))) {
      const [first, second, operator] = [left, level(depthOf + 1), operators[sign]!];
      left = () => operator(first(), second());
    }
    return left;
  }

  /** A sign binds less than a power: -2**2 is -4. */
  function signed(): Term {
    const sign = take("-", "+", "~");
    if (sign !== undefined) {
      const inner = signed();
      return () => (sign === "~" ? invert(inner()) : negate(inner(), sign));
    }
    const base = called();
    if (take("**") === undefined) return base;
    const exponent = signed();
    return () => power(base(), exponent());
  }

  function called(): Term {
    let term = atom();
    for (let sign = take("(", "."); sign !== undefined; sign = take("(", ".")) {
      const before = term;
      if (sign === "(") {
        const list = values();
        term = () => call(before(), list);
      } else {
        if (tokens[at]?.kind !== "name") throw unexpected();
        const { text } = tokens[at++]!;
        term = () => refuse(before(), text);
      }
    }
    return term;
  }

  function atom(): Term {
    const token = tokens[at];
    if (token === undefined || token.kind === "end of line") throw unexpected();
    if (take("(") !== undefined) {
      depth += 1;
      const inner = level(0);
      close();
      return inner;
    }
    if (token.kind === "sign") throw unexpected();
    at += 1;
    if (token.kind === "name") return () => named(token.text);
    const value: Value = token.kind === "text" ? { text: token.text.slice(1, -1) } : numberOf(token.text);
    return () => value;
  }

  function values(): readonly Term[] {
    const list: Term[] = [];
    depth += 1;
    while (take(")") === undefined) {
      list.push(level(0));
      if (take(",") !== undefined) continue;
      close();
      return list;
    }
    depth -= 1;
    return list;
  }

  function close(): void {
    const next = tokens[at];
    if (take(")") !== undefined) depth -= 1;
    else
      throw next === undefined || next.kind === "sign"
        ? unexpected()
        : invalid(next.line, "invalid syntax. Perhaps you forgot a comma?");
  }
}

function numberOf(text: string): Value {
  const plain = text.replaceAll("_", "");
  if (/[jJ]$/.test(plain) && !/^0x/i.test(plain)) return { other: "complex" };
  return /^(0[xob].*|\d+)$/i.test(plain) ? { int: BigInt(/^0\d/.test(plain) ? "0" : plain) } : { float: Number(plain) };
}

function named(name: string): Value {
  const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  if (constant !== undefined) return { float: constant };
  if (Object.hasOwn(FUNCTIONS, name)) return { function: name };
  throw new Error(`name '${name}' is not defined`);
}

function call(value: Value, list: readonly Term[]): Value {
  if (!("function" in value)) throw new Error(`'${typeOf(value)}' object is not callable`);
  return FUNCTIONS[value.function]!(...list.map((term) => term()));
}

function refuse(_: Value, name: string): never {
  throw new Error(`'${name}' cannot be reached`);
}
