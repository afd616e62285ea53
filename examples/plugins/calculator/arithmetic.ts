import { isInt, toFloat, typeOf, type Numeric, type Value } from "./numbers.ts";

export class DivisionByZero extends Error {}

/** More digits than this take too long to compute. */
const MAX_BITS = 300_000n;

export function add(a: Value, b: Value, sign = "+"): Numeric {
  const [left, right] = numbers(a, b, sign);
  if (isInt(left) && isInt(right)) return { int: sign === "-" ? left.int - right.int : left.int + right.int };
  return { float: sign === "-" ? toFloat(left) - toFloat(right) : toFloat(left) + toFloat(right) };
}

export function negate(a: Value, sign: string): Numeric {
  if (!("int" in a) && !("float" in a)) throw new Error(`bad operand type for unary ${sign}: '${typeOf(a)}'`);
  if (sign === "+") return a;
  return isInt(a) ? { int: -a.int } : { float: -a.float };
}

export function invert(a: Value): Numeric {
  if (!("int" in a)) throw new Error(`bad operand type for unary ~: '${typeOf(a)}'`);
  return { int: ~a.int };
}

export function multiply(a: Value, b: Value): Numeric {
  const [left, right] = numbers(a, b, "*");
  return isInt(left) && isInt(right) ? { int: left.int * right.int } : { float: toFloat(left) * toFloat(right) };
}

export function divide(a: Value, b: Value): Numeric {
  const [left, right] = numbers(a, b, "/");
  if (!isInt(left) || !isInt(right)) return { float: toFloat(left) / nonzero(toFloat(right)) };
  if (right.int === 0n) throw new DivisionByZero();
  const float = quotient(left.int, right.int);
  if (!Number.isFinite(float)) throw new Error("integer division result too large for a float");
  return { float };
}

/** Rounded once: 70 bits of the quotient, the last of which records whether a remainder is left. */
function quotient(a: bigint, b: bigint): number {
  const size = (value: bigint): number => (value < 0n ? -value : value).toString(2).length;
  if (size(a) <= 53 && size(b) <= 53) return Number(a) / Number(b);
  const up = 70 - size(a) + size(b);
  const [over, under] = up > 0 ? [a << BigInt(up), b] : [a, b << BigInt(-up)];
  const bits = over / under;
  const exact = over % under === 0n ? bits : bits | 1n;
  // In two steps: one power of two may be out of range even if the product is not.
  const half = Math.trunc(-up / 2);
  return Number(exact) * 2 ** half * 2 ** (-up - half);
}

/** Towards minus infinity, because the remainder has the divisor's sign. */
export function divideDown(a: Value, b: Value): Numeric {
  const [left, right] = numbers(a, b, "//");
  if (isInt(left) && isInt(right)) {
    if (right.int === 0n) throw new DivisionByZero();
    const whole = left.int / right.int;
    return { int: left.int % right.int !== 0n && left.int < 0n !== right.int < 0n ? whole - 1n : whole };
  }
  const [x, y] = [toFloat(left), nonzero(toFloat(right))];
  const rest = x % y;
  const down = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0);
  if (down === 0) return { float: x < 0 !== y < 0 ? -0 : 0 };
  const floor = Math.floor(down);
  return { float: down - floor > 0.5 ? floor + 1 : floor };
}

export function remainder(a: Value, b: Value): Numeric {
  const [left, right] = numbers(a, b, "%");
  if (isInt(left) && isInt(right)) {
    if (right.int === 0n) throw new DivisionByZero();
    return { int: ((left.int % right.int) + right.int) % right.int };
  }
  const y = nonzero(toFloat(right));
  const rest = toFloat(left) % y;
  if (rest === 0) return { float: y < 0 ? -0 : 0 };
  return { float: rest < 0 !== y < 0 ? rest + y : rest };
}

export function power(a: Value, b: Value): Numeric {
  const [left, right] = numbers(a, b, "** or pow()");
  if (isInt(left) && isInt(right) && right.int >= 0n) {
    if (BigInt(left.int.toString(2).length) * right.int > MAX_BITS) throw new Error("the result is too large");
    return { int: left.int ** right.int };
  }
  const [x, y] = [toFloat(left), toFloat(right)];
  if (x === 0 && y < 0) throw new DivisionByZero();
  const result = x ** y;
  if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y))
    throw new Error("Object of type complex is not JSON serializable");
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y))
    throw new Error("(34, 'Numerical result out of range')");
  return { float: result };
}

/** Integers only. */
export function together(sign: string, operator: (a: bigint, b: bigint) => bigint): (a: Value, b: Value) => Numeric {
  return (a, b) => {
    if (!("int" in a) || !("int" in b)) throw unsupported(a, b, sign);
    return { int: operator(a.int, b.int) };
  };
}

export function shift(sign: "<<" | ">>"): (a: Value, b: Value) => Numeric {
  return together(sign, (a, b) => {
    if (b < 0n) throw new Error("negative shift count");
    if (sign === ">>") return a >> b;
    if (a !== 0n && b > MAX_BITS) throw new Error("the result is too large");
    return a << b;
  });
}

function numbers(a: Value, b: Value, sign: string): readonly [Numeric, Numeric] {
  if (("int" in a || "float" in a) && ("int" in b || "float" in b)) return [a, b];
  throw unsupported(a, b, sign);
}

function unsupported(a: Value, b: Value, sign: string): Error {
  return new Error(`unsupported operand type(s) for ${sign}: '${typeOf(a)}' and '${typeOf(b)}'`);
}

function nonzero(value: number): number {
  if (value === 0) throw new DivisionByZero();
  return value;
}
