import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Tokens } from "marked";
import { inlineText } from "./inline-text.ts";
import type { MarkdownStyle } from "./markdown-style.ts";

/** Between two columns. */
const GAP = " │ ";
/** A column may be narrower than its longest word, but not than this. */
const WORD_COLUMNS = 12;

/**
 * A table with its columns aligned as the Markdown says. Cells wrap where the table is too wide; if not even the words
 * fit, each row becomes a list of `header: cell`.
 */
export function tableLines(table: Tokens.Table, columns: number, style: MarkdownStyle): string[] {
  const header = table.header.map(({ tokens }) => inlineText(tokens, style, style.bold));
  const rows = table.rows.map((row) => row.map(({ tokens }) => inlineText(tokens, style)));
  const cellsOf = (at: number): readonly string[] => [header[at] ?? "", ...rows.map((row) => row[at] ?? "")];
  const natural = header.map((_, at) => Math.max(1, ...cellsOf(at).map(widest)));
  const least = header.map((_, at) => Math.min(WORD_COLUMNS, Math.max(1, ...cellsOf(at).map(longestWord))));
  const room = columns - GAP.length * (header.length - 1);
  if (sum(least) > room) return rows.flatMap((row, at) => recordLines(header, row, columns, at > 0));
  const widths = fitted(natural, least, room);
  const border = style.dim(widths.map((width) => "─".repeat(width)).join("─┼─"));
  const drawn = rows.map((row) => rowLines(row, widths, table.align, style));
  // Rows of several lines need a line between them.
  const apart = drawn.some((lines) => lines.length > 1);
  return [
    ...rowLines(header, widths, table.align, style),
    border,
    ...drawn.flatMap((lines, at) => (apart && at > 0 ? [border, ...lines] : lines)),
  ];
}

function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  align: Tokens.Table["align"],
  style: MarkdownStyle,
): string[] {
  const wrapped = widths.map((width, at) => wrapTextWithAnsi(cells[at] ?? "", width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, at) => aligned(wrapped[at]?.[line] ?? "", width, align[at] ?? null))
      .join(style.dim(GAP))
      .trimEnd(),
  );
}

function aligned(text: string, width: number, align: Tokens.Table["align"][number]): string {
  const free = Math.max(0, width - visibleWidth(text));
  const before = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(free - before)}`;
}

/** Wide columns give up room until all fit; a column that is narrower than its share keeps its width. */
function fitted(natural: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((width, at) => (width > (least[at] ?? 1) ? width : 0));
    const widestAt = spare.indexOf(Math.max(...spare));
    widths[widestAt] = (widths[widestAt] ?? 1) - 1;
  }
  return widths;
}

function recordLines(header: readonly string[], row: readonly string[], columns: number, apart: boolean): string[] {
  const lines = row.flatMap((cell, at) => wrapTextWithAnsi(`${header[at] ?? ""}: ${cell}`, Math.max(1, columns)));
  return apart ? ["", ...lines] : lines;
}

function widest(text: string): number {
  return Math.max(...text.split("\n").map(visibleWidth));
}

function longestWord(text: string): number {
  return Math.max(...text.split(/\s+/).map(visibleWidth));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
