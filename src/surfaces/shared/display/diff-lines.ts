import { languageOf, type PreviewLine } from "./preview-line.ts";
import { printable } from "./printable.ts";

/** `@@ -12,5 +12,7 @@`; a count that is left out is 1. */
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Position {
  old: number;
  fresh: number;
  /** Lines of the hunk that follow, so that a removed `-- x` is not taken for the header of a file. */
  oldLeft: number;
  freshLeft: number;
}

/**
 * The lines of a unified diff with the numbers that they have in the file: removed lines those of the old file, all
 * others those of the new one. A diff of several files names each file; `⋮` stands between hunks of one file.
 *
 * @param namesOne Names the file also where it is the only one; default: its name is shown elsewhere.
 */
export function diffLines(diff: string, namesOne = false): readonly PreviewLine[] {
  const rows = diff.trimEnd().split("\n");
  const width = String(Math.max(1, ...rows.map(lastNumber))).length;
  const lines: PreviewLine[] = [];
  const names: PreviewLine[] = [];
  let at: Position = { old: 0, fresh: 0, oldLeft: 0, freshLeft: 0 };
  let hunksOfFile = 0;
  let language = "";
  for (const row of rows) {
    const hunk = HUNK.exec(row);
    if (at.oldLeft > 0 || at.freshLeft > 0) {
      const line = hunkLine(row, at, width, language);
      if (line !== undefined) lines.push(line);
    } else if (hunk !== null) {
      if (hunksOfFile++ > 0) lines.push({ kind: "plain", text: `${" ".repeat(width - 1)}⋮` });
      const [, old, oldCount = "1", fresh, freshCount = "1"] = hunk;
      at = { old: Number(old), fresh: Number(fresh), oldLeft: Number(oldCount), freshLeft: Number(freshCount) };
    } else if (row.startsWith("+++ ")) {
      hunksOfFile = 0;
      const name: PreviewLine = { kind: "plain", text: printable(row.slice(4).split("\t")[0]!.replace(/^b\//, "")) };
      language = languageOf(name.text);
      names.push(name);
      lines.push(name);
    } else if (!row.startsWith("--- ") && !row.startsWith("\\") && row !== "")
      lines.push({ kind: "plain", text: printable(row) });
  }
  return names.length > 1 || namesOne ? lines : lines.filter((line) => line !== names[0]);
}

/** The highest line number of a hunk, by its header; 0 for another row. */
function lastNumber(row: string): number {
  const [, old, oldCount = "1", fresh, freshCount = "1"] = HUNK.exec(row) ?? [];
  return old === undefined ? 0 : Math.max(Number(old) + Number(oldCount), Number(fresh) + Number(freshCount)) - 1;
}

function hunkLine(row: string, at: Position, width: number, language: string): PreviewLine | undefined {
  const numbered = (kind: PreviewLine["kind"], number: number, sign: string): PreviewLine => ({
    kind,
    text: printable(`${String(number).padStart(width)} ${sign} ${row.slice(1)}`.trimEnd()),
    code: { at: width + 3, language },
  });
  if (row.startsWith("+")) {
    at.freshLeft--;
    return numbered("added", at.fresh++, "+");
  }
  if (row.startsWith("-")) {
    at.oldLeft--;
    return numbered("removed", at.old++, "-");
  }
  if (row.startsWith("\\")) return undefined; // "\ No newline at end of file"
  at.oldLeft--;
  at.freshLeft--;
  at.old++;
  return numbered("plain", at.fresh++, " ");
}
