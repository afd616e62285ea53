import { stripVTControlCharacters } from "node:util";

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
  return width(flat) <= to ? flat : `${[...stripVTControlCharacters(flat)].slice(0, to - 1).join("")}…`;
}

/** Columns a text takes; wide East Asian characters and emoji count two. */
export function width(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(text)) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x300 && code <= 0x36f)) continue;
    columns += (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) || code >= 0x1f300 ? 2 : 1;
  }
  return columns;
}
