import { roundTo, roundToEven, toFloat, type Numeric } from "./numbers.ts";

export class DivisionByZero extends Error {}

/** More digits than this take longer than anybody waits. */
const MAX_BITS = 100_000n;

/**
 * Numbers, `+ - * / // % **`, parentheses and the functions below; nothing else is a word of this language, so nothing else can be reached.
 * @throws with what is wrong with the expression.
 */
export function evaluate(expression: string): Numeric {
  const tokens = tokenize(expression);
  let at = 0;
  const value = sum();
  if (at < tokens.length) throw new Error(tokens[at] === ")" ? "unmatched ')' (<string>, line 1)" : INVALID);
  return value;

  function take(...wanted: readonly string[]): string | undefined {
    const token = tokens[at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    at += 1;
    return token;
  }

  function sum(): Numeric {
    let left = product();
    for (let sign = take("+", "-"); sign !== undefined; sign = take("+", "-")) left = sign === "+" ? add(left, product()) : add(left, negate(product()));
    return left;
  }

  function product(): Numeric {
    let left = signed();
    for (let sign = take(...PRODUCTS); sign !== undefined; sign = take(...PRODUCTS)) left = PRODUCT[sign]!(left, signed());
    return left;
  }

  /** A sign binds less than a power: -2**2 is -4. */
  function signed(): Numeric {
    if (take("-") !== undefined) return negate(signed());
    if (take("+") !== undefined) return signed();
    const base = atom();
    return take("**") === undefined ? base : power(base, signed());
  }

  function atom(): Numeric {
    const token = tokens[at];
    at += 1;
    if (token === undefined) throw new Error(INVALID);
    if (token === "(") {
      const inner = sum();
      if (take(")") === undefined) throw new Error(at < tokens.length ? INVALID : UNCLOSED);
      return inner;
    }
    if (/^[\d.]/.test(token)) return /^\d+$/.test(token) ? { int: BigInt(token) } : { float: Number(token) };
    const constant = CONSTANTS[token];
    if (constant !== undefined) return { float: constant };
    const call = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (call === undefined) throw new Error(/^\w/.test(token) ? `name '${token}' is not defined` : INVALID);
    if (take("(") === undefined) throw new Error(`'${token}' needs its arguments in parentheses`);
    return call(...list());
  }

  function list(): readonly Numeric[] {
    const values: Numeric[] = [];
    if (take(")") !== undefined) return values;
    do values.push(sum());
    while (take(",") !== undefined);
    if (take(")") === undefined) throw new Error(at < tokens.length ? INVALID : UNCLOSED);
    return values;
  }
}

function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  const pattern = /\s*(\*\*|\/\/|[-+*/%(),]|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z_]\w*)\s*/y;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) throw new Error(INVALID);
    tokens.push(found[1]!);
  }
  return tokens;
}

const INVALID = "invalid syntax (<string>, line 1)";
const UNCLOSED = "'(' was never closed (<string>, line 1)";

const CONSTANTS: { readonly [name: string]: number } = Object.assign(Object.create(null) as object, { pi: Math.PI, e: Math.E });

function add(a: Numeric, b: Numeric): Numeric {
  return "int" in a && "int" in b ? { int: a.int + b.int } : { float: toFloat(a) + toFloat(b) };
}

function negate(a: Numeric): Numeric {
  return "int" in a ? { int: -a.int } : { float: -a.float };
}

function multiply(a: Numeric, b: Numeric): Numeric {
  return "int" in a && "int" in b ? { int: a.int * b.int } : { float: toFloat(a) * toFloat(b) };
}

function divide(a: Numeric, b: Numeric): Numeric {
  if (toFloat(b) === 0) throw new DivisionByZero();
  return { float: toFloat(a) / toFloat(b) };
}

const PRODUCT: { readonly [sign: string]: (a: Numeric, b: Numeric) => Numeric } = { "*": multiply, "/": divide, "//": divideDown, "%": remainder };
const PRODUCTS = Object.keys(PRODUCT);

