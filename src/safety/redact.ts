import { isSecretName } from "./secret-names.ts";
import { SECRET_HEADERS, TOKEN_SHAPES, type TokenShape } from "./token-shapes.ts";

export type Redactor = (text: string) => string;

export interface RedactOptions {
  /** Assignments and fields with secret names are left alone: for source code, where such a name is mostly not a value. */
  readonly code?: boolean;
}

const MASK = "[REDACTED]";
const MIN_SECRET = 6;

/**
 * Masks secrets in text on its way to a model, a log or a file: every known value (also base64, URL, JSON and hex forms), and
 * whatever looks like a key. Known values vanish wholly; shapes keep their first six and last four characters.
 * @param secrets Asked on every call; the search table is rebuilt only when the list changes.
 */
export function createRedactor(secrets: () => readonly string[], options: RedactOptions = {}): Redactor {
  let known: readonly string[] = [];
  let finder: Finder | undefined;
  return (text) => {
    if (text === "") return text;
    const now = secrets();
    if (now !== known && (now.length !== known.length || now.some((secret, i) => secret !== known[i]))) {
      known = [...now];
      finder = makeFinder(known.flatMap(forms));
    }
    return maskShapes(finder ? finder(text) : text, options);
  };
}

/**
 * The same for text that arrives in pieces: holds back the end of a piece that may be the start of a secret.
 * `end()` gives what is left.
 */
export function redactStream(redact: Redactor, hold = 512): { write(piece: string): string; end(): string } {
  let rest = "";
  return {
    write(piece) {
      rest += piece;
      if (rest.length <= hold) return "";
      // A secret has no line end in it, except a key block; cut at the last safe place.
      let cut = rest.lastIndexOf("\n", rest.length - 1) + 1;
      const block = rest.lastIndexOf("-----BEGIN ");
      if (block >= 0 && rest.indexOf("-----END ", block) === -1 && rest.length - block < 20_000) cut = Math.min(cut, block);
      if (cut === 0 && rest.length < 16 * hold) return "";
      if (cut === 0) cut = rest.length - hold;
      const out = redact(rest.slice(0, cut));
      rest = rest.slice(cut);
      return out;
    },
    end() {
      const out = redact(rest);
      rest = "";
      return out;
    },
  };
}

/** A secret as it may be spelled elsewhere. */
function forms(secret: string): readonly string[] {
  if (secret.length < MIN_SECRET) return [];
  const bytes = Buffer.from(secret, "utf8");
  const out = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString("hex"), bytes.toString("hex").toUpperCase()]);
  // In a longer base64 text the secret starts at any of three phases; the letters that depend on neighbours are left out.
  for (let phase = 0; phase < 3; phase++) {
    const padded = Buffer.concat([Buffer.alloc(phase), bytes]);
    const start = phase === 0 ? 0 : phase + 1;
    const whole = Math.floor((padded.length * 8) / 6);
    for (const encoding of ["base64", "base64url"] as const) {
      const piece = padded.toString(encoding).slice(start, whole);
      if (piece.length >= 8) out.add(piece);
    }
  }
  return [...out];
}

type Finder = (text: string) => string;

