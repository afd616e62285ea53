import { stripVTControlCharacters } from "node:util";
import type { Io } from "../process/io.ts";
import { printable } from "./printable.ts";
import { cutTo, width } from "./width.ts";

const MIN_LAST = 20;
const BELOW = "    ";

/** A table on stdout: cut at the width of a terminal, but complete in a pipe. */
export function tableOn(io: Io, header: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(header, rows, io.outIsTerminal ? io.columns : Infinity, (text) => io.styleOut("dim", text));
}

/**
 * Rows as aligned columns under a header. The last column gets the rest of `columns` and is cut with `…`; if too
 * little is left, it goes below its row.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  dim: (text: string) => string = (text) => text,
): string {
  const all = [header, ...rows];
  const widths = header.map((_, index) => Math.max(...all.map((row) => width(row[index] ?? ""))));
  const fixed = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const below = columns - fixed < MIN_LAST;
  const lines = all.flatMap((row) => {
    const first = row
      .slice(0, header.length - 1)
      .map((cell, index) => pad(cell, widths[index] ?? 0))
      .join("  ");
    const last = row[header.length - 1] ?? "";
    return below
      ? [cutTo(first.trimEnd(), columns), `${BELOW}${cut(last, columns - BELOW.length)}`]
      : [`${first}${header.length > 1 ? "  " : ""}${cut(last, columns - fixed)}`];
  });
  const heads = below ? 2 : 1;
  return lines
    .map((line, index) => (index < heads ? dim(line.trimEnd()) : line.trimEnd()))
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

function pad(cell: string, to: number): string {
  return cell + " ".repeat(Math.max(0, to - width(cell)));
}

function cut(cell: string, to: number): string {
  const flat = cell.replaceAll(/\s+/g, " ");
  return width(flat) <= to ? flat : cutTo(printable(stripVTControlCharacters(flat)), to);
}
