/** A line's indentation as the edit wrote it, and as the matched line of the file has it. */
export interface Indent {
  /** Index of the line in the old text. */
  readonly at: number;
  readonly written: string;
  readonly real: string;
}

export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

const TAB_COLUMNS = 8;

/** Columns of an indentation. Tabs reach to the next multiple of eight. */
export function widthOf(indent: string): number {
  let columns = 0;
  for (const character of indent) columns += character === "\t" ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  return columns;
}

export function readIndents(old: readonly string[], there: readonly string[]): Indent[] {
  return old.flatMap((line, at) =>
    isBlank(line) || isBlank(there[at] ?? "") ? [] : [{ at, written: indentOf(line), real: indentOf(there[at]!) }],
  );
}

/** Whether lines that are equally deep in one are equally deep in the other, and deeper lines are deeper. */
export function isSameLayout(indents: readonly Indent[]): boolean {
  const sorted = indents
    .map(({ written, real }) => ({ written: widthOf(written), real: widthOf(real) }))
    .sort((a, b) => a.written - b.written);
  return sorted.every((indent, index) => {
    const previous = sorted[index - 1];
    if (previous === undefined) return true;
    return indent.written === previous.written ? indent.real === previous.real : indent.real > previous.real;
  });
}

/** Whether an edit wrote all of its lines without the nesting that the file has. */
export function isFlat(indents: readonly Indent[]): boolean {
  const levels = (side: "written" | "real"): number => new Set(indents.map((indent) => widthOf(indent[side]))).size;
  return levels("written") === 1 && levels("real") > 1;
}

/**
 * Whether only the first line lost its indentation, as when a text was copied from its first visible character: the
 * other lines show where they really are.
 */
export function isFirstStripped(indents: readonly Indent[]): boolean {
  const [first, ...others] = indents;
  if (first === undefined || first.at !== 0 || first.written !== "" || first.real === "" || others.length === 0)
    return false;
  return others.every(({ written, real }) => written === real) || !isSameLayout(indents);
}

const BY_INDENTATION =
  /(?:\.(?:py|pyi|pyx|ya?ml|mk|make|md|mdx|markdown|rst|coffee|haml|pug|jade|slim|sass|styl|nim|fsx?|hs|elm)|(?:^|\/)(?:GNU)?[Mm]akefile(?:\.[\w.-]+)?)$/i;

/** Whether the indentation of a file's lines has a meaning, by its name. */
export function readsIndentation(path: string | undefined): boolean {
  return path !== undefined && BY_INDENTATION.test(path);
}
