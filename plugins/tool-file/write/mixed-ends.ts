/**
 * The lines of a text with mixed line ends, and which of them end in CRLF. Text after the last line end is a line too.
 */
export interface MixedEnds {
  readonly lines: readonly string[];
  readonly crlf: readonly boolean[];
}

/** Beyond this number of changed lines, lines are not compared one by one, because the cost is quadratic. */
const MAX_EDITS = 1_500;

export function readEnds(raw: string): MixedEnds {
  const lines = raw.split("\n");
  const crlf = lines.map((line, at) => at < lines.length - 1 && line.endsWith("\r"));
  return { lines: lines.map((line, at) => (crlf[at] === true ? line.slice(0, -1) : line)), crlf };
}

/**
 * Applies the previous line ends to a changed text: an unchanged line keeps its own, a changed line gets that of the
 * line it replaces, and any other line gets the most common one.
 * @param text With LF line ends only.
 */
export async function withOwnEnds(text: string, was: MixedEnds, mostly: boolean): Promise<string> {
  const lines = text.split("\n");
  const crlf = await endsOf(lines, was, mostly);
  return lines
    .map((line, at) => (at === lines.length - 1 ? line : `${line}${crlf[at] === true ? "\r" : ""}\n`))
    .join("");
}

async function endsOf(lines: readonly string[], was: MixedEnds, mostly: boolean): Promise<readonly boolean[]> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays([...was.lines], [...lines], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return lines.map(() => mostly);
  const ends: boolean[] = [];
  let at = 0;
  let replaced: readonly boolean[] = [];
  for (const { added, removed, value } of changes) {
    if (added) {
      for (const index of value.keys()) ends.push(replaced[index] ?? mostly);
      replaced = [];
      continue;
    }
    const own = was.crlf.slice(at, at + value.length);
    at += value.length;
    if (removed) replaced = own;
    else {
      ends.push(...own);
      replaced = [];
    }
  }
  return ends;
}
