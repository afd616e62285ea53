import type { Span } from "./span.ts";

/** Scripts without spaces between words: each character counts as a word. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WORD = /[\p{L}\p{M}\p{N}_$]/u;

/** Whether a span begins or ends inside a word. */
export function splitsWord(text: string, { start, end }: Span): boolean {
  return isInsideWord(text, start) || isInsideWord(text, end);
}

function isInsideWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && isWord(before(text, at)) && isWord(String.fromCodePoint(text.codePointAt(at)!));
}

function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.slice(at - 2, at) : text[at - 1]!;
}

function isWord(character: string): boolean {
  return WORD.test(character) && !WITHOUT_SPACES.test(character);
}
