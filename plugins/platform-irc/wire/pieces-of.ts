/**
 * Splits a text into lines that can be sent: one for each of its lines, and more if a line has too many bytes. Splits
 * at a space in the second half if there is one, and never within a code point.
 */
export function piecesOf(text: string, maxBytes: number): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => cut(line.replaceAll(/\p{Cc}/gu, (sign) => (sign === "\t" ? "  " : "")).trimEnd(), maxBytes));
}

function cut(line: string, maxBytes: number): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > maxBytes) {
    const fitting = longestStart(rest, maxBytes);
    const gap = fitting.lastIndexOf(" ");
    const taken = rest[fitting.length] !== " " && gap > fitting.length / 2 ? fitting.slice(0, gap) : fitting;
    pieces.push(taken.trimEnd());
    rest = rest.slice(taken.length).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece !== "");
}

/** Keeps grapheme clusters whole; a cluster that does not fit is split between its code points. */
function longestStart(text: string, maxBytes: number): string {
  let start = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const more = Buffer.byteLength(segment);
    if (bytes + more > maxBytes) break;
    start += segment;
    bytes += more;
  }
  if (start !== "") return start;
  for (const sign of text) {
    const more = Buffer.byteLength(sign);
    if (bytes + more > maxBytes) break;
    start += sign;
    bytes += more;
  }
  return start;
}
