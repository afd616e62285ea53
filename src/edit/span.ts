/** Where a text was found: `[start, end)` in UTF-16 units of the searched text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One idea of what "the same text" may mean. Spans come in order; those that overlap are equally good readings of one
 * place.
 */
export interface Strategy {
  readonly name: string;
  /** A match resembles the wanted text, and may differ in meaning. */
  readonly guesses?: true;
  find(text: string, wanted: string): readonly Span[];
}
