import { stripVTControlCharacters } from "node:util";

/** The columns of a text; wide East Asian characters and emoji count two. */
export function width(text: string): number {
  let columns = 0;
  let last = 0;
  for (const character of stripVTControlCharacters(text)) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0xfe0f && last === 1) columns += 1; // The selector makes it an emoji: ⚙️.
    if (code === 0xfe0f) last = 0;
    if (code >= 0x300 && NO_COLUMN.test(character)) continue;
    last = code >= 0x1100 && isWide(character, code) ? 2 : 1;
    columns += last;
  }
  return columns;
}

/** Combining marks, joiners and variation selectors. */
const NO_COLUMN = /^[\p{Mn}\p{Me}\u200b-\u200f\u2060]$/u;
const DRAWN_AS_EMOJI = /^\p{Emoji_Presentation}$/u;

function isWide(character: string, code: number): boolean {
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return false; // Two of them are one flag.
  if (code <= 0x115f || code >= 0x1f300) return true;
  if (code < 0x2e80 || code >= 0x1f000) return DRAWN_AS_EMOJI.test(character); // ⏰ ✅ 🀄, not → or ✓.
  return (
    code <= 0xa4cf ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60)
  );
}

/** Cuts plain text to a number of columns, with `…`. */
export function cutTo(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let shown = "";
  let used = 0;
  for (const character of text) {
    used += width(character);
    if (used > columns - 1) break;
    shown += character;
  }
  return `${shown}…`;
}
