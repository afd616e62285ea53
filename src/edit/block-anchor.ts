import { cutLines, spanOfLines, wantedLines } from "./line-windows.ts";
import { similarity } from "./similarity.ts";
import type { Span, Strategy } from "./span.ts";
import { toAscii } from "./unicode-normalized.ts";

const ALONE = 0.5;
const AMONG_SEVERAL = 0.7;

/** A block of at least three lines whose first and last line agree and whose middle is alike enough. */
export const blockAnchor: Strategy = {
  name: "block_anchor",
  guesses: true,
  find(text, wanted) {
    const cut = cutLines(text);
    const { lines, closed } = wantedLines(wanted);
    if (lines.length < 3) return [];
    const first = toAscii(lines[0]!).trim();
    const last = toAscii(lines.at(-1)!).trim();
    if (lines.every((line) => line.trim() === "")) return [];
    const candidates: number[] = [];
    for (let start = 0; start + lines.length <= cut.lines.length; start++) {
      if (toAscii(cut.lines[start]!).trim() !== first) continue;
      if (toAscii(cut.lines[start + lines.length - 1]!).trim() === last) candidates.push(start);
    }
    const needed = candidates.length === 1 ? ALONE : AMONG_SEVERAL;
    const middle = lines.slice(1, -1).map(toAscii).join("\n");
    const spans: Span[] = [];
    let free = 0;
    for (const start of candidates) {
      if (start < free) continue;
      const there = cut.lines
        .slice(start + 1, start + lines.length - 1)
        .map(toAscii)
        .join("\n");
      if (similarity(there, middle, needed) < needed) continue;
      spans.push(spanOfLines(text, cut, start, lines.length, closed));
      free = start + lines.length;
    }
    return spans;
  },
};
