import type { Span, Strategy } from "./span.ts";

/** The same text, whatever the length of each run of spaces and tabs. Line ends stay as they are. */
export const whitespaceNormalized: Strategy = {
  name: "whitespace_normalized",
  find(text, wanted) {
    if (wanted.trim() === "") return [];
    const pattern = wanted
      .split(/[ \t]+/)
      .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[ \\t]+");
    const spans: Span[] = [];
    for (const match of text.matchAll(new RegExp(pattern, "g"))) {
      if (match[0] !== "") spans.push({ start: match.index, end: match.index + match[0].length });
    }
    return spans;
  },
};
