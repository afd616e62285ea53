import { PIECE, type Span } from "./spans.ts";

/** Text that an encoder has broken into lines, joined again. */
export interface WrappedRun {
  readonly text: string;
  /** A span of `text` as spans of the text with line breaks, which stay. */
  outer(span: Span): readonly Span[];
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Shorter lines are words. */
const MIN_LINE = 16;
/** What a tool may put before a line. */
const GUTTER = /[ \t]*(?:\d+\|)?[ \t>]*/y;

/**
 * Runs of letters, digits and signs of base64 that continue over line breaks, such as `base64` writes after each 76
 * characters.
 * @returns `undefined` where the work may pause.
 * @param overlap Long runs come in pieces that share so many characters.
 */
export function* wrappedRuns(text: string, overlap: number): Generator<WrappedRun | undefined, void> {
  let pause = PIECE;
  let pieces: Piece[] = [];
  let length = 0;
  let lineStart = 0;
  const closed = (): readonly Piece[] => {
    const run = pieces;
    pieces = [];
    length = 0;
    return run;
  };
  for (;;) {
    const found = nextBreak(text, lineStart);
    const lineEnd = found?.start ?? text.length;
    if (pieces.length > 0) {
      GUTTER.lastIndex = lineStart;
      GUTTER.test(text);
      const start = Math.min(GUTTER.lastIndex, lineEnd);
      let end = start;
      while (end < lineEnd && isEncoded(text.charCodeAt(end))) end++;
      if (end > start) pieces.push({ start, end });
      length += end - start;
      // A line that ends otherwise, or is shorter, is the last one.
      if (end < lineEnd || end - start < MIN_LINE || found === undefined) yield runOf(text, closed());
      else if (length > PIECE) {
        yield runOf(text, pieces);
        let from = pieces.length;
        for (length = 0; from > 1 && length < overlap; from--)
          length += pieces[from - 1]!.end - pieces[from - 1]!.start;
        pieces = pieces.slice(from);
      }
    }
    if (found === undefined) return;
    if (pieces.length === 0 && lineEnd - lineStart >= MIN_LINE) {
      let start = lineEnd;
      while (start > lineStart && lineEnd - start < overlap && isEncoded(text.charCodeAt(start - 1))) start--;
      if (lineEnd - start >= MIN_LINE) {
        pieces.push({ start, end: lineEnd });
        length = lineEnd - start;
      }
    }
    lineStart = found.end;
    if (lineStart > pause) {
      yield undefined;
      pause = lineStart + PIECE;
    }
  }
}

/** The next line break, or one that is written as an escape in JSON. */
function nextBreak(text: string, from: number): Piece | undefined {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || (code === BACKSLASH && text.charCodeAt(at + 1) === LETTER_N)) break;
  }
  if (at === text.length) return undefined;
  const end = at + (text.charCodeAt(at) === NEWLINE ? 1 : 2);
  let start = backOver(text, at, from, "\\");
  if (text[start - 1] === "\r") start--;
  else if (text[start - 1] === "r" && text[start - 2] === "\\") start = backOver(text, start - 1, from, "\\");
  return { start: Math.max(start, from), end };
}

const NEWLINE = 10;
const BACKSLASH = 92;
const LETTER_N = 110;

function backOver(text: string, from: number, limit: number, sign: string): number {
  let at = from;
  while (at > limit && from - at < 16 && text[at - 1] === sign) at--;
  return at;
}

function runOf(text: string, pieces: readonly Piece[]): WrappedRun {
  return {
    text: pieces.map(({ start, end }) => text.slice(start, end)).join(""),
    outer({ start, end, mask }) {
      const spans: Span[] = [];
      let at = 0;
      for (const piece of pieces) {
        const [first, last] = [Math.max(start, at), Math.min(end, at + piece.end - piece.start)];
        if (first < last) spans.push({ start: piece.start + first - at, end: piece.start + last - at, mask });
        at += piece.end - piece.start;
      }
      return spans;
    },
  };
}

const ENCODED = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")
  ENCODED[char.charCodeAt(0)] = 1;
const isEncoded = (code: number): boolean => ENCODED[code] === 1;
