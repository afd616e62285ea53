import { lineStart, type Found } from "./find-match.ts";
import { fitLines } from "./fit-lines.ts";
import { lineChanges, type LineChange } from "./line-changes.ts";
import type { Span } from "./span.ts";
import { foldWithOrigins, toAscii } from "./unicode-normalized.ts";

/** One place of a file that an edit changes: its new text. */
export interface Replacement extends Span {
  readonly text: string;
}

/**
 * Makes the new text fit what was matched when that was not literally the old text: lines that the edit does not change
 * keep the file's bytes, the others get the file's indentation and typographic characters.
 * @param changes How the new lines follow from the old ones, if the edit says it.
 */
export function fitReplacement(
  text: string,
  { strategy, wanted }: Pick<Found, "strategy" | "wanted">,
  { start, end }: Span,
  fresh: string,
  changes?: readonly LineChange[],
): Replacement {
  if (strategy === "exact" && changes === undefined) return { start, end, text: fresh };
  if (fresh === "") return { start, end, text: "" };
  const before = text.slice(lineStart(text, start), start);
  const from = before.trim() === "" ? start - before.length : start;
  const matched = text.slice(from, end);
  // At the end of a file without a final newline, the edit adds none.
  const open = wanted.endsWith("\n") && !matched.endsWith("\n");
  const [old, now] = open ? [wanted.slice(0, -1), fresh.replace(/\n$/, "")] : [wanted, fresh];
  const there = matched.split("\n");
  const lines = { old: old.split("\n"), fresh: now.split("\n") };
  if (there.length !== lines.old.length) return { start, end, text: fresh };
  const keep = strategy === "unicode_normalized";
  const fitted = fitLines({
    there,
    ...lines,
    changes: changes ?? lineChanges(lines.old, lines.fresh),
    partial: before.trim() !== "",
    adapt: (line, at) =>
      !keep
        ? line
        : at === undefined
          ? keepWords(matched, line)
          : keepCharacters(there[at]!, lines.old[at]!, line, matched),
  });
  return { start: from, end, text: fitted.join("\n") };
}

/** Pieces of a new line at the head or tail of the old one keep the file's characters. */
function keepCharacters(there: string, old: string, fresh: string, matched: string): string {
  const line = there.trim();
  const { folded, origin } = foldWithOrigins(line);
  const oldFolded = toAscii(old).trim();
  const freshFolded = toAscii(fresh);
  if (folded !== oldFolded) return keepWords(matched, fresh);
  const most = Math.min(oldFolded.length, freshFolded.length);
  let head = 0;
  while (head < most && oldFolded[head] === freshFolded[head]) head++;
  let tail = 0;
  while (tail < most - head && oldFolded.at(-1 - tail) === freshFolded.at(-1 - tail)) tail++;
  // Never cut a folded character (an ellipsis is three dots) in two.
  while (head > 0 && origin[head] === origin[head - 1]) head--;
  while (tail > 0 && origin[folded.length - tail] === origin[folded.length - tail - 1]) tail--;
  const { folded: checked, origin: freshOrigin } = foldWithOrigins(fresh);
  const middle = fresh.slice(freshOrigin[head], freshOrigin[checked.length - tail]);
  return line.slice(0, origin[head]) + keepWords(matched, middle) + line.slice(origin[folded.length - tail]);
}

/** A word of the new text that the region writes with typographic characters is written as there. */
function keepWords(matched: string, fresh: string): string {
  const theirs = new Map<string, string>();
  for (const word of matched.split(/[ \t\n]+/)) {
    const plain = toAscii(word);
    if (plain !== word) theirs.set(plain, word);
  }
  if (theirs.size === 0) return fresh;
  return fresh
    .split(/([ \t\n]+)/)
    .map((word) => theirs.get(word) ?? word)
    .join("");
}
