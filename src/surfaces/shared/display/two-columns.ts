import { width } from "./width.ts";
import { wrap } from "./wrap.ts";

export interface Row {
  readonly head: string;
  readonly text: string;
}

/**
 * Heads and texts in two columns; a head that is too long goes above its text. Groups share the columns, with an
 * empty line between.
 */
export function twoColumns(groups: readonly (readonly Row[])[], columns = Infinity): string {
  const heads = groups.flat().map(({ head }) => width(head));
  const left = Math.floor(Math.min(Math.max(0, ...heads), columns / 3));
  return groups
    .map((rows) => rows.flatMap(({ head, text }) => lines(head, text, left, columns)).join("\n"))
    .join("\n\n");
}

function lines(head: string, text: string, left: number, columns: number): readonly string[] {
  const gap = " ".repeat(left + 2);
  const [first = "", ...rest] = wrap(text, columns - left - 2);
  const above = width(head) > left;
  const beside = above ? [head, `${gap}${first}`] : [`${head}${gap.slice(width(head))}${first}`];
  return [...beside, ...rest.map((line) => `${gap}${line}`)].map((line) => line.trimEnd());
}
