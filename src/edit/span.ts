/** Where a text was found: `[start, end)` in UTF-16 units of the searched text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One way in which a text may differ from the wanted one without a change of meaning. Spans come in order; those that
 * overlap are equally good readings of one place.
 */
export interface Strategy {
  readonly name: string;
  find(text: string, wanted: string): readonly Span[];
}
