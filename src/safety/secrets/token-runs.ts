import { mask, PIECE, runSteps, type Span, type Steps } from "./spans.ts";
import { TOKEN_SHAPES, type TokenShape } from "./token-shapes.ts";

/**
 * Finds what looks like a key or token: one pass over the runs of token characters, of which only long ones are
 * compared with the shapes.
 */
export function* tokenSpans(text: string, found: Span[]): Steps<void> {
  let pause = PIECE;
  let i = 0;
  while (i < text.length) {
    if (i > pause) {
      yield;
      pause = i + PIECE;
    }
    if (KIND[text.charCodeAt(i)] !== 1) {
      i++;
      continue;
    }
    const start = i;
    while (i < text.length && KIND[text.charCodeAt(i)] === 1) i++;
    if (i - start < 3) continue;
    const end = tokenEnd(text, start, i);
    if (end === undefined) continue;
    found.push({ start, end, mask: mask(text.slice(start, end)) });
    i = end;
  }
}

export function looksLikeToken(text: string): boolean {
  const found: Span[] = [];
  runSteps(tokenSpans(text, found));
  return found.length > 0;
}

/** Where the token that starts here ends; undefined when it is none. */
function tokenEnd(text: string, start: number, runEnd: number): number | undefined {
  const length = runEnd - start;
  if (length >= 11 && text.startsWith("eyJ", start) && text[runEnd] === ".") {
    const second = wordEnd(text, runEnd + 1);
    if (second - runEnd < 9) return undefined;
    return text[second] === "." ? wordEnd(text, second + 1) : second;
  }
  // A Telegram bot's token: its number, a colon, 35 characters.
  if (length >= 8 && length <= 13 && text[runEnd] === ":" && /^(?:bot)?\d{8,10}$/.test(text.slice(start, runEnd))) {
    const end = wordEnd(text, runEnd + 1);
    return end - runEnd - 1 === 35 ? end : undefined;
  }
  const shapes =
    LEADS.get(text.slice(start, start + 2)) ?? (text.startsWith("SG.", start) ? LEADS.get("SG") : undefined);
  if (shapes === undefined) return undefined;
  for (const shape of shapes) {
    if (!text.startsWith(shape.lead, start)) continue;
    let end = runEnd;
    if (shape.also !== undefined) while (end < text.length && (KIND[text.charCodeAt(end)] ?? 0) > 0) end++;
    while (text[end - 1] === ".") end--;
    if (end - start - shape.lead.length >= shape.min && !isWords(text.slice(start + shape.lead.length, end)))
      return end;
  }
  return undefined;
}

/**
 * `hf_hub_download_with_progress_bar`, `key-value-store-notes`: names in code and headlines begin as keys do; what
 * follows in a key is no words.
 */
export function isWords(body: string): boolean {
  return (
    body.length < 200 &&
    body.split(/[-_.]/).every((piece) => /^(?:[a-z]{0,15}|[A-Z][a-z]{1,14}|[A-Z]{1,10}|\d{1,4})$/.test(piece))
  );
}

function wordEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && KIND[text.charCodeAt(i)] === 1) i++;
  return i;
}

const LEADS = new Map<string, TokenShape[]>();
for (const shape of TOKEN_SHAPES) {
  const key = shape.lead.slice(0, 2);
  LEADS.set(key, [...(LEADS.get(key) ?? []), shape]);
}

/** 1: letters, digits, `_`, `-`: what tokens are made of. 2: also `.` and `/`, which some have inside. */
const KIND = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") KIND[char.charCodeAt(0)] = 1;
KIND[46] = 2;

/** A letter, digit, `_` or `-`. */
export const isTokenCharacter = (code: number): boolean => KIND[code] === 1;
