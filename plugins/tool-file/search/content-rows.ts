import { FIELD } from "./run-rows.ts";
import type { MatchRow } from "./search-request.ts";

const MOST_CHARS = 500;

/**
 * Reads `path FIELD line:content` (a match) and `path FIELD line-content` (context). A row without a field belongs to the path of the
 * next one: its name holds a line end.
 */
export function parseContentRows(rows: readonly string[]): MatchRow[] {
  const matches: MatchRow[] = [];
  let broken = "";
  for (const row of rows) {
    const at = row.indexOf(FIELD);
    if (at === -1) {
      broken += `${row}\n`;
      continue;
    }
    const parsed = /^(\d+)[:-]([^]*)$/.exec(row.slice(at + 1));
    if (parsed !== null) matches.push({ path: broken + row.slice(0, at), line: Number(parsed[1]), content: parsed[2]!.replace(/\r$/, "").slice(0, MOST_CHARS) });
    broken = "";
  }
  return matches;
}

/** Reads `path FIELD count`. */
export function parseCountRows(rows: readonly string[]): { path: string; count: number }[] {
  let broken = "";
  return rows.flatMap((row) => {
    const at = row.lastIndexOf(FIELD);
    if (at === -1) {
      broken += `${row}\n`;
      return [];
    }
    const path = broken + row.slice(0, at);
    broken = "";
    return [{ path, count: Number(row.slice(at + 1)) }];
  });
}
