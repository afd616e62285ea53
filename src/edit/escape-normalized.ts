import { findAll } from "./exact.ts";
import { findWindows } from "./line-windows.ts";
import type { Span, Strategy } from "./span.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\\n": "\n",
  "\\t": "\t",
  "\\r": "\r",
  "\\'": "'",
  '\\"': '"',
};

/** A wanted text whose line ends, tabs or quotes were written with a backslash. */
export const escapeNormalized: Strategy = {
  name: "escape_normalized",
  find: (text, wanted) => unescapedMatch(text, wanted)?.spans ?? [],
};

/** What an escaped text means, and where that is. */
export function unescapedMatch(
  text: string,
  wanted: string,
): { readonly meant: string; readonly spans: readonly Span[] } | undefined {
  const controls = unescape(wanted, /(?<!\\)\\[ntr]/g);
  const quotes = unescape(wanted, /(?<!\\)\\["']/g);
  for (const meant of new Set([controls, quotes, unescape(controls, /(?<!\\)\\["']/g)])) {
    if (meant === wanted) continue;
    const exact = findAll(text, meant);
    const spans = exact.length > 0 ? exact : findWindows(text, meant, (line) => line.trim());
    if (spans.length > 0) return { meant, spans };
  }
  return undefined;
}

/**
 * The new text of a match whose old text was escaped: it is escaped in the same way.
 * @returns `drift`: what the escape means in the new text cannot be decided.
 */
export function unescapeNew(
  matched: string,
  old: string,
  fresh: string,
): { readonly text: string } | { readonly drift: string } {
  let text = fresh;
  for (const escape of ["\\n", "\\t", "\\r"]) {
    if (!old.includes(escape) || matched.includes(escape) || !text.includes(escape)) continue;
    // A text with real line ends is not escaped as a whole, so an escaped line end may belong to a literal.
    if (escape === "\\n" && old.includes("\n")) return { drift: escape };
    text = unescape(text, new RegExp(`(?<!\\\\)\\${escape}`, "g"));
  }
  return { text };
}

function unescape(text: string, escapes: RegExp): string {
  return text.replace(escapes, (escape) => ESCAPES[escape]!);
}
