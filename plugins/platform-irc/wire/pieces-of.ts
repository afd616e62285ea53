/**
 * A text as the lines that can be sent: one for each of its own, and more where one has more bytes than fit. Cut between words where
 * there is a gap in the second half, and never within a character.
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

/** Whole characters as people see them; one that does not fit by itself is cut between its parts. */
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
