import { type Named, NOTHING, SCHEME, spansOf } from "./named-value.ts";
import { stopsAt, type Page } from "./page.ts";
import type { Span } from "./spans.ts";
import { isVariable } from "./value-shapes.ts";

/** A value without quotes: of an environment file, a form, an option or a line of settings, but no expression. */
export function bareValue(page: Page, named: Named): readonly Span[] {
  const { text } = page;
  const { name, kind, from, separator } = named;
  const { at, by } = separator;
  if (kind === "cookie" || kind === "header") return bareHeader(page, named);
  if (separator.markup) {
    const end = page.valueEnd(at, MARKUP_STOPS);
    return text[end] === "<" || text.startsWith("]]>", end) ? spansOf(page, named, at, end, "quoted") : NOTHING;
  }
  const before = text[from - 1];
  // `"NAME=value"`: the quotes end the value.
  const within = before === '"' || before === "'" || before === "`" ? before : undefined;
  const word = page.valueEnd(at, WORD_STOPS);
  let end = page.valueEnd(at, STOPS);
  // In a piece of a literal, an escape such as that of a line break ends a value.
  const escape = text.slice(at, end).search(/\\[nrt"'`\\]/);
  if (escape !== -1) end = at + escape;
  if (by === "assigned" && within === undefined && isLineOf(page, from, word)) {
    // All of it is the value, whatever signs are in it, but for a further field of a form.
    const ampersand = isVariable(name) ? -1 : text.slice(at, word).search(FURTHER_FIELD);
    end = ampersand === -1 ? word : at + ampersand;
    if (/[,;]$/.test(text.slice(at, end))) end--;
    return end <= at ? NOTHING : spansOf(page, named, at, end, "line");
  }
  if (by === "assigned" && within !== undefined) {
    const quote = text.indexOf(within, at);
    const ampersand = text.slice(at, word).search(FURTHER_FIELD);
    if (quote !== -1 && quote < word) end = quote;
    if (ampersand !== -1) end = Math.min(end, at + ampersand);
  }
  if (end <= at) return NOTHING;
  const form = before === "&" || text[end] === "&";
  // The query of a URL is left alone, since links are signed by it.
  if (by === "assigned" && (form || before === "?") && !SIGNS_NOTHING.test(name) && page.insideUrl(from))
    return NOTHING;
  const last = LINE_END.test(text.slice(end, end + 120));
  const line = last && (by === "field" || (by === "spaced" && page.insideSection(from))) && isLineStart(page, from);
  const variable = isVariable(name);
  if (text[end] === "(" || text[end] === "[") return NOTHING;
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
    !/[,)]$/.test(page.text.slice(end - 1, end)) &&
    // `name=None):`, `name=certs[0]`: of program text.
    (isVariable(page.text.slice(from, from + 1)) || !/[()[\]{}]/.test(page.text.slice(from, end)))
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
    if (!/^[\w!#$%&'*+.^|~-]+=/.test(text.slice(at, at + 80))) return NOTHING;
    let end = page.valueEnd(at, quote === undefined ? LINE_STOPS : QUOTE_STOPS);
    while (end > at && /\s/.test(text[end - 1]!)) end--;
    return spansOf(page, named, at, end, "bare");
  }
  const scheme = SCHEME.exec(text.slice(at, at + 16))?.[0].length ?? 0;
  const end = page.valueEnd(at + scheme, STOPS);
  if (end === at + scheme || text[end] === "(") return NOTHING;
  return spansOf(page, named, at, end, scheme > 0 || name.includes("-") ? "quoted" : "bare");
}

const FURTHER_FIELD = /&[\w.-]+=/;
const STOPS = stopsAt(" \t\r\n\"'`{}[];,&|<>()");
const LINE_STOPS = stopsAt("\r\n");
const WORD_STOPS = stopsAt(" \t\r\n");
const QUOTE_STOPS = stopsAt("\r\n\"'`");
const MARKUP_STOPS = stopsAt("<]\n");
/** No link is signed by a password. */
const SIGNS_NOTHING = /(?:passw(?:or)?d|pwd|client_?secret)$/i;
