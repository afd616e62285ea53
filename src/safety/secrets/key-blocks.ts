import type { Span, Steps } from "./spans.ts";

/**
 * The lines of private keys: of each line the longest run of base64, so that line numbers, quotes and escapes around it
 * stay. Text about keys, such as a check for `-----BEGIN PRIVATE KEY-----`, has no such lines.
 */
export function* keyBlockSpans(text: string, found: Span[]): Steps<void> {
  let count = 0;
  for (let at = text.indexOf("-----BEGIN "); at !== -1; at = text.indexOf("-----BEGIN ", at + 11)) {
    const label = /^[A-Z0-9 ]{0,40}(?=-----)/.exec(text.slice(at + 11, at + 60))?.[0] ?? "";
    if (!label.includes("PRIVATE KEY")) continue;
    if (++count % 64 === 0) yield;
    keyLines(text, at + 11 + label.length + 5, `-----END ${label}-----`, found);
  }
}

/** A key of 16,384 bits has 200 lines. */
const MAX_LINES = 300;
const MAX_LINE = 8000;
const RUN = /[A-Za-z0-9+/=]+/g;
/** A line number before a line of a file. */
const GUTTER = /^[ \t]*\d+[|:-]/;
const HEADER = /^(?:\\[nr]|\W)*(?:[A-Z][A-Za-z]*-?[A-Z][A-Za-z]*: .*)?$/;

function keyLines(text: string, start: number, end: string, found: Span[]): void {
  let from = start;
  for (let count = 0; count < MAX_LINES && from < text.length; count++) {
    const newline = text.indexOf("\n", from);
    const next = text.indexOf("-----BEGIN ", from);
    const lineEnd = Math.min(...[newline, next, from + MAX_LINE, text.length].filter((at) => at !== -1));
    const whole = text.slice(from, lineEnd);
    const closing = whole.indexOf(end);
    const gutter = count === 0 ? 0 : (GUTTER.exec(whole)?.[0].length ?? 0);
    const line = closing === -1 ? whole.slice(gutter) : whole.slice(gutter, Math.max(gutter, closing));
    const first = count === 0;
    const run = longestRun(line);
    // The last line of a key may be short; one that is long or stands alone is of the key.
    if (run !== undefined && isKeyLine(line, run, first))
      found.push({ start: from + gutter + run.start, end: from + gutter + run.end, mask: "[REDACTED]" });
    else if (closing === -1 && !HEADER.test(line)) return;
    if (closing !== -1) return;
    from = lineEnd + 1;
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}

function longestRun(line: string): Run | undefined {
  let best: Run | undefined;
  for (const { index, 0: run } of line.matchAll(RUN)) {
    // The escape of a line break is no letter of the key.
    const start = index + (line[index - 1] === "\\" && /^[nr]/.test(run) ? 1 : 0);
    const end = index + run.length;
    if (end > start && (best === undefined || end - start > best.end - best.start)) best = { start, end };
  }
  return best;
}

/** Nothing but quotes and escapes is beside the run. */
function isKeyLine(line: string, { start, end }: Run, first: boolean): boolean {
  if (line.slice(start, end) === "REDACTED") return false;
  const rest = `${line.slice(0, start)}${line.slice(end)}`;
  return end - start >= (first ? 16 : 1) && /^(?:\\[nr]|[^A-Za-z0-9])*$/.test(rest);
}
