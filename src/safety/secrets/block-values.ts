import { type Named, NOTHING, spansOf } from "./named-value.ts";
import type { Page } from "./page.ts";
import { lineSpans, mask, type Span } from "./spans.ts";
import { isSecretValue, type Written } from "./value-shapes.ts";

export const MAX_LINES = 20_000;

/** The lines of a block, each masked for itself: their indentation stays. */
export function multiLine(page: Page, { name, kind, separator }: Named, start: number, end: number): readonly Span[] {
  if (page.full.slice(start, start + 200).includes("-----BEGIN ")) return NOTHING;
  const lines = lineSpans(page.full, start, end, mask);
  const written: Written = { name, kind, how: "quoted", by: separator.by };
  return lines.some((line) => isSecretValue(page.full.slice(line.start, line.end), written)) ? lines : NOTHING;
}

const BLOCK = /[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]{0,200})?\r?\n/y;
const GUTTER = /[ \t]*\d+[|:-](?=[ \t])|/y;

/** A block of YAML: the lines below the name that are indented more than it. */
export function blockValue(page: Page, named: Named): readonly Span[] | undefined {
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

const ITEM = /[ \t]*(?:\d+[|:-])?[ \t]*- +(["']?)([^"'\r\n]{4,200})\1[ \t]*\r?(?:\n|$)/y;

/** A list of YAML below the name: its items that look like secrets. */
export function listLines(page: Page, named: Named): readonly Span[] {
  const { full } = page;
  const found: Span[] = [];
  ITEM.lastIndex = full.indexOf("\n", named.separator.at) + 1;
  for (let count = 0; count < 100; count++) {
    const line = ITEM.lastIndex;
    const item = ITEM.exec(full);
    if (item === null) return found;
    const [whole, , value] = item as unknown as [string, string, string];
    const start = line + whole.lastIndexOf(value);
    found.push(...spansOf(page, { ...named, kind: "list" }, start, start + value.length, "quoted"));
  }
  return found;
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
