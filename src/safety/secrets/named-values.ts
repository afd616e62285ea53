import { MAX_VALUE, stopsAt, type Page } from "./page.ts";
import { separatorAfter, quoteAt, skipBlanks, type Separator } from "./separators.ts";
import { lineSpans, mask, PIECE, type Span, type Steps } from "./spans.ts";
import { isTokenCharacter } from "./token-runs.ts";
import type { NameKind } from "./value-names.ts";
import { isSecretValue, type Written } from "./value-shapes.ts";

const HINT =
  /key|token|secret|passw|passphrase|passcode|pass\b|pass_|pwd|credential|auth|cookie|_pat\b|identified|kennwort|senha|contraseña|密码|密碼|密钥|口令|パスワード|비밀번호|пароль/gi;
const LONGEST_HINT = 16;

/**
 * Finds the values of secret names, from each telling word outwards, so that other text costs nothing. One grammar of
 * name, separator and value for all: environment files and shells, JSON, YAML, TOML, INI and properties, program
 * text, headers, options, forms, XML and SQL.
 */
export function* namedSpans(page: Page, found: Span[]): Steps<void> {
  const { text } = page;
  let done = 0;
  for (let piece = 0; piece < text.length; piece += PIECE) {
    if (piece > 0) yield;
    // A hint at the edge of two pieces is in both; one that begins in the second is left to it.
    const window = text.length <= PIECE ? text : text.slice(piece, piece + PIECE + LONGEST_HINT);
    HINT.lastIndex = Math.max(0, done - piece);
    for (let hint = HINT.exec(window); hint !== null && hint.index < PIECE; hint = HINT.exec(window)) {
      const at = piece + hint.index;
      let from = at;
      while (from > done && at - from < 60 && isNameCharacter(text.charCodeAt(from - 1))) from--;
      let to = at + hint[0].length;
      while (to < text.length && to - at < 80 && isNameCharacter(text.charCodeAt(to))) to++;
      const spans = valueOf(page, from, to);
      done = Math.max(to, spans.at(-1)?.end ?? 0);
      found.push(...spans);
      HINT.lastIndex = done - piece;
    }
  }
}

const isNameCharacter = (code: number): boolean => isTokenCharacter(code) || code === 46;

const NOTHING: readonly Span[] = [];

/** The secret that stands under a name, or nothing. */
function valueOf(page: Page, first: number, last: number): readonly Span[] {
  const { text } = page;
  let [from, to] = [first, last];
  while (from < to && "-.".includes(text[from]!)) from++;
  while (to > from && "-.".includes(text[to - 1]!)) to--;
  const name = text.slice(from, to);
  const kind = page.kindOf(name);
  if (kind === undefined) return /^identified$/i.test(name) ? sqlPassword(page, to) : NOTHING;
  const separator = separatorAfter(page, { name, first, from, to, kind });
  if (separator === undefined) return NOTHING;
  return readValue(page, { name, kind, from, separator });
}

interface Named {
  readonly name: string;
  readonly kind: NameKind;
  readonly from: number;
  readonly separator: Separator;
}

function readValue(page: Page, named: Named): readonly Span[] {
  const { text } = page;
  const { separator } = named;
  const at = separator.at;
  if (separator.by === "field") {
    const block = blockValue(page, named);
    if (block !== undefined) return block;
  }
  const prefix = PREFIX.exec(text.slice(at, at + 3))?.[0].length ?? 0;
  const open = quoteAt(text, at + prefix);
  if (open !== undefined && !(prefix > 0 && /[fF$]/.test(text[at]!) && text.slice(at, at + 200).includes("{")))
    return quotedValue(page, named, at + prefix, open);
  if (separator.needsQuotes || prefix > 0) return NOTHING;
  if (named.kind === "list" || text[at] === "[") return listValues(page, named);
  return bareValue(page, named);
}

