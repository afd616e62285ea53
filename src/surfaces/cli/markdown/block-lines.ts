import { renderLatex, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { MarkedToken, Token, Tokens } from "marked";
import { codeLines } from "./code-lines.ts";
import { inlineText } from "./inline-text.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { tableLines } from "./table-lines.ts";

interface FormulaBlock {
  readonly type: "formulaBlock";
  readonly raw: string;
  readonly text: string;
}

/**
 * The lines of one block of a Markdown text, each at most `columns` wide. No empty line before or after it; empty for a
 * block that shows nothing.
 */
export function blockLines(token: Token, columns: number, style: MarkdownStyle): readonly string[] {
  const block = token as MarkedToken | FormulaBlock;
  switch (block.type) {
    case "heading":
      return wrapTextWithAnsi(inlineText(block.tokens, style, headingPaint(block.depth, style)), columns);
    case "paragraph":
    case "text":
      return wrapTextWithAnsi(inlineText(block.tokens ?? [block], style), columns);
    case "code":
      return codeBlock(block, columns, style);
    case "list":
      return listLines(block, columns, style);
    case "blockquote":
      return quoteLines(block, columns, style);
    case "table":
      return tableLines(block, columns, style);
    case "hr":
      return [style.dim("─".repeat(Math.min(columns, 80)))];
    case "html":
      return htmlLines(block.raw, columns);
    case "formulaBlock":
      return formulaLines(block, columns);
    case "space":
    case "def":
    case "checkbox":
      return [];
    default:
      return wrapTextWithAnsi(block.raw, columns);
  }
}

/** The lines of blocks that follow each other, with an empty line between them, but not before a list. */
function blocksLines(tokens: readonly Token[], columns: number, style: MarkdownStyle): readonly string[] {
  return tokens
    .map((token) => ({ token, lines: blockLines(token, columns, style) }))
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ token, lines }, at) => (at === 0 || token.type === "list" ? lines : ["", ...lines]));
}

function headingPaint(depth: number, { heading, bold, underline }: MarkdownStyle): (text: string) => string {
  if (depth === 1) return (text) => heading(bold(underline(text)));
  return depth === 2 ? (text) => heading(bold(text)) : heading;
}

function codeBlock({ text, lang }: Tokens.Code, columns: number, style: MarkdownStyle): readonly string[] {
  const language = lang ?? "";
  const diagram = /^mermaid\b/i.test(language) ? style.diagram(text, columns) : undefined;
  return diagram ?? codeLines(text, language, columns, style);
}

function listLines(list: Tokens.List, columns: number, style: MarkdownStyle): readonly string[] {
  const first = typeof list.start === "number" ? list.start : 1;
  const last = first + list.items.length - 1;
  return list.items.flatMap((item, at) => {
    const number = `${first + at}.`.padStart(`${last}.`.length);
    const marker = item.task ? (item.checked === true ? "☑" : "☐") : list.ordered ? number : "•";
    const indent = " ".repeat(visibleWidth(marker) + 1);
    const lines = itemLines(item, Math.max(1, columns - indent.length), style, list.loose);
    const drawn = (lines.length === 0 ? [""] : lines).map((line, row) =>
      row === 0 ? `${style.bullet(marker)} ${line}` : line === "" ? "" : `${indent}${line}`,
    );
    return list.loose && at > 0 ? ["", ...drawn] : drawn;
  });
}

/** In a tight list, nothing stands between the text of an item and the list below it. */
function itemLines(item: Tokens.ListItem, columns: number, style: MarkdownStyle, loose: boolean): readonly string[] {
  if (loose) return blocksLines(item.tokens, columns, style);
  return item.tokens.flatMap((token) => blockLines(token, columns, style));
}

function quoteLines(quote: Tokens.Blockquote, columns: number, style: MarkdownStyle): readonly string[] {
  const border = style.dim("│ ");
  const quoted: MarkdownStyle = { ...style, bold: (text) => style.quote(style.bold(text)) };
  return blocksLines(quote.tokens, Math.max(1, columns - 2), quoted).map(
    (line) => `${border}${line === "" ? "" : style.quote(line)}`,
  );
}

function htmlLines(raw: string, columns: number): readonly string[] {
  const shown = raw.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").trim();
  return shown === "" ? [] : wrapTextWithAnsi(shown, columns);
}

/** A formula has a layout of several lines, so one that is too wide is shown as it was written. */
function formulaLines({ text, raw }: FormulaBlock, columns: number): readonly string[] {
  const drawn = renderLatex(text, { display: true })?.split("\n");
  if (drawn !== undefined && drawn.every((line) => visibleWidth(line) <= columns)) return drawn;
  return wrapTextWithAnsi(raw.trim(), columns);
}
