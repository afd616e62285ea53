import { beginningOf } from "./truncate-text.ts";

/** Collects the lines of one page from chunks of a file. Stores only the page, however long the file or a line is. */
export class PageLines {
  readonly #from: number;
  readonly #to: number;
  readonly #maxLineChars: number;
  readonly #pieces: string[] = [];
  #line = 1;
  #open: Uint8Array[] = [];
  #openBytes = 0;
  #newlines = 0;
  #endedWithNewline = true;
  #empty = true;

  /** @param from First line, 1-based. @param to Last line. */
  constructor(from: number, to: number, maxLineChars: number) {
    this.#from = from;
    this.#to = to;
    this.#maxLineChars = maxLineChars;
  }

  /** The page is complete; the rest is only counted. */
  get full(): boolean {
    return this.#line > this.#to;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#empty = false;
    this.#endedWithNewline = bytes[bytes.length - 1] === 10;
    let at = this.#skip(bytes, 0);
    while (at < bytes.length) {
      const newline = bytes.indexOf(10, at);
      if (newline === -1) {
        this.#keep(bytes.subarray(at));
        return;
      }
      this.#keep(bytes.subarray(at, newline));
      this.#closeLine();
      this.#newlines++;
      at = this.#skip(bytes, newline + 1);
    }
  }

  /** Counts lines before and after the page; a plain loop is fastest. */
  #skip(bytes: Uint8Array, from: number): number {
    const stop = this.full ? Number.POSITIVE_INFINITY : this.#from;
    if (this.#line >= stop) return from;
    let at = from;
    let line = this.#line;
    for (; at < bytes.length && line < stop; at++) if (bytes[at] === 10) line++;
    this.#newlines += line - this.#line;
    this.#line = line;
    return at;
  }

  /**
   * @param furtherNewlines Line ends beyond the added chunks; the last byte of the file is then assumed to be one of
   * them.
   * @returns `count` includes the last line even if it has no line end.
   */
  end(furtherNewlines = 0): { lines: readonly string[]; newlines: number; count: number; truncated: boolean } {
    const lines = [...this.#pieces];
    const newlines = this.#newlines + furtherNewlines;
    if (furtherNewlines > 0) return { lines, newlines, count: newlines, truncated: true };
    // Text after the last line end is one more line; it is empty if the file ends with a line end.
    const lastLine = this.#line;
    const inPage = lastLine >= this.#from && lastLine <= this.#to + (this.#endedWithNewline ? 1 : 0);
    if (inPage) lines.push(this.#text());
    const count = this.#endedWithNewline && !this.#empty ? newlines : newlines + 1;
    return { lines, newlines, count, truncated: count > this.#to };
  }

  #keep(bytes: Uint8Array): void {
    if (this.#line < this.#from || this.#line > this.#to) return;
    // At most four bytes a character; one more shows that the line was longer.
    const room = this.#maxLineChars * 4 + 4 - this.#openBytes;
    if (room <= 0) return;
    // Copies, because the chunk may be large.
    const piece = bytes.slice(0, room);
    this.#open.push(piece);
    this.#openBytes += piece.length;
  }

  #closeLine(): void {
    if (this.#line >= this.#from && this.#line <= this.#to) this.#pieces.push(this.#text());
    this.#line++;
    this.#open = [];
    this.#openBytes = 0;
  }

  #text(): string {
    const bytes = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const bare = this.#line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    const start = beginningOf(bare, this.#maxLineChars);
    return start.length < bare.length ? `${start}... [truncated]` : bare;
  }
}