/** One pass over the text for all needles, by their first two characters. */
function makeFinder(needles: readonly string[]): Finder | undefined {
  const unique = [...new Set(needles)].sort((a, b) => b.length - a.length);
  if (unique.length === 0) return undefined;
  if (unique.length <= 24) {
    // V8's own search is fastest for a few.
    return (text) => unique.reduce((out, needle) => (out.includes(needle) ? out.replaceAll(needle, MASK) : out), text);
  }
  // The first two characters by a bitmap, the first four by a table: almost nothing gets further by chance.
  const table = new Map<number, string[]>();
  const pairs = new Uint8Array(65536);
  const quads = new Uint8Array(65536);
  for (const needle of unique) {
    quads[four(needle, 0) % 65521] = 1;
    pairs[((needle.charCodeAt(0) & 0xff) << 8) | (needle.charCodeAt(1) & 0xff)] = 1;
    const row = table.get(four(needle, 0));
    if (row) row.push(needle);
    else table.set(four(needle, 0), [needle]);
  }
  return (text) => {
    let out = "";
    let start = 0;
    let next = text.charCodeAt(0) & 0xff;
    for (let i = 0; i + 1 < text.length; i++) {
      const first = next;
      next = text.charCodeAt(i + 1) & 0xff;
      if (pairs[(first << 8) | next] === 0) continue;
      const key = four(text, i);
      if (quads[key % 65521] === 0) continue;
      const hit = table.get(key)?.find((needle) => text.startsWith(needle, i));
      if (hit === undefined) continue;
      out += text.slice(start, i) + MASK;
      start = i + hit.length;
      i = start - 1;
      next = text.charCodeAt(start) & 0xff;
    }
    return start === 0 ? text : out + text.slice(start);
  };
}

const four = (text: string, at: number): number => (((text.charCodeAt(at) & 0xff) << 24) | ((text.charCodeAt(at + 1) & 0xff) << 16) | ((text.charCodeAt(at + 2) & 0xff) << 8) | (text.charCodeAt(at + 3) & 0xff)) >>> 0;

/** Short ones vanish; of longer ones the ends stay, so that people can tell which it was. */
export function mask(token: string): string {
  return token.length < 18 ? "***" : `${token.slice(0, 6)}...${token.slice(-4)}`;
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

function maskShapes(text: string, options: RedactOptions): string {
  let out = text;
  if (out.includes("-----BEGIN ")) out = maskKeyBlocks(out);
  out = maskRuns(out);
  if (out.includes("://")) out = maskUrls(out);
  out = maskNamed(out, options);
  if (out.includes("+")) out = out.replace(PHONE, (number) => `${number.slice(0, 3)}***${number.slice(-2)}`);
  return out;
}

/** One pass over the runs of token characters; only long ones are compared with the shapes. */
function maskRuns(text: string): string {
  let out = "";
  let done = 0;
  let i = 0;
  while (i < text.length) {
    if (KIND[text.charCodeAt(i)] !== 1) {
      i++;
      continue;
    }
    const start = i;
    while (i < text.length && KIND[text.charCodeAt(i)] === 1) i++;
    if (i - start < 3) continue;
    const end = tokenEnd(text, start, i);
    if (end === undefined) continue;
    out += text.slice(done, start) + mask(text.slice(start, end));
    done = i = end;
  }
  return done === 0 ? text : out + text.slice(done);
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
  const shapes = LEADS.get(text.slice(start, start + 2)) ?? (text.startsWith("SG.", start) ? LEADS.get("SG") : undefined);
  if (shapes === undefined) return undefined;
  for (const shape of shapes) {
    if (!text.startsWith(shape.lead, start)) continue;
    let end = runEnd;
    if (shape.also !== undefined) while (end < text.length && (KIND[text.charCodeAt(end)] ?? 0) > 0) end++;
    while (text[end - 1] === "." ) end--;
    if (end - start - shape.lead.length >= shape.min) return end;
  }
  return undefined;
}

function wordEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && KIND[text.charCodeAt(i)] === 1) i++;
  return i;
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

