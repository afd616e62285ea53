import { stripVTControlCharacters } from "node:util";
import { printable } from "./printable.ts";
import { cutTo, width } from "../width.ts";

/** Rows as aligned columns under a header. The last column takes what is left of `columns` and is cut with `…`. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], columns: number, dim: (text: string) => string = (text) => text): string {
  const all = [header, ...rows];
  const widths = header.map((_, index) => Math.max(...all.map((row) => width(row[index] ?? ""))));
  const fixed = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const last = Math.max(12, columns - fixed);
  const lines = all.map((row) => row.map((cell, index) => (index === header.length - 1 ? cut(cell, last) : pad(cell, widths[index] ?? 0))).join("  ").trimEnd());
  return [dim(lines[0] ?? ""), ...lines.slice(1)].map((line) => `${line}\n`).join("");
}

function pad(cell: string, to: number): string {
  return cell + " ".repeat(Math.max(0, to - width(cell)));
}

function cut(cell: string, to: number): string {
  const flat = cell.replaceAll(/\s+/g, " ");
  return width(flat) <= to ? flat : cutTo(printable(stripVTControlCharacters(flat)), to);
}
