import type { SqlDialect } from "./sql-dialects.ts";

export interface Quoted {
  readonly kind: "string" | "name";
  /** The text between the quotes. */
  readonly text: string;
  /** Behind its end. */
  readonly end: number;
  /** It ends before the text does. */
  readonly closed: boolean;
}

/** The string or the quoted name that begins here, as this dialect reads it. */
export function quotedAt(text: string, at: number, dialect: SqlDialect): Quoted | undefined {
  const char = text[at]!;
  if (char === "'" || char === '"') {
    const triple = char.repeat(3);
    if (dialect.triple && text.startsWith(triple, at)) return until(text, at + 3, triple, "string", true);
    return closing(
      text,
      at,
      char,
      char === "'" ? "string" : "name",
      char === "'" ? dialect.backslash === "all" : escapesIn(dialect, char),
    );
  }
  if (char === "`" && dialect.names?.includes("`")) return closing(text, at, char, "name", escapesIn(dialect, char));
  if (char === "[" && dialect.names?.includes("[")) return closing(text, at, "]", "name", false);
  if (char === "$" && dialect.dollar !== undefined) return dollars(text, at, dialect.dollar);
  if (dialect.backslash === "E" && (char === "e" || char === "E") && text[at + 1] === "'")
    return dialect.continues ? continued(text, at + 1) : closing(text, at + 1, "'", "string", true);
  if (dialect.chosenQuotes && /[nNqQ]/.test(char)) {
    const opens = /n?q'(.)/isy;
    opens.lastIndex = at;
    const match = opens.exec(text);
    if (match !== null) return until(text, at + match[0].length, `${PAIRS[match[1]!] ?? match[1]!}'`, "string", false);
  }
  return undefined;
}

const PAIRS: Readonly<Record<string, string | undefined>> = { "[": "]", "{": "}", "(": ")", "<": ">" };
const TAGS = { plain: /\$\$/y, tag: /\$(?:[A-Za-z_\x80-\uDFFF][\w\x80-\uDFFF]*)?\$/y, any: /\$[^$]*\$/y } as const;

const escapesIn = (dialect: SqlDialect, quote: string): boolean => dialect.backslashIn?.includes(quote) === true;

function closing(text: string, start: number, quote: string, kind: Quoted["kind"], escapes: boolean): Quoted {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\" && escapes) i++;
    else if (text[i] === quote) {
      if (text[i + 1] === quote) i++;
      else return { kind, text: plain(text.slice(start + 1, i), quote, escapes), end: i + 1, closed: true };
    }
  }
  return { kind, text: text.slice(start + 1), end: text.length, closed: false };
}

/** Quotes that are written twice, or behind a backslash, are one. */
function plain(inside: string, quote: string, escapes: boolean): string {
  const once = inside.includes(quote) ? inside.replaceAll(quote + quote, quote) : inside;
  return escapes && once.includes("\\") ? once.replaceAll(`\\${quote}`, quote) : once;
}

/** Up to a mark, which a backslash may hide. */
function until(text: string, from: number, mark: string, kind: Quoted["kind"], escapes: boolean): Quoted {
  let close = text.indexOf(mark, from);
  if (escapes)
    for (close = from; close < text.length && !text.startsWith(mark, close);) close += text[close] === "\\" ? 2 : 1;
  if (close < 0 || close >= text.length) return { kind, text: text.slice(from), end: text.length, closed: false };
  return { kind, text: text.slice(from, close), end: close + mark.length, closed: true };
}

function dollars(text: string, at: number, dollar: keyof typeof TAGS): Quoted | undefined {
  const tag = TAGS[dollar];
  tag.lastIndex = at;
  const mark = tag.exec(text)?.[0];
  if (mark === undefined) return undefined;
  const found = until(text, at + mark.length, mark, "string", false);
  return found.closed || dollar !== "any" ? found : undefined;
}

/** `E'…'`; a quoted text on the next line continues it. */
function continued(text: string, start: number): Quoted {
  let found = closing(text, start, "'", "string", true);
  for (let next = onNextLine(text, found.end); found.closed && next >= 0; next = onNextLine(text, found.end)) {
    const more = closing(text, next, "'", "string", true);
    found = { ...more, text: found.text + more.text };
  }
  return found;
}

/**
 * The quote that comes next, with a line end and nothing else but comments of the line before it; -1 where there is
 * none.
 */
function onNextLine(text: string, from: number): number {
  let lines = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "\n" || text[i] === "\r") lines++;
    else if (text.startsWith("--", i)) while (i + 1 < text.length && text[i + 1] !== "\n") i++;
    else if (text[i] === "'") return lines > 0 ? i : -1;
    else if (!/\s/.test(text[i]!)) return -1;
  }
  return -1;
}
