import type { MatchOptions } from "./find-match.ts";
import { fitReplacement } from "./fit-replacement.ts";
import { locate, type EditFault } from "./locate.ts";

export type Replaced =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number; readonly strategy: string }
  | { readonly kind: "ambiguous"; readonly count: number; readonly strategy: string }
  | EditFault;

/**
 * Replaces `old` by `fresh`, by the strictest strategy that finds it. Pure.
 * @param options.all Everywhere that says the same, spacing and quotes aside; otherwise more than one place is
 *   ambiguous.
 */
export function replace(
  text: string,
  old: string,
  fresh: string,
  options: Pick<MatchOptions, "path"> & { readonly all?: boolean } = {},
): Replaced {
  const located = locate(text, old, fresh, { path: options.path });
  if (located.kind !== "located") return located;
  const { spans, strategy } = located;
  if (spans.length > 1 && options.all !== true) return { kind: "ambiguous", count: spans.length, strategy };
  const pieces: string[] = [];
  let at = 0;
  let count = 0;
  for (const span of spans) {
    if (span.start < at) continue;
    const { start, end, text: piece } = fitReplacement(text, located, span, located.fresh);
    pieces.push(text.slice(at, start), piece);
    at = end;
    count++;
  }
  pieces.push(text.slice(at));
  return { kind: "replaced", text: pieces.join(""), count, strategy };
}
