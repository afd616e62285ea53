import { stripVTControlCharacters } from "node:util";

/** Columns a text takes; wide East Asian characters and emoji count two. */
export function width(text: string): number {
  let columns = 0;
  let last = 0;
  for (const character of stripVTControlCharacters(text)) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0xfe0f && last === 1) columns += 1; // Drawn as an emoji from here on: ⚙️.
    if (code === 0xfe0f) last = 0;
    if (code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x300 && code <= 0x36f)) continue;
    last = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) || code === 0x26a1 || code >= 0x1f300 ? 2 : 1;
    columns += last;
  }
  return columns;
}

/** Plain text, cut to a number of columns with `…`. */
export function cutTo(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += width(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
