/** Ends a line of a page that is longer than shown. */
export const CUT_MARK = "... [truncated]";

/**
 * Whether a new text has lines that a read has cut: written to the file, they would lose the rest. A file may have such
 * lines itself.
 */
export function bringsCutLines(before: string | undefined, after: string): boolean {
  if (!after.includes(CUT_MARK)) return false;
  const known = new Set(before?.split("\n").filter(isCut));
  return after.split("\n").some((line) => isCut(line) && !known.has(line));
}

/** What the model learns about such a text. */
export const CUT_LINES = {
  message: `A line ends with "${CUT_MARK}", the mark of read_file for a line that it has cut; nothing was changed.`,
  hint: "Read the rest of the line with column, then write the whole line; or change a part of it with patch.",
} as const;

function isCut(line: string): boolean {
  return line.trimEnd().endsWith(CUT_MARK);
}