/** Towards minus infinity, as the remainder has the divisor's sign. */
function divideDown(a: Numeric, b: Numeric): Numeric {
  if (toFloat(b) === 0) throw new DivisionByZero();
  if (!("int" in a && "int" in b)) return { float: Math.floor(toFloat(a) / toFloat(b)) };
  const quotient = a.int / b.int;
  return { int: a.int % b.int !== 0n && a.int < 0n !== b.int < 0n ? quotient - 1n : quotient };
}

function remainder(a: Numeric, b: Numeric): Numeric {
  if (toFloat(b) === 0) throw new DivisionByZero();
  if ("int" in a && "int" in b) return { int: ((a.int % b.int) + b.int) % b.int };
  const rest = toFloat(a) % toFloat(b);
  return { float: rest !== 0 && rest < 0 !== toFloat(b) < 0 ? rest + toFloat(b) : rest };
}

function power(a: Numeric, b: Numeric): Numeric {
  if (toFloat(a) === 0 && toFloat(b) < 0) throw new DivisionByZero();
  if ("int" in a && "int" in b && b.int >= 0n) {
    if (BigInt(a.int.toString(2).length) * b.int > MAX_BITS) throw new Error("the result is too large");
    return { int: a.int ** b.int };
  }
  const result = toFloat(a) ** toFloat(b);
  if (Number.isNaN(result)) throw new Error("Object of type complex is not JSON serializable");
  if (!Number.isFinite(result)) throw new Error("(34, 'Numerical result out of range')");
  return { float: result };
}

type Call = (...values: readonly Numeric[]) => Numeric;

const FUNCTIONS: { readonly [name: string]: Call } = {
  abs: one((a) => ("int" in a ? { int: a.int < 0n ? -a.int : a.int } : { float: Math.abs(a.float) })),
  round: (a, digits) => {
    const value = given(a);
    if (digits === undefined) return "int" in value ? value : { int: roundToEven(value.float) };
    return "int" in value ? value : { float: roundTo(value.float, toFloat(digits)) };
  },
  min: (...values) => values.reduce((best, value) => (toFloat(value) < toFloat(best) ? value : best), given(values[0])),
  max: (...values) => values.reduce((best, value) => (toFloat(value) > toFloat(best) ? value : best), given(values[0])),
  pow: (a, b) => power(given(a), given(b)),
  sqrt: float((x) => (x < 0 ? domain() : Math.sqrt(x))),
  sin: float(Math.sin),
  cos: float(Math.cos),
  tan: float(Math.tan),
  log: (a, base) => ({ float: base === undefined ? logarithm(toFloat(given(a))) : logarithm(toFloat(given(a))) / logarithm(toFloat(base)) }),
  log2: float((x) => (x <= 0 ? domain() : Math.log2(x))),
  log10: float((x) => (x <= 0 ? domain() : Math.log10(x))),
  floor: one((a) => ("int" in a ? a : { int: BigInt(Math.floor(a.float)) })),
  ceil: one((a) => ("int" in a ? a : { int: BigInt(Math.ceil(a.float)) })),
  factorial: one((a) => {
    if (!("int" in a)) throw new Error("'float' object cannot be interpreted as an integer");
    if (a.int < 0n) throw new Error("factorial() not defined for negative values");
    if (a.int > 5_000n) throw new Error("the result is too large");
    let product = 1n;
    for (let factor = 2n; factor <= a.int; factor += 1n) product *= factor;
    return { int: product };
  }),
};

function one(call: (value: Numeric) => Numeric): Call {
  return (...values) => {
    if (values.length !== 1) throw new Error(`one argument is expected, not ${values.length}`);
    return call(given(values[0]));
  };
}

function float(call: (value: number) => number): Call {
  return one((value) => ({ float: call(toFloat(value)) }));
}

function given(value: Numeric | undefined): Numeric {
  if (value === undefined) throw new Error("an argument is missing");
  return value;
}

function logarithm(value: number): number {
  return value <= 0 ? domain() : Math.log(value);
}

function domain(): never {
  throw new Error("math domain error");
}
