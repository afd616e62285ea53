/**
 * Makes text of models, tools and files safe for a terminal: control characters become visible symbols, so no text
 * can move the cursor, set the title, write to the clipboard or reverse text. So do zero-width characters, except for
 * the two joiners, which scripts and emoji need. Line ends and tabs stay.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- finding control characters is its purpose
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
      symbol,
    );
}

/** Does the same, and joins the lines into one. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, " ").trim());
}

/** Does the same for output that contains untrusted text, but keeps the colour sequences that Hermes writes. */
export function paintedOnly(text: string): string {
  return text
    .split(PAINT)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join("");
}

/** The sequences of `styleText`, `paint` and `tint`. Not 8, which hides text. */
// oxlint-disable-next-line no-control-regex -- finding control characters is its purpose
const PAINT = /(\u001b\[(?:[0-79]|2[2-9]|3[0-79]|49|9[0-7]|[34]8;[25];[\d;]{1,11})m)/;

function symbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `\\u{${code.toString(16)}}`;
}
