import type { Span } from "./spans.ts";
import { lineSpans } from "./spans.ts";

/** The lines of private keys. A cut block hides all that follows of it. */
export function keyBlockSpans(text: string, found: Span[]): void {
  for (let at = text.indexOf("-----BEGIN "); at !== -1;) {
    const label = /^[A-Z0-9 ]{0,40}(?=-----)/.exec(text.slice(at + 11, at + 60))?.[0] ?? "";
    if (!label.includes("PRIVATE KEY")) {
      at = text.indexOf("-----BEGIN ", at + 11);
      continue;
    }
    const start = at + 11 + label.length + 5;
    const limit = Math.min(text.length, start + MAX_BLOCK);
    const closing = text.slice(start, limit).indexOf(`-----END ${label}-----`);
    const end = closing === -1 ? Math.min(limit, start + MAX_CUT) : start + closing;
    // Where a line number or other text is before each line, it stays.
    for (const line of lineSpans(text, start, end, () => "[REDACTED]")) {
      const before = GUTTER.exec(text.slice(line.start, Math.min(line.end, line.start + 20)))?.[0].length ?? 0;
      if (line.start + before < line.end && text.slice(line.start + before, line.end) !== "[REDACTED]")
        found.push({ ...line, start: line.start + before });
    }
    at = text.indexOf("-----BEGIN ", end);
  }
}

const GUTTER = /^(?:\d+[|:-]|[>#*+] )[ \t]*/;
const MAX_BLOCK = 32_768;
const MAX_CUT = 4000;
