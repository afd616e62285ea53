const GUTTER = /^[ \t]*(\d+)\|/;

/** The line numbers that a reading tool puts before each line (`12|text`), as an edit copied them. */
export interface Gutter {
  /** `all`: each line has a number; an empty last line needs none. */
  readonly on: "all" | "some" | "none";
  readonly numbers: readonly number[];
}

export function readGutter(text: string): Gutter {
  const lines = contentLines(text);
  const numbers = lines.flatMap((line) => {
    const number = GUTTER.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return { on: numbers.length === 0 ? "none" : numbers.length === lines.length ? "all" : "some", numbers };
}

export function stripGutter(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(GUTTER, ""))
    .join("\n");
}

/**
 * Whether a new text brings line numbers into a place that has none: they are the place's own numbers, or several
 * lines are numbered in a row.
 */
export function bringsGutter(text: string, matched: string, at: number, fresh: string): boolean {
  const { on, numbers } = readGutter(fresh);
  if (on !== "all" || readGutter(matched).on !== "none") return false;
  const first = numbers[0]!;
  if (!numbers.every((number, index) => number === first + index)) return false;
  const line = text.slice(0, at).split("\n").length;
  return first === line || (numbers.length > 1 && !/^[ \t]*\d+\|/m.test(text));
}

function contentLines(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