const PREFIX = /^(?:[bBrRuUfFNL@$]|[bBrRfF]{2})(?=["'`])/;
const SCHEME = /^(?:Bearer|Basic|Token|Bot|Digest|ApiKey|Negotiate|OAuth|SSWS|GenieKey)[ \t]+/i;

/** A span of the whole value, without the scheme of a header. */
function spansOf(
  page: Page,
  named: Named,
  start: number,
  end: number,
  how: Written["how"],
  plain?: string,
): readonly Span[] {
  const { name, kind, separator } = named;
  const value = plain ?? page.full.slice(start, end);
  if (kind === "cookie") return cookieValues(value, start);
  const scheme = SCHEME.exec(value)?.[0].length ?? 0;
  const secret = scheme === 0 ? value : value.slice(scheme);
  if (
    !isSecretValue(secret, {
      name,
      kind: kind === "header" ? "secret" : kind,
      how: scheme > 0 ? "quoted" : how,
      by: separator.by,
    })
  )
    return NOTHING;
  return [{ start: start + scheme, end, mask: mask(secret) }];
}

function quotedValue(page: Page, named: Named, at: number, quote: string): readonly Span[] {
  const { full } = page;
  const start = at + quote.length;
  const literal = quote.length === 1 ? page.literals.get(start) : undefined;
  if (literal !== undefined) return spansOf(page, named, literal.start, literal.end, "quoted", literal.text);
  if (quote.length === 1 && full.startsWith(quote + quote, start)) {
    const end = full.indexOf(quote.repeat(3), start + 2);
    return end === -1 || end - start > MAX_LINES ? NOTHING : multiLine(page, named, start + 2, end);
  }
  const end = closing(full, start, quote);
  return spansOf(page, named, start, end, "quoted");
}

const MAX_LINES = 20_000;

/** Where the quotes close, or else where the line ends. */
function closing(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + MAX_VALUE);
  for (let at = start; at < limit; at++) {
    if (text[at] === "\n") return at;
    if (text.startsWith(quote, at)) return at;
    if (text[at] === "\\" && quote.length === 1) at++;
  }
  return limit;
}

/** The lines of a block, each masked for itself: their indentation stays. */
function multiLine(page: Page, { name, kind, separator }: Named, start: number, end: number): readonly Span[] {
  const lines = lineSpans(page.full, start, end, mask);
  const written: Written = { name, kind, how: "quoted", by: separator.by };
  return lines.some((line) => isSecretValue(page.full.slice(line.start, line.end), written)) ? lines : NOTHING;
}

const BLOCK = /[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]{0,200})?\r?\n/y;
const GUTTER = /[ \t]*\d+[|:-](?=[ \t])|/y;

/** A block of YAML: the lines below the name that are indented more than it. */
function blockValue(page: Page, named: Named): readonly Span[] | undefined {
  const { text } = page;
  const at = named.separator.at;
  if (text[at] !== "|" && text[at] !== ">") return undefined;
  BLOCK.lastIndex = at;
  if (!BLOCK.test(text)) return undefined;
  const first = BLOCK.lastIndex;
  const own = indentOf(`${page.lineBefore(named.from)}x`, 0);
  let start = -1;
  let end = first;
  for (let line = first; line < text.length && line - first < MAX_LINES;) {
    const newline = text.indexOf("\n", line);
    const lineEnd = newline === -1 ? text.length : newline;
    const { indent, content } = indentOf(text, line);
    if (content < lineEnd && text[content] !== "\r") {
      if (indent <= own.indent) break;
      if (start === -1) start = content;
      end = lineEnd;
    }
    line = lineEnd + 1;
  }
  if (start === -1) return NOTHING;
  return linesAfterGutter(page, multiLine(page, named, first, end));
}

/** How far the content of a line is indented, behind the line numbers that a tool may have put before it. */
function indentOf(text: string, line: number): { readonly indent: number; readonly content: number } {
  GUTTER.lastIndex = line;
  const gutter = GUTTER.exec(text)?.[0].length ?? 0;
  let content = line + gutter;
  while (text[content] === " " || text[content] === "\t" || (text[content] === "-" && text[content + 1] === " "))
    content++;
  return { indent: content - line - gutter, content };
}

