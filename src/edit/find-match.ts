import { blockAnchor } from "./block-anchor.ts";
import { contextAware } from "./context-aware.ts";
import { escapeNormalized } from "./escape-normalized.ts";
import { exact } from "./exact.ts";
import { indentationFlexible } from "./indentation-flexible.ts";
import { lineTrimmed } from "./line-trimmed.ts";
import type { Span, Strategy } from "./span.ts";
import { trimmedBoundary } from "./trimmed-boundary.ts";
import { unicodeNormalized } from "./unicode-normalized.ts";
import { whitespaceNormalized } from "./whitespace-normalized.ts";

/** From strict to lenient. The order is part of the tool's behaviour. */
export const STRATEGIES: readonly Strategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalized,
  indentationFlexible,
  escapeNormalized,
  trimmedBoundary,
  unicodeNormalized,
  blockAnchor,
  contextAware,
];

export interface Found {
  readonly strategy: string;
  readonly guessed: boolean;
  readonly spans: readonly Span[];
}

/**
 * The first strategy that finds anything decides; several places are not resolved by a later one.
 * @param wholeLines Only places that begin and end with a line count.
 */
export function findMatch(text: string, wanted: string, wholeLines = false): Found | undefined {
  for (const strategy of STRATEGIES) {
    const all = strategy.find(text, wanted);
    const spans = wholeLines ? all.filter((span) => isWholeLines(text, span)) : all;
    if (spans.length > 0) return { strategy: strategy.name, guessed: strategy.guesses === true, spans };
  }
  return undefined;
}

function isWholeLines(text: string, { start, end }: Span): boolean {
  const begins = start === 0 || text[start - 1] === "\n";
  return begins && (end === text.length || text[end] === "\n" || text[end - 1] === "\n");
}
