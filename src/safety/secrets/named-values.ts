import { bareValue } from "./bare-values.ts";
import { blockValue, listLines, MAX_LINES, multiLine } from "./block-values.ts";
import { type Named, NOTHING, spansOf } from "./named-value.ts";
import { MAX_VALUE, type Page } from "./page.ts";
import { separatorAfter, quoteAt, skipBlanks, type Separator } from "./separators.ts";
import { PIECE, type Span, type Steps } from "./spans.ts";
import { isTokenCharacter } from "./token-runs.ts";

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
  if (separator === undefined) return name === "PASSWORD" ? sqlPassword(page, to) : NOTHING;
  return readValue(page, { name, kind, from, separator });
}

function readValue(page: Page, named: Named): readonly Span[] {
  const { text } = page;
  const { separator } = named;
  const at = separator.at;
  if (separator.by === "field") {
    const block = blockValue(page, named);
    if (block !== undefined) return block;
  }
  if (separator.by === "field" && (text[at] === "\n" || text[at] === "\r")) return listLines(page, named);
  const prefix = PREFIX.exec(text.slice(at, at + 3))?.[0].length ?? 0;
  const open = quoteAt(text, at + prefix);
  if (open !== undefined && !(prefix > 0 && /[fF$]/.test(text[at]!) && text.slice(at, at + 200).includes("{")))
    return quotedValue(page, named, at + prefix, open);
  if (separator.needsQuotes || prefix > 0) return NOTHING;
  if (named.kind === "list" || text[at] === "[") return listValues(page, named);
  return bareValue(page, named);
}

const PREFIX = /^(?:[bBrRuUfFNL@$]|[bBrRfF]{2})(?=["'`])/;
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

const IDENTIFIED =
  /[ \t]+(?:(?:with[ \t]+\S{1,60}[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+|values[ \t]+)?|for[ \t]+[^=\n]{1,80}=[ \t]*(?=['"]))/iy;

/** `IDENTIFIED BY 'password'`, `SET PASSWORD FOR user = 'password'`. */
function sqlPassword(page: Page, to: number): readonly Span[] {
  IDENTIFIED.lastIndex = to;
  if (!IDENTIFIED.test(page.text)) return NOTHING;
  const at = skipBlanks(page.text, IDENTIFIED.lastIndex);
  if (page.text[at] === "`") return NOTHING;
  // Of a statement, and not of a sentence.
  const sql = quoteAt(page.text, at) !== undefined && /\b(?:user|role|grant|password)\b/i.test(page.lineBefore(to));
  const separator: Separator = { by: sql ? "option" : "argument", at };
  return readValue(page, { name: "password", kind: "secret", from: to, separator });
}
