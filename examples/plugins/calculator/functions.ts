import { DivisionByZero, power } from "./arithmetic.ts";
import { isInt, roundIntTo, roundTo, roundToEven, toFloat, typeOf, type Numeric, type Value } from "./numbers.ts";

type Call = (...values: readonly Value[]) => Numeric;

export const CONSTANTS: { readonly [name: string]: number } = { pi: Math.PI, e: Math.E };

export const FUNCTIONS: { readonly [name: string]: Call } = {
  abs: one(
    "abs",
    (a) => (isInt(a) ? { int: a.int < 0n ? -a.int : a.int } : { float: Math.abs(a.float) }),
    "bad operand type for abs(): '$'",
  ),
  round,
  min: best("min", (a, b) => a < b),
  max: best("max", (a, b) => a > b),
  pow,
  sqrt: float("sqrt", (x) => (x < 0 ? domain() : Math.sqrt(x))),
  sin: float("sin", (x) => (Number.isFinite(x) || Number.isNaN(x) ? Math.sin(x) : domain())),
  cos: float("cos", (x) => (Number.isFinite(x) || Number.isNaN(x) ? Math.cos(x) : domain())),
  tan: float("tan", (x) => (Number.isFinite(x) || Number.isNaN(x) ? Math.tan(x) : domain())),
  log,
  log2: one("math.log2", logarithm(Math.log2, 1)),
  log10: one("math.log10", logarithm(Math.log10, Math.log10(2))),
  floor: one("math.floor", (a) => (isInt(a) ? a : { int: whole(Math.floor(a.float)) })),
  ceil: one("math.ceil", (a) => (isInt(a) ? a : { int: whole(Math.ceil(a.float)) })),
  factorial: one("math.factorial", (a) => {
    if (!isInt(a)) throw new Error("'float' object cannot be interpreted as an integer");
    if (a.int < 0n) throw new Error("factorial() not defined for negative values");
    if (a.int > 20_000n) throw new Error("the result is too large");
    let product = 1n;
    for (let factor = 2n; factor <= a.int; factor += 1n) product *= factor;
    return { int: product };
  }),
};

function round(...values: readonly Value[]): Numeric {
  if (values.length > 2) throw new Error(`round() takes at most 2 arguments (${values.length} given)`);
  const [a, digits] = values;
  if (a === undefined) throw new Error("round() missing required argument 'number' (pos 1)");
  const value = number(a, `type ${typeOf(a)} doesn't define __round__ method`);
  if (digits === undefined) return isInt(value) ? value : { int: roundToEven(finite(value.float)) };
  if (!("int" in digits)) throw new Error(`'${typeOf(digits)}' object cannot be interpreted as an integer`);
  return isInt(value)
    ? { int: roundIntTo(value.int, digits.int) }
    : { float: roundTo(value.float, Number(digits.int)) };
}

function best(name: string, better: (a: bigint | number, b: bigint | number) => boolean): Call {
  return (...values) => {
    if (values.length === 0) throw new Error(`${name} expected at least 1 argument, got 0`);
    if (values.length === 1) throw new Error(`'${typeOf(values[0]!)}' object is not iterable`);
    const given = values.map((value) =>
      number(value, `'${name === "min" ? "<" : ">"}' not supported between instances of '${typeOf(value)}' and 'int'`),
    );
    const plain = (value: Numeric): bigint | number => (isInt(value) ? value.int : value.float);
    return given.reduce((found, value) => (better(plain(value), plain(found)) ? value : found));
  };
}

function pow(...values: readonly Value[]): Numeric {
  const [a, b, modulus] = values;
  if (values.length > 3) throw new Error(`pow() takes at most 3 arguments (${values.length} given)`);
  if (a === undefined) throw new Error("pow() missing required argument 'base' (pos 1)");
  if (b === undefined) throw new Error("pow() missing required argument 'exp' (pos 2)");
  if (modulus === undefined) return power(a, b);
  if (!("int" in a) || !("int" in b) || !("int" in modulus))
    throw new Error("pow() 3rd argument not allowed unless all arguments are integers");
  if (modulus.int === 0n) throw new Error("pow() 3rd argument cannot be 0");
  if (b.int < 0n) throw new Error("base is not invertible for the given modulus");
  const within = (value: bigint): bigint => ((value % modulus.int) + modulus.int) % modulus.int;
  let result = within(1n);
  for (let [base, left] = [within(a.int), b.int]; left > 0n; [base, left] = [within(base * base), left >> 1n])
    if ((left & 1n) === 1n) result = within(result * base);
  return { int: result };
}

function log(...values: readonly Value[]): Numeric {
  const [a, base] = values;
  if (a === undefined || values.length > 2) throw new Error("math.log requires 1 to 2 arguments");
  const natural = logarithm(Math.log, Math.LN2);
  const top = toFloat(natural(real(a)));
  if (base === undefined) return { float: top };
  const bottom = toFloat(natural(real(base)));
  if (bottom === 0) throw new DivisionByZero();
  return { float: top / bottom };
}

/** Also of an integer that is too large for a float. */
function logarithm(of: (x: number) => number, ofTwo: number): (value: Numeric) => Numeric {
  return (value) => {
    const plain = isInt(value) ? value.int : value.float;
    if (plain <= 0) domain();
    if (typeof plain === "number" || Number.isFinite(Number(plain))) return { float: of(Number(plain)) };
    const bits = plain.toString(2).length;
    return { float: of(Number(plain >> BigInt(bits - 64)) * 2 ** -64) + ofTwo * bits };
  };
}

function one(name: string, call: (value: Numeric) => Numeric, refusal = "must be real number, not $"): Call {
  return (...values) => {
    if (values.length !== 1) throw new Error(`${name}() takes exactly one argument (${values.length} given)`);
    return call(number(values[0]!, refusal.replace("$", typeOf(values[0]!))));
  };
}

function float(name: string, call: (value: number) => number): Call {
  return one(`math.${name}`, (value) => ({ float: call(toFloat(value)) }));
}

function real(value: Value): Numeric {
  return number(value, `must be real number, not ${typeOf(value)}`);
}

function number(value: Value, refusal: string): Numeric {
  if ("int" in value || "float" in value) return value;
  throw new Error(refusal);
}

function whole(value: number): bigint {
  return BigInt(finite(value));
}

function finite(value: number): number {
  if (Number.isNaN(value)) throw new Error("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new Error("cannot convert float infinity to integer");
  return value;
}

function domain(): never {
  throw new Error("math domain error");
}
