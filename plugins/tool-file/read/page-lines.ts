import { CUT_MARK } from "./cut-mark.ts";

/** Which part of a file a page shows. */
export interface PageRange {
  /** First line, 1-based. */
  readonly from: number;
  /** Last line. */
  readonly to: number;
  /** First character of each line, 1-based. */
  readonly column: number;
  readonly maxLineChars: number;
}

/** A line of a page of which only a part is shown. */
export interface LongLine {
  readonly line: number;
  readonly chars: number;
}

export interface CollectedLines {
  readonly lines: readonly string[];
  readonly newlines: number;
  /** Includes the last line even if it has no line end. */
  readonly count: number;
  /** The file has more lines after this page. */
  readonly truncated: boolean;
  readonly long: readonly LongLine[];
  /** Some bytes of the page are not UTF-8. */
  readonly invalid: boolean;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Collects the lines of one page from chunks of a file in UTF-8. Stores only the page, however long the file or a line
 * is.
 */
export class PageLines {
  readonly #range: PageRange;
  readonly #pieces: string[] = [];
  readonly #long: LongLine[] = [];
  #line = 1;
  #open: Uint8Array[] = [];
  /** Characters of the open line, shown or not. */
  #chars = 0;
  #newlines = 0;
  #endedWithNewline = true;
  #empty = true;
  #invalid = false;
  /** Bytes of a byte order mark that were seen at the beginning; -1 once the text has begun. */
  #mark = 0;

  constructor(range: PageRange) {
    this.#range = range;
  }

  /** The page is complete; the rest is only counted. */
  get full(): boolean {
    return this.#line > this.#range.to;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#empty = false;
    this.#endedWithNewline = chunk[chunk.length - 1] === 10;
    const bytes = this.#mark === -1 ? chunk : this.#withoutMark(chunk);
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

  /** A mark may come in several chunks. */
  #withoutMark(chunk: Uint8Array): Uint8Array {
    let at = 0;
    while (at < chunk.length && this.#mark < 3 && chunk[at] === BYTE_ORDER_MARK[this.#mark]) {
      at++;
      this.#mark++;
    }
    if (at === chunk.length && this.#mark < 3) return chunk.subarray(at);
    const begun = this.#mark === 3 ? [] : BYTE_ORDER_MARK.slice(0, this.#mark);
    this.#mark = -1;
    return begun.length === 0 ? chunk.subarray(at) : Uint8Array.from([...begun, ...chunk.subarray(at)]);
  }

  /** Counts lines before and after the page; a plain loop is fastest. */
  #skip(bytes: Uint8Array, from: number): number {
    const stop = this.full ? Number.POSITIVE_INFINITY : this.#range.from;
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
   */
  end(furtherNewlines = 0): CollectedLines {
    const newlines = this.#newlines + furtherNewlines;
    const lastLine = this.#line;
    // Text after the last line end is one more line; it is empty if the file ends with a line end.
    const inPage = lastLine >= this.#range.from && lastLine <= this.#range.to + (this.#endedWithNewline ? 1 : 0);
    if (furtherNewlines === 0 && inPage) this.#pieces.push(this.#text());
    const count = furtherNewlines > 0 || (this.#endedWithNewline && !this.#empty) ? newlines : newlines + 1;
    const truncated = furtherNewlines > 0 || count > this.#range.to;
    return { lines: this.#pieces, newlines, count, truncated, long: this.#long, invalid: this.#invalid };
  }

  #keep(bytes: Uint8Array): void {
    const { from, to, column, maxLineChars } = this.#range;
    if (this.#line < from || this.#line > to) return;
    const before = this.#chars;
    const last = column - 1 + maxLineChars;
    let [start, end] = [column === 1 || before > column - 1 ? 0 : bytes.length, before > last ? 0 : bytes.length];
    let chars = before;
    for (let at = 0; at < bytes.length; at++) {
      // Continuation bytes begin no character.
      if ((bytes[at]! & 0xc0) === 0x80) continue;
      if (chars === column - 1) start = at;
      if (chars === last && end === bytes.length) end = at;
      chars++;
    }
    this.#chars = chars;
    // Copies, because the chunk may be large.
    if (start < end) this.#open.push(bytes.slice(start, end));
  }

  #closeLine(): void {
    if (this.#line >= this.#range.from && this.#line <= this.#range.to) this.#pieces.push(this.#text());
    this.#line++;
    this.#open = [];
    this.#chars = 0;
  }

  #text(): string {
    const { column, maxLineChars } = this.#range;
    const bytes = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    if (text.includes("\ufffd") && !Buffer.from(text).equals(bytes)) this.#invalid = true;
    if (column > 1 || this.#chars > maxLineChars) {
      if (this.#chars > 0) this.#long.push({ line: this.#line, chars: this.#chars });
    }
    return this.#chars > column - 1 + maxLineChars ? text + CUT_MARK : text;
  }
}
