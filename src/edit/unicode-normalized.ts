import { findAll } from "./exact.ts";
import { findWindows } from "./line-windows.ts";
import { collapseBlanks } from "./quoted-ranges.ts";
import type { Span, Strategy } from "./span.ts";

const ASCII: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u201b": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u201f": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "--",
  "\u2015": "--",
  "\u2212": "-",
  "\u2026": "...",
  "\u00a0": " ",
  ...Object.fromEntries(Array.from({ length: 11 }, (_, at) => [String.fromCharCode(0x2000 + at), " "])),
  "\u202f": " ",
  "\u205f": " ",
  "\u3000": " ",
  "\uff02": '"',
  "\uff07": "'",
};
const SPECIAL = /[\u2018-\u201f\u2010-\u2015\u2212\u2026\u00a0\u2000-\u200a\u202f\u205f\u3000\uff02\uff07]/g;

/**
 * Finds the old text after smart quotes, dashes, ellipses and special spaces are written in ASCII, line by line trimmed
 * if need be.
 */
export const unicodeNormalized: Strategy = {
  name: "unicode_normalized",
  find(text, wanted) {
    const meant = toAscii(wanted);
    // Worth a try only when one of the two has such characters.
    if (meant === wanted && text.search(SPECIAL) === -1) return [];
    const { folded, origin } = foldWithOrigins(text);
    const direct = findAll(folded, meant)
      // A match may not begin or end inside an ellipsis or a dash.
      .filter((span) => startsCharacter(origin, span.start) && startsCharacter(origin, span.end))
      .map((span): Span => ({ start: origin[span.start]!, end: origin[span.end]! }));
    return direct.length > 0 ? direct : findWindows(text, wanted, (line) => collapseBlanks(toAscii(line).trim()));
  },
};

export function toAscii(text: string): string {
  return text.replace(SPECIAL, (character) => ASCII[character] ?? character);
}

/** `origin[i]` is the position in the text of the character behind folded position i; one more entry for the end. */
export function foldWithOrigins(text: string): { folded: string; origin: Uint32Array } {
  const folded = toAscii(text);
  const origin = new Uint32Array(folded.length + 1);
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const width = (ASCII[text[index]!] ?? text[index]!).length;
    for (let step = 0; step < width; step++) origin[at++] = index;
  }
  origin[at] = text.length;
  return { folded, origin };
}

function startsCharacter(origin: Uint32Array, at: number): boolean {
  return at === 0 || origin[at] !== origin[at - 1];
}
