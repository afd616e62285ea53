const SMALL_ENOUGH = 2_000_000;

/** A unified diff of one file. A side that is `undefined` is `/dev/null`. "" when nothing differs. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  const name = path.replace(/^\/+/, "");
  const from = before === undefined ? "/dev/null" : `a/${name}`;
  const to = after === undefined ? "/dev/null" : `b/${name}`;
  if (before === after) return "";
  const header = `--- ${from}\n+++ ${to}\n`;
  if ((before?.length ?? 0) + (after?.length ?? 0) > SMALL_ENOUGH) return header;
  const { structuredPatch } = await import("diff");
  // Comparing very different texts is quadratic, so beyond this number of edits only the sizes are shown.
  const patch = structuredPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
    maxEditLength: 1_500,
  });
  if (patch === undefined) return `${header}@@ rewritten: ${countLines(before)} lines became ${countLines(after)} @@\n`;
  // Bytes that are not UTF-8 are shown as such.
  return (
    header +
    patch.hunks
      .map(
        (hunk) =>
          `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n${hunk.lines.join("\n")}\n`,
      )
      .join("")
      .toWellFormed()
  );
}

function range(start: number, lines: number): string {
  if (lines === 0) return `${start - 1 < 0 ? 0 : start - 1},0`;
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

function countLines(text: string | undefined): number {
  return text === undefined || text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
