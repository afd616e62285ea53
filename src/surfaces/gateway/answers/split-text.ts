/** ` (12/34)` */
const RESERVED = 10;
const FENCE = /^```.*$/gm;

/**
 * Splits a text into pieces that a platform accepts: at a line end in the second half of a piece, else at a space, else
 * anywhere. A split code block is closed and reopened, and each piece carries its number and the count.
 * @param max Maximum characters of a piece; 0: no limit.
 */
export function splitText(text: string, max: number): readonly string[] {
  if (max <= 0 || text.length <= max) return [text];
  const room = Math.max(1, max - RESERVED);
  const pieces: string[] = [];
  let rest = text;
  let opened = "";
  while (rest !== "") {
    const begin = opened === "" ? "" : `${opened}\n`;
    const left = Math.max(1, room - begin.length - (max > 40 ? "\n```".length : 0));
    const take = rest.length <= left ? rest.length : cutAt(rest, left);
    const piece = begin + rest.slice(0, take);
    opened = openFence(piece);
    pieces.push(opened === "" ? piece : `${piece.replace(/\n$/, "")}\n\`\`\``);
    rest = rest.slice(take).replace(opened === "" ? /^\s+/ : /^\n/, "");
  }
  return pieces.length === 1
    ? pieces
    : pieces.map((piece, index) => `${piece.trimEnd()} (${index + 1}/${pieces.length})`);
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
