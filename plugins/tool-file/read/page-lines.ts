import { beginningOf } from "./truncate-text.ts";

/** Lines of one page, as they are read from a file in pieces. Nothing but the page is kept, however long the file or a line. */
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

  /** The page is complete and what follows only counts. */
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

  /** Lines before and after the page are only counted, which a plain loop does fastest. */
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
   * @param furtherNewlines Line ends beyond what was added; the file's last byte is then unknown and taken for one of them.
   * @returns `count` is of lines as people count them: with the last one, also where it has no line end.
   */
  end(furtherNewlines = 0): { lines: readonly string[]; newlines: number; count: number; truncated: boolean } {
    const lines = [...this.#pieces];
    const newlines = this.#newlines + furtherNewlines;
    if (furtherNewlines > 0) return { lines, newlines, count: newlines, truncated: true };
    // What stands after the last line end is one more line; it shows as an empty one where the file ends with a line end.
    const lastLine = this.#line;
    const inPage = lastLine >= this.#from && lastLine <= this.#to + (this.#endedWithNewline ? 1 : 0);
    if (inPage) lines.push(this.#text());
    const count = this.#endedWithNewline && !this.#empty ? newlines : newlines + 1;
    return { lines, newlines, count, truncated: count > this.#to };
  }

  #keep(bytes: Uint8Array): void {
    if (this.#line < this.#from || this.#line > this.#to) return;
    // Four bytes a character at most; one more tells that the line was longer.
    const room = this.#maxLineChars * 4 + 4 - this.#openBytes;
    if (room <= 0) return;
    // A copy: the piece it is cut from may be large.
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