const PHONE = /(?<![\w+./:-])\+[1-9]\d{9,14}(?!\d)/g;
const HINT = /key|token|secret|passw|passphrase|credential|_pa(?:ss|t)\b|auth|cookie/gi;
const NOT_VALUES = /^(?:\$|<|\{|%|null|none|true|false|undefined|process\.env|os\.environ|os\.getenv|env\.|config\.|self\.|this\.|await |new |string\b|str\b|\*{3}|\[REDACTED|xxx|your[_-]|example|changeme|placeholder)/i;
const MASKED = /^\*\*\*$|^.{6}\.\.\..{4}$|^\[REDACTED\]$/;
const HEADERS = new Set(SECRET_HEADERS);
const SCHEME = /^(?:Bearer|Basic|Token|Bot|Digest|ApiKey)\s+/i;

/** Assignments, fields and headers with telling names: from each telling word outwards, so that other text costs nothing. */
function maskNamed(text: string, options: RedactOptions): string {
  let out = "";
  let done = 0;
  HINT.lastIndex = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    let from = hint.index;
    while (from > done && hint.index - from < 60 && nameCharacter(text.charCodeAt(from - 1))) from--;
    let to = hint.index + hint[0].length;
    while (to < text.length && to - hint.index < 80 && nameCharacter(text.charCodeAt(to))) to++;
    HINT.lastIndex = to;
    const value = findValue(text, from, to, options);
    if (value === undefined) continue;
    out += text.slice(done, value.start) + value.mask;
    done = value.end;
    HINT.lastIndex = Math.max(to, value.end);
  }
  return done === 0 ? text : out + text.slice(done);
}

const nameCharacter = (code: number): boolean => KIND[code] === 1 || code === 46;

function findValue(text: string, from: number, to: number, options: RedactOptions): { start: number; end: number; mask: string } | undefined {
  const name = text.slice(from, to);
  let at = to;
  if (text[at] === '"' || text[at] === "'") at++;
  at = skipBlanks(text, at);
  const operator = text[at];
  if (operator !== ":" && operator !== "=") return undefined;
  const start = skipBlanks(text, at + 1);
  const blank = start > at + 1;
  if (HEADERS.has(name.toLowerCase())) {
    const found = headerValue(text, start, name, operator, options);
    if (found) return found;
  }
  if (options.code === true) return undefined;
  const quote = text[start] === '"' || text[start] === "'" ? text[start]! : "";
  const first = start + quote.length;
  let end = first;
  if (quote !== "") while (end < text.length && end - first < 4000 && text[end] !== quote && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  else while (end < text.length && end - first < 4000 && !STOPS.includes(text[end]!)) end++;
  end = Math.min(end, text.length);
  const value = text.slice(first, end);
  if (value.length < 4 || (quote === "" && operator === ":" && (!blank || value.length < 8)) || !isSecretName(name) || NOT_VALUES.test(value) || MASKED.test(value)) return undefined;
  if (quote === "") {
    const form = text[from - 1] === "&" || text[end] === "&";
    // The query of a URL is left alone, since links are signed by it.
    if (operator === "=" && (form || text[from - 1] === "?") && inUrl(text, from)) return undefined;
    // Without quotes a small name is an expression in some code; a name in capitals is an assignment.
    if (operator === "=" && !form && !/^[A-Z][A-Z0-9_]*$/.test(name)) return undefined;
  }
  return { start: first, end, mask: mask(value) };
}

const STOPS = " \t\r\n\"'`{}[];,&|<>()";

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 3 && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

function headerValue(text: string, start: number, name: string, operator: string, options: RedactOptions): { start: number; end: number; mask: string } | undefined {
  let first = start;
  if (text[first] === '"' || text[first] === "'") first++;
  const scheme = SCHEME.exec(text.slice(first, first + 12))?.[0] ?? "";
  if (scheme === "" && (!name.includes("-") || options.code === true) && (operator !== ":" || options.code === true)) return undefined;
  first += scheme.length;
  let end = first;
  // A cookie line holds several; none of them is anybody's business.
  const whole = /cookie/i.test(name);
  while (end < text.length && end - first < 4000 && !(whole ? "\r\n\"'" : STOPS).includes(text[end]!)) end++;
  const value = text.slice(first, end);
  if (value.length < 4 || NOT_VALUES.test(value) || MASKED.test(value)) return undefined;
  return { start: first, end, mask: whole ? "***" : mask(value) };
}

function inUrl(text: string, at: number): boolean {
  for (let i = at - 1; i > 0 && at - i < 2000; i--) {
    const char = text[i]!;
    if (char === " " || char === "\n" || char === '"' || char === "'") return false;
    if (char === "/" && text[i - 1] === "/") return true;
    if (char === "?" && text[i - 1] !== " ") return true;
  }
  return false;
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
