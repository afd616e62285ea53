import { hasNoLetter, hasSymbol } from "./short-grams.ts";

/** Turns the user's search text into a valid FTS5 query. */
export interface SearchQuery {
  /** Words and "quoted phrases", as typed; all must occur (one per group of `OR`). */
  readonly groups: readonly (readonly Term[])[];
  readonly not: readonly Term[];
}

export interface Term {
  readonly text: string;
  /** `deplo*` finds deploy and deployment. */
  readonly prefix: boolean;
}

const LONGEST_QUERY = 2048;

/**
 * Quotes keep their words together, `OR` and `NOT` work between words. Punctuation that stands alone counts only if
 * there is nothing else: in `green & blue` users do not search for the `&`.
 */
export function parseQuery(words: string): SearchQuery {
  const query = termsIn(words, (text) => !hasNoLetter(text) || hasSymbol(text));
  return query.groups.length > 0 ? query : termsIn(words, (text) => text.trim() !== "");
}

function termsIn(words: string, counts: (text: string) => boolean): SearchQuery {
  const groups: Term[][] = [];
  const not: Term[] = [];
  let joining = false;
  let negating = false;
  for (const [, quoted, bare] of words
    .slice(0, LONGEST_QUERY)
    .replaceAll("\0", " ")
    .matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    if (bare === "AND") continue;
    if (bare === "OR") {
      joining = groups.length > 0;
      continue;
    }
    if (bare === "NOT") {
      negating = true;
      continue;
    }
    const term = quoted === undefined ? bareTerm(bare ?? "") : { text: quoted.trim(), prefix: false };
    if (!counts(term.text)) continue;
    if (negating) not.push(term);
    else if (joining) groups.at(-1)?.push(term);
    else groups.push([term]);
    joining = negating = false;
  }
  return { groups, not };
}

function bareTerm(word: string): Term {
  const prefix = word.endsWith("*");
  return { text: word.replaceAll("*", ""), prefix };
}

/** Every term becomes a quoted string, in which FTS5 knows no operators; `a-b.c` is then a phrase of its parts. */
export function asPhrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function termsOf(query: SearchQuery): readonly Term[] {
  return query.groups.flat();
}

const SNIPPET_CHARS = 240;
const LEAD_CHARS = 60;

/**
 * Marks the terms in the piece of `text` around the first of them; `undefined` when none is there as written. `whole`:
 * not inside longer words.
 */
export function snippetOf(
  text: string,
  terms: readonly Term[],
  options: { readonly whole: boolean },
): string | undefined {
  const patterns = terms.map((term) => pattern(term, options.whole)).sort((a, b) => b.length - a.length);
  if (patterns.length === 0) return undefined;
  const any = new RegExp(patterns.join("|"), "giu");
  const flat = text.replace(/\s+/g, " ");
  const first = flat.search(any);
  if (first === -1) return undefined;
  const start = Math.max(0, Math.min(first - LEAD_CHARS, flat.length - SNIPPET_CHARS));
  const marked = flat.slice(start, start + SNIPPET_CHARS).replace(any, (hit) => `>>>${hit}<<<`);
  return `${start > 0 ? "..." : ""}${marked}${start + SNIPPET_CHARS < flat.length ? "..." : ""}`;
}

function pattern(term: Term, whole: boolean): string {
  const escaped = term.text.replace(/\s+/g, " ").replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  if (!whole) return escaped;
  return `(?<![\\p{L}\\p{N}])${escaped}${term.prefix ? "[\\p{L}\\p{N}]*" : "(?![\\p{L}\\p{N}])"}`;
}
