import type { Span } from "./span.ts";

/** A text cut into lines, with where each begins. */
export interface Lines {
  readonly lines: readonly string[];
  readonly starts: readonly number[];
}

/** The lines to search for. `closed`: they end with a newline, which a match includes. */
export interface WantedLines {
  readonly lines: readonly string[];
  readonly closed: boolean;
}

let last: { text: string; cut: Lines } | undefined;

/** Cutting is remembered for the newest text: nine strategies ask for the same one. */
export function cutLines(text: string): Lines {
  if (last?.text === text) return last.cut;
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const cut = { lines, starts };
  // A large text is not worth holding on to.
  last = text.length <= 4_000_000 ? { text, cut } : undefined;
  return cut;
}

export function wantedLines(wanted: string): WantedLines {
  const closed = wanted.length > 1 && wanted.endsWith("\n");
  return { lines: (closed ? wanted.slice(0, -1) : wanted).split("\n"), closed };
}

/** The span of `count` whole lines from line `first`; without the last newline unless the wanted text had one. */
export function spanOfLines(text: string, cut: Lines, first: number, count: number, closed: boolean): Span {
  const lastLine = first + count - 1;
  const end = cut.starts[lastLine]! + cut.lines[lastLine]!.length;
  return { start: cut.starts[first]!, end: closed ? Math.min(end + 1, text.length) : end };
}

/** Windows whose every line equals the wanted one after `normalize`. */
export function findWindows(text: string, wanted: string, normalize: (line: string) => string): Span[] {
  const cut = cutLines(text);
  const goal = wantedLines(wanted);
  const wantedNormal = goal.lines.map(normalize);
  if (wantedNormal.every((line) => line.trim() === "")) return [];
  const normal = cut.lines.map(normalize);
  const spans: Span[] = [];
  for (let first = 0; first + wantedNormal.length <= normal.length; first++) {
    if (!startsAt(normal, wantedNormal, first)) continue;
    spans.push(spanOfLines(text, cut, first, wantedNormal.length, goal.closed));
    first += wantedNormal.length - 1;
  }
  return spans;
}

function startsAt(lines: readonly string[], wanted: readonly string[], first: number): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (lines[first + index] !== wanted[index]) return false;
  }
  return true;
}
