import { foldWithOrigins, toAscii } from "./unicode-normalized.ts";

/**
 * Makes the new text fit what was really matched when that was not literally the old text: the file's indentation
 * instead of the model's, the file's typographic characters where the model left a piece unchanged, real tabs where the
 * region has them.
 */
export function fitReplacement(strategy: string, matched: string, old: string, fresh: string): string {
  if (strategy === "exact") return fresh;
  let fitted = fresh;
  if (strategy === "unicode_normalized") fitted = keepCharacters(matched, old, fitted);
  return realControls(matched, old, reindent(matched, old, fitted));
}

/** Swaps the base indentation of `old` for that of `matched`, line by line. Blank lines stay. */
export function reindent(matched: string, old: string, fresh: string): string {
  const from = baseIndent(old);
  const to = baseIndent(matched);
  if (from === to) return fresh;
  return fresh
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line;
      if (line.startsWith(from)) return to + line.slice(from.length);
      return to + line.trimStart();
    })
    .join("\n");
}

function baseIndent(text: string): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return line.slice(0, line.length - line.trimStart().length);
}

/**
 * `\t` and `\r` written as two characters become real ones where the matched text has real ones and the old text had
 * none: a model that can write a tab means the two characters when it writes them. `\n` is never changed.
 */
function realControls(matched: string, old: string, fresh: string): string {
  let text = fresh;
  for (const [written, real] of [
    ["\\t", "\t"],
    ["\\r", "\r"],
  ] as const) {
    if (matched.includes(real) && !matched.includes(written) && !old.includes(real))
      text = text.replaceAll(written, real);
  }
  return text;
}

/** Pieces of the new text that stand at the head or tail of the old one keep the file's own characters. */
function keepCharacters(matched: string, old: string, fresh: string): string {
  const { folded, origin } = foldWithOrigins(matched);
  const oldFolded = toAscii(old);
  if (folded !== oldFolded) return keepWords(matched, fresh);
  const freshFolded = toAscii(fresh);
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
  return matched.slice(0, origin[head]) + keepWords(matched, middle) + matched.slice(origin[folded.length - tail]);
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
