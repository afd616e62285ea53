/** Ranges of a line that are inside quotes, the quotes included. */
export function quotedRanges(line: string): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (let at = 0; at < line.length; at++) {
    const quote = line[at]!;
    if (quote === "\\") at++;
    else if (quote === '"' || quote === "`" || (quote === "'" && !isWord(line[at - 1]))) {
      const end = closingQuote(line, at);
      if (end === undefined) continue;
      ranges.push([at, end + 1]);
      at = end;
    }
  }
  return ranges;
}

/** The line with each run of blanks as one space, except inside quotes, where blanks are part of a value. */
export function collapseBlanks(line: string): string {
  let collapsed = "";
  let at = 0;
  for (const [from, to] of [...quotedRanges(line), [line.length, line.length] as const]) {
    collapsed += line.slice(at, from).replace(BLANKS, " ") + line.slice(from, to);
    at = to;
  }
  return collapsed;
}

const BLANKS = /[ \t]+/g;

function closingQuote(line: string, from: number): number | undefined {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === "\\") at++;
    // An apostrophe inside a word closes nothing.
    else if (line[at] === line[from] && !(line[at] === "'" && isWord(line[at + 1]))) return at;
  }
  return undefined;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
