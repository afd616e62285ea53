import { findWindows } from "./line-windows.ts";
import { collapseBlanks, quotedRanges } from "./quoted-ranges.ts";
import type { Span, Strategy } from "./span.ts";

/**
 * Finds the old text, whatever the length of each run of spaces and tabs outside quotes: as a part of lines, or as
 * whole lines with any blanks around them. A blank is never added between two other characters or removed.
 */
export const whitespaceNormalized: Strategy = {
  name: "whitespace_normalized",
  find(text, wanted) {
    if (wanted.trim() === "") return [];
    const parts = findParts(text, wanted);
    return parts.length > 0 ? parts : findWindows(text, wanted, (line) => collapseBlanks(line.trim()));
  },
};

function findParts(text: string, wanted: string): readonly Span[] {
  const pattern = wanted
    .split(/[ \t]+/)
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([ \\t]+)");
  const runs = wanted.match(/[ \t]+/g) ?? [];
  const spans: Span[] = [];
  for (const match of text.matchAll(new RegExp(pattern, "dg"))) {
    const [from, to] = match.indices![0]!;
    const differing = runs.flatMap((run, at) => (match[at + 1] === run ? [] : [match.indices![at + 1]!]));
    if (from < to && differing.every(([at]) => !isQuoted(text, at))) spans.push({ start: from, end: to });
  }
  return spans;
}

function isQuoted(text: string, at: number): boolean {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const line = text.slice(start, end === -1 ? text.length : end);
  return quotedRanges(line).some(([from, to]) => at - start > from && at - start < to);
}
