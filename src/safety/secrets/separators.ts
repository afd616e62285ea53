import type { Page } from "./page.ts";
import type { NameKind } from "./value-names.ts";
import type { Written } from "./value-shapes.ts";

/** What is between a name and its value. */
export interface Separator {
  readonly by: Written["by"];
  /** Where the value begins. */
  readonly at: number;
  /** Without quotes it is no value here. */
  readonly needsQuotes?: boolean;
  /** The value ends at the next tag. */
  readonly markup?: boolean;
}

interface Place {
  readonly name: string;
  /** With dashes before the name. */
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly kind: NameKind;
}

/** The separator behind a name, if a value may follow. */
export function separatorAfter(page: Page, place: Place): Separator | undefined {
  const { text } = page;
  const { from, to, first } = place;
  const named = pairValue(page, place);
  if (named !== undefined) return named;
  const open = quoteBefore(text, first);
  const quoted = open !== undefined && text.startsWith(open, to);
  let at = quoted ? to + open.length : to;
  if (quoted && text[at] === "]") at++;
  // `**Password**: …` of Markdown.
  const bold = !quoted && text[at] === "*" && text[first - 1] === "*";
  if (bold) while (at - to < 3 && text[at] === "*") at++;
  const behind = skipBlanks(text, at);
  const sign = text[behind];
  const spaced = behind > at;
  switch (sign) {
    case ":":
    case "：":
      return colon(page, place, behind, quoted);
    case "=":
      return equals(page, behind, spaced, (quoted || at > to) && !bold);
    case "?":
    case "+":
      return text[behind + 1] === "="
        ? { by: "spaced", at: skipBlanks(text, behind + 2), needsQuotes: sign === "+" }
        : undefined;
    case "!":
      return text[behind + 1] === "="
        ? { by: "argument", at: skipBlanks(text, behind + (text[behind + 2] === "=" ? 3 : 2)), needsQuotes: true }
        : undefined;
    case ",":
      return quoted && (isFirstArgument(page, place) || (place.kind === "header" && text[first - 2] === "["))
        ? { by: "argument", at: skipBlanks(text, behind + 1), needsQuotes: true }
        : undefined;
    case "(":
      return SETTER.test(text.slice(Math.max(0, first - 1), to)) || place.name === "PASSWORD"
        ? { by: "argument", at: skipBlanks(text, behind + 1), needsQuotes: true }
        : undefined;
    case ">":
      return !spaced && (text[from - 1] === "<" || (quoted && NAMING.test(page.lineBefore(from))))
        ? { by: "field", at: behind + (text.startsWith(CDATA, behind + 1) ? 1 + CDATA.length : 1), markup: true }
        : undefined;
    case "|":
      // A row of a table.
      return page.lineBefore(first).includes("|") ? { by: "argument", at: skipBlanks(text, behind + 1) } : undefined;
    default:
      return spaced && !quoted ? afterBlank(page, place, behind) : undefined;
  }
}

/** `.setPassword(`, `.password(`. */
const SETTER = /\.(?:(?:set|with)\w+|password|passwd|token|secret|api_?key)$/i;
const CDATA = "<![CDATA[";

/** `define("NAME", "…")`, and in a list of arguments `"--password", "…"`. Other lists have no pairs. */
function isFirstArgument({ text }: Page, { first, from }: Place): boolean {
  if (from - first >= 1 && text[from - 1] === "-") return true;
  let at = first - 2;
  while (at > 0 && first - at < 20 && " \t\n".includes(text[at]!)) at--;
  return text[at] === "(";
}

