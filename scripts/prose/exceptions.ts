/** Findings that are right as they stand: names that stored data, plugins or the original use, and quoted fixtures. */
export interface ProseException {
  /** Files whose path begins so. */
  readonly path: string;
  /** Words, or the whole text of a name. */
  readonly words: readonly string[];
  readonly why: string;
}

export const EXCEPTIONS: readonly ProseException[] = [];
