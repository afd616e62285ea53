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

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;
}
