/** Where a text was found: `[start, end)` in UTF-16 units of the searched text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One idea of what "the same text" may mean. Spans come in order; those that overlap are equally good readings of one place. */
export interface Strategy {
  readonly name: string;
  /** What it finds is like the wanted text, and may say something else. */
  readonly guesses?: true;
  find(text: string, wanted: string): readonly Span[];
}
