import { isSecretName } from "./secret-names.ts";
import { SECRET_HEADERS } from "./token-shapes.ts";
import { isTokenCharacter, mask } from "./token-runs.ts";

const HINT = /key|token|secret|passw|passphrase|credential|_pa(?:ss|t)\b|auth|cookie/gi;
const NOT_VALUES =
  /^(?:\$|<|\{|%|null|none|true|false|undefined|process\.env|os\.environ|os\.getenv|env\.|config\.|self\.|this\.|await |new |string\b|str\b|\*{3}|\[REDACTED|xxx|your[_-]|example|changeme|placeholder)/i;
const MASKED = /^\*\*\*$|^.{6}\.\.\..{4}$|^\[REDACTED\]$/;
const HEADERS = new Set(SECRET_HEADERS);
const SCHEME = /^(?:Bearer|Basic|Token|Bot|Digest|ApiKey)\s+/i;
const STOPS = /[ \t\r\n"'`{}[\];,&|<>()]/g;
const LINE_STOPS = /[\r\n"']/g;
const MAX_VALUE = 4000;

/**
 * Masks the values of assignments, fields and headers with telling names: from each telling word outwards, so that
 * other text costs nothing. Linear: what one word's look at the text has found out is kept for the next.
 * @param code Assignments are left alone; headers are not.
 */
export function maskNamed(text: string, code: boolean): string {
  const page = new Page(text);
  let out = "";
  let done = 0;
  HINT.lastIndex = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    let from = hint.index;
    while (from > done && hint.index - from < 60 && nameCharacter(text.charCodeAt(from - 1))) from--;
    let to = hint.index + hint[0].length;
    while (to < text.length && to - hint.index < 80 && nameCharacter(text.charCodeAt(to))) to++;
    HINT.lastIndex = to;
    const value = findValue(page, from, to, code);
    if (value === undefined) continue;
    out += text.slice(done, value.start) + value.mask;
    done = value.end;
    HINT.lastIndex = Math.max(to, value.end);
  }
  return done === 0 ? text : out + text.slice(done);
}

const nameCharacter = (code: number): boolean => isTokenCharacter(code) || code === 46;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

function findValue(page: Page, from: number, to: number, code: boolean): Value | undefined {
  const { text } = page;
  const name = text.slice(from, to);
  const at = skipBlanks(text, text[to] === '"' || text[to] === "'" ? to + 1 : to);
  const operator = text[at];
  if (operator !== ":" && operator !== "=") return undefined;
  const start = skipBlanks(text, at + 1);
  if (HEADERS.has(name.toLowerCase())) {
    const found = headerValue(page, start, name, operator, code);
    if (found) return found;
  }
  if (code || !page.secretName(name)) return undefined;
  const quote = text[start] === '"' || text[start] === "'" ? text[start]! : "";
  const found =
    quote === ""
      ? bareValue(page, { name, from, start, operator, blank: start > at + 1 })
      : quotedValue(text, start + 1, quote);
  if (found === undefined || !worthMasking(text.slice(found.start, found.end))) return undefined;
  return { ...found, mask: mask(text.slice(found.start, found.end)) };
}

function worthMasking(value: string): boolean {
  return value.length >= 4 && !NOT_VALUES.test(value) && !MASKED.test(value);
}

function quotedValue(text: string, start: number, quote: string): Omit<Value, "mask"> {
  let end = start;
  while (end < text.length && end - start < MAX_VALUE && text[end] !== quote && text[end] !== "\n")
    end += text[end] === "\\" ? 2 : 1;
  return { start, end: Math.min(end, text.length) };
}

interface Bare {
  readonly name: string;
  readonly from: number;
  readonly start: number;
  readonly operator: string;
  readonly blank: boolean;
}

/**
 * A value without quotes: of a form, an environment assignment or a `name: value` line, but not of an expression in
 * some code.
 */
function bareValue(page: Page, { name, from, start, operator, blank }: Bare): Omit<Value, "mask"> | undefined {
  const { text } = page;
  if (operator === ":" && !blank) return undefined;
  const before = text[from - 1];
  const end = page.valueEnd(start, STOPS);
  if (operator === ":") return end - start < 8 ? undefined : { start, end };
  const form = before === "&" || text[end] === "&";
  // The query of a URL is left alone, since links are signed by it.
  if ((form || before === "?") && page.insideUrl(from)) return undefined;
  return form || /^[A-Z][A-Z0-9_]*$/.test(name) ? { start, end } : undefined;
}

function headerValue(page: Page, start: number, name: string, operator: string, code: boolean): Value | undefined {
  const { text } = page;
  const quoted = text[start] === '"' || text[start] === "'" ? start + 1 : start;
  const scheme = SCHEME.exec(text.slice(quoted, quoted + 12))?.[0] ?? "";
  if (scheme === "" && (code || (!name.includes("-") && operator !== ":"))) return undefined;
  const first = quoted + scheme.length;
  // A cookie line holds several; none of them is anybody's business.
  const whole = /cookie/i.test(name);
  const end = page.valueEnd(first, whole ? LINE_STOPS : STOPS);
  const value = text.slice(first, end);
  return worthMasking(value) ? { start: first, end, mask: whole ? "***" : mask(value) } : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 3 && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

/** A text that is asked about from left to right, each character looked at once a question. */
class Page {
  readonly text: string;
  private readonly ends = new Map<RegExp, { from: number; end: number }>();
  private readonly names = new Map<string, boolean>();
  private urlAt = 0;
  private inUrl = false;

  constructor(text: string) {
    this.text = text;
  }

  /** The same few names come again and again. */
  secretName(name: string): boolean {
    let known = this.names.get(name);
    if (known === undefined) this.names.set(name, (known = isSecretName(name)));
    return known;
  }

  /** Where the first of `stops` comes, from `from` on, at most `MAX_VALUE` further. */
  valueEnd(from: number, stops: RegExp): number {
    let known = this.ends.get(stops);
    if (known === undefined || from < known.from || from > known.end) {
      stops.lastIndex = from;
      known = { from, end: stops.exec(this.text)?.index ?? this.text.length };
      this.ends.set(stops, known);
    }
    return Math.min(known.end, from + MAX_VALUE);
  }

  /** A scheme or a query has begun before `at`, and no blank or quote since. */
  insideUrl(at: number): boolean {
    for (; this.urlAt < at; this.urlAt++) {
      const char = this.text[this.urlAt]!;
      if (char === " " || char === "\n" || char === '"' || char === "'") this.inUrl = false;
      else if (
        this.urlAt > 0 &&
        ((char === "/" && this.text[this.urlAt - 1] === "/") || (char === "?" && this.text[this.urlAt - 1] !== " "))
      )
        this.inUrl = true;
    }
    return this.inUrl;
  }
}