function linesAfterGutter({ full }: Page, spans: readonly Span[]): readonly Span[] {
  return spans.map((span) => {
    const gutter = /^\d+[|:-][ \t]+/.exec(full.slice(span.start, span.end))?.[0].length ?? 0;
    if (gutter === 0) return span;
    const start = span.start + gutter;
    return { start, end: span.end, mask: mask(full.slice(start, span.end)) };
  });
}

/** `["first", "second"]`: the strings of a list that look like secrets. */
function listValues(page: Page, named: Named): readonly Span[] {
  const { full } = page;
  const start = named.separator.at;
  if (full[start] !== "[" || start < page.listsTo) return NOTHING;
  const found: Span[] = [];
  const limit = Math.min(full.length, start + MAX_VALUE);
  let at = start + 1;
  for (; at < limit && full[at] !== "]"; at++) {
    const quote = full[at] === '"' || full[at] === "'" ? full[at]! : undefined;
    if (quote === undefined) continue;
    const end = closing(full, at + 1, quote);
    found.push(...spansOf(page, { ...named, kind: "list" }, at + 1, end, "quoted"));
    at = end;
  }
  page.listsTo = at;
  return found;
}

const STOPS = stopsAt(" \t\r\n\"'`{}[];,&|<>()");
const LINE_STOPS = stopsAt("\r\n");
const WORD_STOPS = stopsAt(" \t\r\n");
const QUOTE_STOPS = stopsAt("\r\n\"'`");
const MARKUP_STOPS = stopsAt("<\n");

/** A value without quotes: of an environment file, a form, an option or a line of settings, but no expression. */
function bareValue(page: Page, named: Named): readonly Span[] {
  const { text } = page;
  const { name, kind, from, separator } = named;
  const { at, by } = separator;
  if (kind === "cookie" || kind === "header") return bareHeader(page, named);
  if (separator.markup) {
    const end = page.valueEnd(at, MARKUP_STOPS);
    return text[end] === "<" ? spansOf(page, named, at, end, "quoted") : NOTHING;
  }
  const before = text[from - 1];
  // `"NAME=value"`: the quotes end the value.
  const within = before === '"' || before === "'" || before === "`" ? before : undefined;
  const word = page.valueEnd(at, WORD_STOPS);
  let end = page.valueEnd(at, STOPS);
  if (by === "assigned" && within === undefined && isLineOf(page, from, word)) {
    // All of it is the value, whatever signs are in it, but for a further field of a form.
    const ampersand = text.slice(at, word).search(/&[\w.-]+=/);
    end = ampersand === -1 ? word : at + ampersand;
    if (/[,;]$/.test(text.slice(at, end))) end--;
    return end <= at ? NOTHING : spansOf(page, named, at, end, "line");
  }
  if (by === "assigned" && within !== undefined) {
    const quote = text.indexOf(within, at);
    if (quote !== -1 && quote < word) end = quote;
  }
  if (end <= at) return NOTHING;
  const form = before === "&" || text[end] === "&";
  // The query of a URL is left alone, since links are signed by it.
  if (by === "assigned" && (form || before === "?") && page.insideUrl(from)) return NOTHING;
  const last = LINE_END.test(text.slice(end, end + 120));
  const line = last && (by === "field" || (by === "spaced" && page.insideSection(from))) && isLineStart(page, from);
  const variable = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (text[end] === "(") return NOTHING;
  if (by === "assigned" && !form && !variable && (text[end] === "," || text[end] === ")"))
    return spansOf(page, { ...named, separator: { ...separator, by: "spaced" } }, at, end, "bare");
  if (by === "spaced" && !last) return NOTHING;
  const settled = line && by === "spaced" ? { ...named, separator: { ...separator, by: "field" } as const } : named;
  return spansOf(page, settled, at, end, line || by === "spaced" ? "line" : "bare");
}

