import { escapeDrift } from "./escape-drift.ts";
import { findMatch } from "./find-match.ts";
import { fitReplacement } from "./fit-replacement.ts";

export type Replaced =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number; readonly strategy: string }
  | { readonly kind: "missing" }
  | { readonly kind: "ambiguous"; readonly count: number; readonly strategy: string }
  | { readonly kind: "alike"; readonly count: number }
  | { readonly kind: "drift"; readonly escape: string };

/**
 * Replaces `old` by `fresh`, by the strictest strategy that finds it. Pure.
 * @param options.all Everywhere that says the same, spacing and quotes aside; otherwise more than one place is
 *   ambiguous.
 */
export function replace(text: string, old: string, fresh: string, options: { readonly all?: boolean } = {}): Replaced {
  const found = findMatch(text, old);
  if (found === undefined) return { kind: "missing" };
  const { spans, strategy, guessed } = found;
  // One likely place is shown in the diff and can be undone; many would rewrite a file of similar lines.
  if (spans.length > 1 && guessed && options.all === true) return { kind: "alike", count: spans.length };
  if (spans.length > 1 && options.all !== true) return { kind: "ambiguous", count: spans.length, strategy };
  const pieces: string[] = [];
  let at = 0;
  let count = 0;
  for (const { start, end } of spans) {
    if (start < at) continue;
    const matched = text.slice(start, end);
    const escape = strategy === "exact" ? undefined : escapeDrift(matched, old, fresh);
    if (escape !== undefined) return { kind: "drift", escape };
    pieces.push(text.slice(at, start), fitReplacement(strategy, matched, old, fresh));
    at = end;
    count++;
  }
  pieces.push(text.slice(at));
  return { kind: "replaced", text: pieces.join(""), count, strategy };
}