const ANNOTATION = /[ \t]*[A-Za-z_&'[(?][\w.<>[\]|&' ,?]{0,60}?[ \t]=[ \t]*(?=[bBrRuUfF]{0,2}["'`])/y;

function colon(page: Page, { kind, from }: Place, at: number, quoted: boolean): Separator | undefined {
  const { text } = page;
  if (text[at + 1] === "=") return { by: "spaced", at: skipBlanks(text, at + 2) };
  if (text[at + 1] === ":" || text.startsWith("//", at + 1)) return undefined;
  ANNOTATION.lastIndex = at + 1;
  if (!quoted && ANNOTATION.test(text)) return { by: "spaced", at: ANNOTATION.lastIndex, needsQuotes: true };
  // `**Password:** …` of Markdown.
  const bold = /^\*{1,3}[ \t]+/.exec(text.slice(at + 1, at + 8))?.[0].length;
  if (bold !== undefined) return { by: "field", at: at + 1 + bold };
  const tag = /^[ \t]*!!?(?:str|binary)[ \t]+/.exec(text.slice(at + 1, at + 20))?.[0].length ?? 0;
  const start = tag > 0 ? at + 1 + tag : skipGap(text, at + 1);
  const direct = start === at + 1 && !/[\r\n]/.test(text[start] ?? "");
  // `token:value` without a blank: of a log, if it looks like a secret.
  if (direct && !quoted && text[at] === ":" && kind !== "header" && kind !== "cookie")
    return { by: quoteAt(text, start) === undefined ? "argument" : "field", at: start };
  const line = text.slice(at + 1, start).includes("\n");
  // Behind quotes, what has none is a number or program text.
  return { by: "field", at: start, needsQuotes: line || (quoted && text[from - 1] !== "`") };
}

function equals(page: Page, at: number, spaced: boolean, subscript: boolean): Separator | undefined {
  const { text } = page;
  if (text[at + 1] === "=")
    return { by: "argument", at: skipBlanks(text, at + (text[at + 2] === "=" ? 3 : 2)), needsQuotes: true };
  if (text[at + 1] === "~") return undefined;
  if (text[at + 1] === ">") return { by: "field", at: skipGap(text, at + 2), needsQuotes: true };
  const start = skipBlanks(text, at + 1);
  if (!spaced && start === at + 1 && !subscript) return { by: "assigned", at: start };
  const gap = skipGap(text, at + 1);
  return { by: "spaced", at: gap, needsQuotes: subscript || text.slice(start, gap).includes("\n") };
}

const ASSIGNING =
  /(?:^|[\s;&|("'`])(?:set|setenv|setx|ENV|ARG|set -\w+|set --\w+|config(?: --?\w+)*|config set|secret set|env set|envs? add)[ \t]+(?:[\w.-]+[ \t]+)?["']?$/;
const SQL = /(?:^|[\s(])(?:with|encrypted|unencrypted|user|role|login|superuser|alter|set|and|,)[ \t]*$/i;

/** Blanks alone separate an option, a variable of `set`, an entry of `.netrc` and SQL's password from their value. */
function afterBlank(page: Page, { name, first, from, kind }: Place, at: number): Separator | undefined {
  const { text } = page;
  const before = page.lineBefore(first);
  if (from > first && text[from - 1] === "-" && /(?:^|[\s"'`(=[])$/.test(before)) return { by: "option", at };
  if (kind === "header" || kind === "cookie") return undefined;
  // "The password is …"
  const is = /^(?:is|was):?[ \t]+/.exec(text.slice(at, at + 8))?.[0].length;
  if (is !== undefined) return { by: "argument", at: at + is };
  if (ASSIGNING.test(page.lineBefore(from))) return { by: "option", at };
  if (/^pass(?:word|wd)$/i.test(name)) {
    if (/(?:^|\s)(?:login|user|account|machine)[ \t]+[^\s,]+\s+$/.test(page.text.slice(Math.max(0, from - 200), from)))
      return { by: "option", at };
    if (quoteAt(text, at) !== undefined && (name === "PASSWORD" || SQL.test(before)))
      return { by: "option", at, needsQuotes: true };
    if (text[at] === "N" && quoteAt(text, at + 1) !== undefined && name === "PASSWORD")
      return { by: "option", at, needsQuotes: true };
  }
  return undefined;
}

const NAMING = /(?:^|[\s{,<(-])["']?(?:name|key|variable|parameter)["']?[ \t]*[:=][ \t]*["']?$/i;
const VALUE =
  /["']?[ \t]*[,;]?\s{0,3}(?:\n[ \t\d|]{0,40})?["']?(?:value|val|stringvalue|default)["']?[ \t]*[:=][ \t]*/iy;

/** `{"name": "API_KEY", "value": "…"}`, `- name: API_KEY` with `value: …` on the next line, `<add key="…" value="…">`. */
function pairValue(page: Page, { from, to }: Place): Separator | undefined {
  const before = page.text[from - 1];
  if (before !== '"' && before !== "'" && before !== " " && before !== "=") return undefined;
  VALUE.lastIndex = to;
  if (!VALUE.test(page.text)) return undefined;
  const at = VALUE.lastIndex;
  return NAMING.test(page.lineBefore(from)) ? { by: "field", at } : undefined;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at - from < 40 && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

/** Blanks, and one line break if quotes follow. */
function skipGap(text: string, from: number): number {
  const at = skipBlanks(text, from);
  const line = text[at] === "\r" ? at + 1 : at;
  if (text[line] !== "\n") return at;
  let next = line + 1;
  while (next - line < 80 && (text[next] === " " || text[next] === "\t")) next++;
  return next > line + 1 && quoteAt(text, next) !== undefined ? next : at;
}

/** The quotes that begin here, with backslashes before them where the text is a piece of a literal. */
export function quoteAt(text: string, at: number): string | undefined {
  let end = at;
  while (text[end] === "\\" && end - at < 16) end++;
  const sign = text[end];
  return sign === '"' || sign === "'" || sign === "`" ? text.slice(at, end + 1) : undefined;
}

function quoteBefore(text: string, at: number): string | undefined {
  const sign = text[at - 1];
  if (sign !== '"' && sign !== "'" && sign !== "`") return undefined;
  let start = at - 1;
  while (start > 0 && text[start - 1] === "\\" && at - start < 16) start--;
  return text.slice(start, at);
}