/** The line ends, or the quotes in which it stands. */
const LINE_END = /^(?:["'`]|(?:[ \t]+(?:#|;|\/\/)[^\n]*|[ \t]*)(?:\r?\n|$))/;

/** `NAME=value` that is a line, or a word of one, and not an argument of a call. */
function isLineOf(page: Page, from: number, end: number): boolean {
  const next = page.text[end];
  return (
    (next === undefined || next === "\n" || next === "\r" || next === " " || next === "\t") &&
    isLineStart(page, from) &&
    !/[,)]$/.test(page.text.slice(end - 1, end))
  );
}

const LINE_START =
  /^(?:[\w./~-]*[:|-]?\d*[:|-])?[ \t>+#;/*$-]*(?:(?:export|set|setx|env|ENV|ARG|declare|typeset|local|readonly|unset|SET|-[eExgU]+|--env|--build-arg)[ \t]+)*(?:-\s+)?(?:["'`$]|\$env:|env\.)?$/;

/** Nothing but a line number, a sign of a comment or a word such as `export` is before it. */
function isLineStart(page: Page, from: number): boolean {
  return LINE_START.test(page.lineBefore(from));
}

function bareHeader(page: Page, named: Named): readonly Span[] {
  const { text } = page;
  const { at } = named.separator;
  const { kind, name } = named;
  // `Authorization = value` is program text, unless the name has a dash.
  if (named.separator.by !== "field" && !name.includes("-") && named.separator.by !== "assigned") return NOTHING;
  const open = text[named.from - 1];
  const quote = open === '"' || open === "'" || open === "`" ? open : undefined;
  if (kind === "cookie") {
    let end = page.valueEnd(at, quote === undefined ? LINE_STOPS : QUOTE_STOPS);
    while (end > at && /\s/.test(text[end - 1]!)) end--;
    return spansOf(page, named, at, end, "bare");
  }
  const scheme = SCHEME.exec(text.slice(at, at + 16))?.[0].length ?? 0;
  const end = page.valueEnd(at + scheme, STOPS);
  if (end === at + scheme || text[end] === "(") return NOTHING;
  return spansOf(page, named, at, end, scheme > 0 || name.includes("-") ? "line" : "bare");
}

/** Of `name=value; name=value; Path=/` the values; all of a line that has no names. */
function cookieValues(line: string, start: number): readonly Span[] {
  if (/\*{3}|\.\.\./.test(line)) return NOTHING;
  const found: Span[] = [];
  for (const { index, 0: pair } of line.matchAll(/[^;]+/g)) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (equals === -1 && (line.includes("=") || pair.trim().length < 8 || /\s/.test(pair.trim()))) continue;
    if (/^(?:path|domain|expires|max-age|samesite|priority|version|secure|httponly)$/i.test(name)) continue;
    const first = index + equals + 1 + /^[\s"]*/.exec(pair.slice(equals + 1))![0].length;
    const value = line.slice(first, index + pair.length).replace(/[\s"]+$/, "");
    if (value.length < 6 || /^[a-z]+$/i.test(value) || /^[${<]/.test(value)) continue;
    found.push({ start: start + first, end: start + first + value.length, mask: mask(value) });
  }
  return found;
}

const IDENTIFIED = /[ \t]+(?:with[ \t]+\S{1,60}[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+|values[ \t]+)?(?=[N]?['"])/iy;

/** `IDENTIFIED BY 'password'`. */
function sqlPassword(page: Page, to: number): readonly Span[] {
  IDENTIFIED.lastIndex = to;
  if (!IDENTIFIED.test(page.text)) return NOTHING;
  const separator: Separator = { by: "option", at: skipBlanks(page.text, IDENTIFIED.lastIndex), needsQuotes: true };
  return readValue(page, { name: "password", kind: "secret", from: to, separator });
}
