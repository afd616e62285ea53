type Paint = (text: string) => string;

/** How the parts of a Markdown text look on a terminal. Each function wraps a piece of text in its colours. */
export interface MarkdownStyle {
  readonly heading: Paint;
  readonly bold: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strikethrough: Paint;
  /** Code within a line. */
  readonly code: Paint;
  readonly link: Paint;
  readonly quote: Paint;
  /** Lines, borders and addresses. */
  readonly dim: Paint;
  readonly bullet: Paint;
  /** The coloured lines of a code block; `undefined` for a language that has no colours yet. */
  readonly highlight: (code: string, language: string) => readonly string[] | undefined;
  /** Draws a Mermaid diagram in at most so many columns; `undefined` if it cannot, or not yet. */
  readonly diagram: (source: string, columns: number) => readonly string[] | undefined;
  /** The terminal opens OSC 8 links. */
  readonly links: () => boolean;
}
