import { beginningOf } from "../read/truncate-text.ts";
import { FIELD } from "./run-rows.ts";
import type { MatchRow } from "./search-request.ts";

const MAX_CHARS = 500;

/** Parses `path FIELD line:content` (a match) and `path FIELD line-content` (context). */
export function parseContentRows(rows: readonly string[]): MatchRow[] {
  return rows.flatMap((row) => {
    const at = row.indexOf(FIELD);
    const parsed = /^(\d+)[:-]([^]*)$/.exec(row.slice(at + 1));
    if (at === -1 || parsed === null) return [];
    return [
      {
        path: row.slice(0, at),
        line: Number(parsed[1]),
        content: beginningOf(parsed[2]!.replaceAll(FIELD, "").replace(/\r$/, ""), MAX_CHARS),
      },
    ];
  });
}

/** Parses `path FIELD count`. */
export function parseCountRows(rows: readonly string[]): { path: string; count: number }[] {
  return rows.flatMap((row) => {
    const at = row.lastIndexOf(FIELD);
    return at === -1 ? [] : [{ path: row.slice(0, at), count: Number(row.slice(at + 1)) }];
  });
}
