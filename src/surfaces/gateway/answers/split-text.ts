/** How a service counts the length of a text. */
export type LengthUnit = "utf16" | "code_points" | "bytes";

/** ` (12/34)` */
const RESERVED = 10;
const FENCE = /^```.*$/gm;

/**
 * Splits a text into pieces that a platform accepts: at a line end in the second half of a piece, else at a space, else
 * anywhere. A split code block is closed and reopened, and each piece carries its number and the count.
 * @param max Maximum length of a piece, in the unit; 0: no limit.
 */
export function splitText(text: string, max: number, unit: LengthUnit = "utf16"): readonly string[] {
  if (max <= 0 || lengthIn(text, unit) <= max) return [text];
  const room = Math.max(1, max - RESERVED);
  const pieces: string[] = [];
  let rest = text;
  let opened = "";
  while (rest !== "") {
    const begin = opened === "" ? "" : `${opened}\n`;
    const left = Math.max(1, room - lengthIn(begin, unit) - (max > 40 ? "\n```".length : 0));
    const fits = unitsWithin(rest, left, unit);
    const take = rest.length <= fits ? rest.length : cutAt(rest, fits);
    const piece = begin + rest.slice(0, take);
    opened = openFence(piece);
    pieces.push(opened === "" ? piece : `${piece.replace(/\n$/, "")}\n\`\`\``);
    rest = rest.slice(take).replace(opened === "" ? /^\s+/ : /^\n/, "");
  }
  return pieces.length === 1
    ? pieces
    : pieces.map((piece, index) => `${piece.trimEnd()} (${index + 1}/${pieces.length})`);
}

export function lengthIn(text: string, unit: LengthUnit): number {
  if (unit === "utf16") return text.length;
  return unit === "bytes" ? Buffer.byteLength(text) : [...text].length;
}

/** How many UTF-16 units of the text fit; at least one code point. */
function unitsWithin(text: string, room: number, unit: LengthUnit): number {
  if (unit === "utf16") return room;
  let used = 0;
  let at = 0;
  for (const sign of text) {
    used += lengthIn(sign, unit);
    if (used > room && at > 0) break;
    at += sign.length;
  }
  return at;
}

function cutAt(text: string, room: number): number {
  const line = text.lastIndexOf("\n", room);
  if (line > room / 2) return line;
  const space = text.lastIndexOf(" ", room);
  if (space > room / 2) return space;
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[room - 1] ?? "") && room > 1 ? room - 1 : room;
}

/** The line that opened the code block in which this text ends; "" if it ends outside of one. */
function openFence(text: string): string {
  const fences = text.match(FENCE) ?? [];
  return fences.length % 2 === 1 ? (fences.at(-1) ?? "").trimEnd().slice(0, 20) : "";
}
