/** A whole number of more digits than a double surely holds, somewhere in a text. */
const LONG = /(?<![\d.eE+])\d{16,}(?![\d.eE])/;

/**
 * Parses external JSON. A whole number that no double represents exactly, such as a message id, becomes its digits as a
 * string: rounding it would give another id.
 * @throws {SyntaxError} The text is not JSON.
 */
export function parseExact(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, exact as never) : JSON.parse(text);
}

/**
 * As `parseExact` gives it: a replacer for `JSON.stringify` of what a YAML parser read with `intAsBigInt`.
 */
export function exactIntegers(_: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;
}
