import type { KnownMask } from "./known-values.ts";
import { maskNamed } from "./named-values.ts";
import { mask, maskTokens } from "./token-runs.ts";

export type Redactor = (text: string) => string;

export interface RedactOptions {
  /**
   * Assignments and fields with secret names are left alone: for source code, where such a name is mostly not a value.
   */
  readonly code?: boolean;
}

/**
 * Masks secrets in text on its way to a model, a log or a file: every known value (also reversed, base64, URL, JSON and
 * hex forms), and whatever looks like a key. Known values vanish wholly; shapes keep their first six and last four
 * characters.
 */
export function createRedactor(known: KnownMask, options: RedactOptions = {}): Redactor {
  return (text) => (text === "" ? text : maskShapes(known(text), options));
}

const PHONE = /(?<![\w+./:-])\+[1-9]\d{9,14}(?!\d)/g;

function maskShapes(text: string, options: RedactOptions): string {
  let out = text;
  if (out.includes("-----BEGIN ")) out = maskKeyBlocks(out);
  out = maskTokens(out);
  if (out.includes("://")) out = maskUrls(out);
  out = maskNamed(out, options.code === true);
  if (out.includes("+")) out = out.replace(PHONE, (number) => `${number.slice(0, 3)}***${number.slice(-2)}`);
  return out;
}

/** `scheme://user:password@host` and `https://token@host`. */
function maskUrls(text: string): string {
  let out = "";
  let done = 0;
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    const from = at + 3;
    let end = from;
    while (end < text.length && end - from < 300 && !" \n\t\"'/?#@<>".includes(text[end]!)) end++;
    if (text[end] !== "@" || end === from) continue;
    const colon = text.indexOf(":", from);
    const start = colon >= from && colon < end ? colon + 1 : from;
    if (start === from && (end - start < 20 || !text.startsWith("http", Math.max(0, at - 5)))) continue;
    if (end - start < 3) continue;
    out += text.slice(done, start) + mask(text.slice(start, end));
    done = end;
  }
  return done === 0 ? text : out + text.slice(done);
}

function maskKeyBlocks(text: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const begin = text.indexOf("-----BEGIN ", at);
    if (begin === -1) return out + text.slice(at);
    const lineEnd = text.indexOf("-----", begin + 11);
    const label = lineEnd === -1 ? "" : text.slice(begin + 11, lineEnd);
    if (!label.includes("PRIVATE KEY") || label.length > 40) {
      out += text.slice(at, begin + 11);
      at = begin + 11;
      continue;
    }
    const end = text.indexOf(`-----END ${label}-----`, lineEnd);
    out += `${text.slice(at, begin)}-----BEGIN ${label}-----\n[REDACTED]\n`;
    // A cut block hides all that follows of it.
    const stop = end === -1 ? Math.min(text.length, lineEnd + 5 + 4000) : end;
    at = stop;
    if (end === -1 && stop === text.length) return out;
  }
}
