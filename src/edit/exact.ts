import type { Span, Strategy } from "./span.ts";

/** The very same characters. */
export const exact: Strategy = { name: "exact", find: findAll };

/** Every occurrence, from the left, without overlap. */
export function findAll(text: string, wanted: string): Span[] {
  if (wanted === "") return [];
  const spans: Span[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + wanted.length)) {
    spans.push({ start, end: start + wanted.length });
  }
  return spans;
}
