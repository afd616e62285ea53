import { escapeDrift } from "./escape-drift.ts";
import { unescapeNew } from "./escape-normalized.ts";
import { findMatch, type MatchOptions } from "./find-match.ts";
import { bringsGutter, readGutter, stripGutter } from "./gutter.ts";
import type { Span } from "./span.ts";

/** Why an edit is refused although its place may exist. */
export type EditFault =
  | { readonly kind: "missing" }
  /** The new text keeps an escape that the file does not have. */
  | { readonly kind: "drift"; readonly escape: string }
  /** Line numbers of a reading tool are in the old or the new text, and not on every line of both. */
  | { readonly kind: "gutter" };

export interface Located {
  readonly kind: "located";
  readonly strategy: string;
  /** The old and the new text without line numbers and escapes that are not in the file. */
  readonly wanted: string;
  readonly fresh: string;
  /** Line numbers were removed from both. */
  readonly stripped: boolean;
  readonly spans: readonly Span[];
}

/** Finds where an edit belongs, and reads both of its texts as the file is written. */
export function locate(text: string, old: string, fresh: string, options: MatchOptions = {}): Located | EditFault {
  const found = locatePlain(text, old, fresh, options);
  if (found.kind !== "missing") {
    const { start, end } = found.kind === "located" ? found.spans[0]! : { start: 0, end: 0 };
    return found.kind === "located" && bringsGutter(text, text.slice(start, end), start, fresh)
      ? { kind: "gutter" }
      : found;
  }
  const gutter = readGutter(old);
  if (gutter.on === "none") return found;
  const both = gutter.on === "all" && (fresh === "" || readGutter(fresh).on === "all");
  if (!both) return { kind: "gutter" };
  const bare = locatePlain(text, stripGutter(old), stripGutter(fresh), options);
  if (bare.kind !== "located") return bare;
  const strategy = bare.strategy === "exact" ? "line_numbers_removed" : `line_numbers_removed, ${bare.strategy}`;
  return { ...bare, strategy, stripped: true };
}

function locatePlain(text: string, old: string, fresh: string, options: MatchOptions): Located | EditFault {
  const found = old === "" ? undefined : findMatch(text, old, options);
  if (found === undefined) return { kind: "missing" };
  const { strategy, wanted, spans } = found;
  if (strategy === "exact") return { kind: "located", strategy, wanted, fresh, stripped: false, spans };
  const matched = spans.map(({ start, end }) => text.slice(start, end)).join("\n");
  const escape = escapeDrift(matched, old, fresh);
  if (escape !== undefined) return { kind: "drift", escape };
  const read = wanted === old ? { text: fresh } : unescapeNew(matched, old, fresh);
  return "drift" in read
    ? { kind: "drift", escape: read.drift }
    : { kind: "located", strategy, wanted, fresh: read.text, stripped: false, spans };
}
