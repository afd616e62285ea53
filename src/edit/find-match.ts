import { escapeNormalized, unescapedMatch } from "./escape-normalized.ts";
import { exact } from "./exact.ts";
import { isFirstStripped, isFlat, isSameLayout, readIndents, readsIndentation } from "./indentation.ts";
import { lineTrimmed } from "./line-trimmed.ts";
import type { Span, Strategy } from "./span.ts";
import { unicodeNormalized } from "./unicode-normalized.ts";
import { whitespaceNormalized } from "./whitespace-normalized.ts";
import { splitsWord } from "./word-boundary.ts";

/** From strict to lenient. The order is part of the tool's behaviour. */
export const STRATEGIES: readonly Strategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalized,
  escapeNormalized,
  unicodeNormalized,
];

export interface Found {
  readonly strategy: string;
  /** The text that was found: the wanted one, without its escapes if they are not in the file. */
  readonly wanted: string;
  readonly spans: readonly Span[];
}

export interface MatchOptions {
  /** Only places that begin and end with a line count. */
  readonly wholeLines?: boolean;
  /** The file's name: in some languages, the indentation of lines has a meaning. */
  readonly path?: string;
}

/**
 * The first strategy that finds anything decides; several places are not resolved by a later one. Only a literal match
 * may begin or end inside a word.
 */
export function findMatch(text: string, wanted: string, options: MatchOptions = {}): Found | undefined {
  const { wholeLines = false, path } = options;
  const byIndentation = readsIndentation(path);
  for (const strategy of STRATEGIES) {
    const literal = strategy === exact;
    const meant = (strategy === escapeNormalized ? unescapedMatch(text, wanted)?.meant : undefined) ?? wanted;
    const spans = strategy
      .find(text, wanted)
      .filter((span) => !wholeLines || isWholeLines(text, span))
      .filter((span) => literal || !splitsWord(text, span))
      .filter((span) => literal || !byIndentation || keepsLayout(text, span, meant));
    if (spans.length > 0) return { strategy: strategy.name, wanted: meant, spans };
  }
  return undefined;
}

function isWholeLines(text: string, { start, end }: Span): boolean {
  const begins = start === 0 || text[start - 1] === "\n";
  return begins && (end === text.length || text[end] === "\n" || text[end - 1] === "\n");
}

/** Whether the wanted lines are nested like the matched ones. */
function keepsLayout(text: string, span: Span, wanted: string): boolean {
  const from = lineStart(text, span.start);
  const inside = text.slice(from, span.start).trim() !== "";
  const indents = readIndents(wanted.split("\n"), text.slice(from, span.end).split("\n"));
  const shown = inside || isFirstStripped(indents) ? indents.filter(({ at }) => at > 0) : indents;
  // Lines without any nesting say nothing about it.
  return isFlat(shown) || isSameLayout(shown);
}

/** Where the line of a position begins. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}
