import { isBlank } from "./indentation.ts";
import { collapseBlanks } from "./quoted-ranges.ts";
import { toAscii } from "./unicode-normalized.ts";

/** How the lines of a new text follow from those of the old one. */
export type LineChange =
  | { readonly kind: "keep"; readonly old: number; readonly fresh: number }
  | { readonly kind: "remove"; readonly old: number }
  | { readonly kind: "add"; readonly fresh: number };

/** Beyond this number of pairs, lines between the common beginning and end count as changed. */
const MAX_PAIRS = 1_000_000;

/** The shortest way from one list of lines to the other; blanks and typographic characters make no difference. */
export function lineChanges(old: readonly string[], fresh: readonly string[]): LineChange[] {
  const a = old.map(keyOf);
  const b = fresh.map(keyOf);
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const changes: LineChange[] = [];
  for (let at = 0; at < head; at++) changes.push({ kind: "keep", old: at, fresh: at });
  changes.push(...middleChanges(a, b, head, tail));
  for (let at = tail; at > 0; at--) changes.push({ kind: "keep", old: a.length - at, fresh: b.length - at });
  return changes;
}

function middleChanges(a: readonly string[], b: readonly string[], head: number, tail: number): LineChange[] {
  const rows = a.length - tail - head;
  const columns = b.length - tail - head;
  const changes: LineChange[] = [];
  const common = rows * columns <= MAX_PAIRS ? commonLines(a, b, head, rows, columns) : undefined;
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    const at = i * (columns + 1) + j;
    if (common !== undefined && i < rows && j < columns && a[head + i] === b[head + j]) {
      changes.push({ kind: "keep", old: head + i++, fresh: head + j++ });
    } else if (i < rows && (j === columns || common === undefined || common[at + columns + 1]! >= common[at + 1]!)) {
      changes.push({ kind: "remove", old: head + i++ });
    } else changes.push({ kind: "add", fresh: head + j++ });
  }
  return changes;
}

/** For each pair of positions, the length of the longest common sequence of lines after it. */
function commonLines(
  a: readonly string[],
  b: readonly string[],
  head: number,
  rows: number,
  columns: number,
): Uint32Array {
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      common[at] =
        a[head + i] === b[head + j] ? common[at + width + 1]! + 1 : Math.max(common[at + width]!, common[at + 1]!);
    }
  }
  return common;
}

function keyOf(line: string): string {
  return isBlank(line) ? "" : collapseBlanks(toAscii(line).trim());
}
