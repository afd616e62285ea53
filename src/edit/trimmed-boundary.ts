import { cutLines, spanOfLines, wantedLines } from "./line-windows.ts";
import type { Span, Strategy } from "./span.ts";

/** The same lines; only the first and the last may differ in the whitespace around them. */
export const trimmedBoundary: Strategy = {
  name: "trimmed_boundary",
  find(text, wanted) {
    const cut = cutLines(text);
    const { lines, closed } = wantedLines(wanted);
    const lastIndex = lines.length - 1;
    if (lines.every((line) => line.trim() === "")) return [];
    const agrees = (first: number): boolean =>
      lines.every((line, index) => {
        const there = cut.lines[first + index]!;
        return index === 0 || index === lastIndex ? there.trim() === line.trim() : there === line;
      });
    const spans: Span[] = [];
    for (let first = 0; first + lines.length <= cut.lines.length; first++) {
      if (!agrees(first)) continue;
      spans.push(spanOfLines(text, cut, first, lines.length, closed));
      first += lastIndex;
    }
    return spans;
  },
};
