import { PIECE, type Span, type Steps } from "./spans.ts";

/** A quoted text with escapes in it: JSON, or a literal of a programming language. */
export interface Literal {
  /** Of what is between the quotes. */
  readonly start: number;
  readonly end: number;
  /** With the escapes replaced by what they stand for. */
  readonly text: string;
}

/**
 * The quoted texts of each line that contain escapes. A line break in them is `\n`, and a quote `\"`, so what they
 * contain is searched as it was before it was written so.
 */
export function* escapedLiterals(text: string): Steps<readonly Literal[]> {
  const found: Literal[] = [];
  let pause = PIECE;
  /** Where the last line ends in which a quote of this kind was open. */
  const open: Record<number, number> = { [DOUBLE]: 0, [SINGLE]: 0, [BACKTICK]: 0 };
  for (let at = 0; at < text.length; at++) {
    if (at > pause) {
      yield;
      pause = at + PIECE;
    }
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if ((code === DOUBLE || ((code === SINGLE || code === BACKTICK) && mayOpen(text, at))) && open[code]! <= at) {
      let end = at + 1;
      let escapes = false;
      for (; end < text.length; end++) {
        const next = text.charCodeAt(end);
        if (next === code || next === NEWLINE) break;
        if (next !== BACKSLASH) continue;
        escapes = true;
        if (text.charCodeAt(end + 1) === NEWLINE) break;
        end++;
      }
      if (text.charCodeAt(end) !== code || end >= text.length) {
        const line = text.indexOf("\n", at);
        open[code] = line === -1 ? text.length : line;
        continue;
      }
      if (escapes || (end - at > SHORTEST_LINE && isFieldOfJson(text, at, code) && TELLING.test(text.slice(at, end))))
        found.push({ start: at + 1, end, text: yield* unescaped(text, at + 1, end) });
      if (end - at > PIECE) yield;
      at = end;
    }
  }
  return found;
}

/** A text of a field that may be a line of a file: `{"command": "set API_KEY=…"}`. */
const SHORTEST_LINE = 16;
const TELLING = /(?:key|token|secret|pass|pwd|cred|auth|cookie)\w{0,20}["']?\]?(?::=|[=: ])/i;

function isFieldOfJson(text: string, at: number, code: number): boolean {
  if (code === BACKTICK) return false;
  let before = at - 1;
  while (at - before < 4 && text.charCodeAt(before) === 32) before--;
  return text.charCodeAt(before) === COLON && /["']/.test(text[before - 1] ?? "");
}

/** The apostrophe of "it's" opens nothing; that of `b'` does. */
function mayOpen(text: string, at: number): boolean {
  let before = at;
  while (before > 0 && at - before < 2 && PREFIXES.includes(text[before - 1]!)) before--;
  return before === 0 || !isWordCharacter(text.charCodeAt(before - 1));
}

const PREFIXES = "bBrRuUfF";

const isWordCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127;

const DOUBLE = 34;
const SINGLE = 39;
const BACKTICK = 96;
const BACKSLASH = 92;
const COLON = 58;
const NEWLINE = 10;

/** An escape sequence: how long it is, and what it stands for. What is none stands for itself. */
function escapeAt(text: string, at: number): readonly [length: number, text: string] {
  const next = text[at + 1] ?? "";
  const short = SHORT[next];
  if (short !== undefined) return [2, short];
  const digits = next === "u" ? 4 : next === "x" ? 2 : 0;
  const hex = text.slice(at + 2, at + 2 + digits);
  if (digits > 0 && hex.length === digits && /^[0-9a-f]+$/i.test(hex))
    return [2 + digits, String.fromCharCode(Number.parseInt(hex, 16))];
  return [1, "\\"];
}

const SHORT: { readonly [escape: string]: string } = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
};

function* unescaped(text: string, start: number, end: number): Steps<string> {
  let pause = start + PIECE;
  const pieces: string[] = [];
  let done = start;
  for (let at = text.indexOf("\\", start); at !== -1 && at < end; at = text.indexOf("\\", done)) {
    const [length, plain] = escapeAt(text, at);
    pieces.push(text.slice(done, at), plain);
    done = at + length;
    if (done > pause) {
      yield;
      pause = done + PIECE;
    }
  }
  pieces.push(text.slice(done, end));
  return pieces.join("");
}

/** Spans of the literal's plain text as spans of the text that contains it. They are in order and do not overlap. */
export function* outerSpans(text: string, literal: Literal, spans: readonly Span[]): Steps<readonly Span[]> {
  const outer: Span[] = [];
  const place = { inner: 0, outer: literal.start };
  let pause = PIECE;
  for (const { start, end, mask } of spans) {
    // A long way to the next span is gone in steps.
    for (; pause < start; pause += PIECE) {
      moveTo(text, literal, place, pause);
      yield;
    }
    moveTo(text, literal, place, start);
    const first = place.outer;
    moveTo(text, literal, place, end);
    outer.push({ start: first, end: place.outer, mask });
  }
  return outer;
}

/** One position, as offset in the plain text and in the text with escapes. */
interface Place {
  inner: number;
  outer: number;
}

function moveTo(text: string, literal: Literal, place: Place, offset: number): void {
  while (place.inner < offset) {
    if (text.charCodeAt(place.outer) === BACKSLASH) {
      place.outer += escapeAt(text, place.outer)[0];
      place.inner += 1;
      continue;
    }
    const limit = Math.min(literal.end, place.outer + offset - place.inner);
    let at = place.outer + 1;
    while (at < limit && text.charCodeAt(at) !== BACKSLASH) at++;
    place.inner += at - place.outer;
    place.outer = at;
  }
}
