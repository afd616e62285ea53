/** A whole number of more digits than a double surely holds, somewhere in a text. */
const LONG = /(?<![\d.eE+])\d{16,}(?![\d.eE])/;

/**
 * JSON as somebody else wrote it. A whole number that no double holds, the id of a message say, is its digits as a text: rounded it would be
 * another's id.
 * @throws {SyntaxError} It is no JSON.
 */
export function parseExact(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, exact as never) : JSON.parse(text);
}

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;
}
