/** A number as the Python twin has it: integers of any size, or 64-bit floats. */
export type Numeric = { readonly int: bigint } | { readonly float: number };

/** The type of a part of an expression; only numbers and strings can be a result. */
export type Value = Numeric | { readonly text: string } | { readonly function: string } | { readonly other: "complex" };

export function isInt(value: Numeric): value is { readonly int: bigint } {
  return "int" in value;
}

export function toFloat(value: Numeric): number {
  if (!isInt(value)) return value.float;
  const float = Number(value.int);
  if (!Number.isFinite(float)) throw new Error("int too large to convert to float");
  return float;
}

/** The type's name in the twin. */
export function typeOf(value: Value): string {
  if ("other" in value) return value.other;
  return "int" in value ? "int" : "float" in value ? "float" : "text" in value ? "str" : "builtin_function_or_method";
}

/** More digits than the twin prints. */
const MAX_DIGITS = 4_300;

/** @throws for a value without a JSON form. */
export function plain(value: Value): Numeric | string {
  if ("text" in value) return value.text;
  if (!("int" in value) && !("float" in value))
    throw new Error(`Object of type ${typeOf(value)} is not JSON serializable`);
  if (isInt(value) && (value.int < 0n ? -value.int : value.int) >= 10n ** BigInt(MAX_DIGITS))
    throw new Error(
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return value;
}

/** JSON with the twin's spaces and number formats, so that both print the same bytes. */
export function jsonText(value: { readonly [key: string]: string | Numeric }): string {
  return `{${Object.entries(value)
    .map(
      ([key, item]) =>
        `${ascii(key)}: ${typeof item === "string" ? ascii(item) : "int" in item ? item.int : floatText(item.float)}`,
    )
    .join(", ")}}`;
}

function ascii(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, (character) =>
    character === "\u007f" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The shortest text that parses to this float again; always with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = "", exponent = "0"] = value.toExponential().split("e");
    const power = Number(exponent);
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** Rounds the number's exact value to this many decimals; halves go to the even digit. */
export function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21 || digits > 40) return value;
  if (digits < 0) return Number(roundToEven(value / 10 ** -digits)) * 10 ** -digits;
  const exact = Math.abs(value).toFixed(100);
  const point = exact.indexOf(".");
  const saved = BigInt(exact.slice(0, point) + exact.slice(point + 1, point + 1 + digits));
  const rest = exact.slice(point + 1 + digits);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const up = rest > half || (rest === half && saved % 2n === 1n);
  const text = String(up ? saved + 1n : saved).padStart(digits + 1, "0");
  return Math.sign(value) * Number(`${text.slice(0, text.length - digits)}.${text.slice(text.length - digits)}`);
}

/** Rounds to tens, hundreds ... for negative digits; halves go to the even one. */
export function roundIntTo(value: bigint, digits: bigint): bigint {
  if (digits >= 0n) return value;
  const unit = 10n ** -digits;
  const rest = ((value % unit) + unit) % unit;
  const below = value - rest;
  const up = rest * 2n > unit || (rest * 2n === unit && (below / unit) % 2n !== 0n);
  return up ? below + unit : below;
}

/** Rounds to an integer, halves to the even one. */
export function roundToEven(value: number): bigint {
  const below = Math.floor(value);
  const rest = value - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return BigInt(up ? below + 1 : below);
}
