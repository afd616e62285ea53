/** A piece of a text that is a secret, and what replaces it. All other characters stay. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** Work on a long text, which may pause after each piece of it: `runSteps` does not, `runInPieces` of the engine does. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How many characters are looked at between two pauses: about a millisecond. */
export const PIECE = 65_536;

const SPANS = 10_000;

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Sorts the spans in place and joins those that overlap; the mask of the widest one stays. */
export function joinSpans(spans: Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  // Each search finds its own in order.
  if (spans.some((span, at) => at > 0 && span.start < spans[at - 1]!.start))
    spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else if (span.end > last.end) {
      const { mask } = span.end - span.start > last.end - last.start ? span : last;
      joined[joined.length - 1] = { start: last.start, end: span.end, mask };
    }
  }
  return joined;
}

/** The text with the mask in place of each span. */
export function* applySpans(text: string, spans: readonly Span[]): Steps<string> {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const [at, { start, end, mask }] of spans.entries()) {
    pieces.push(text.slice(done, start), mask);
    done = end;
    if (at % SPANS === SPANS - 1) yield;
  }
  pieces.push(text.slice(done));
  return pieces.join("");
}

/** Short ones vanish; of longer ones the ends stay, so that the user can tell which it was. */
export function mask(token: string): string {
  if (token.length < 18) return "***";
  const [start, end] = [token.slice(0, 6), token.slice(-4)];
  // Any other character could end the quotes that the text stands in.
  return PLAIN.test(start + end) ? `${start}...${end}` : "***";
}

const PLAIN = /^[\w.+/=:@~!,-]+$/;

/** One span for each line of a value, so that its line breaks and indentation stay. */
export function lineSpans(text: string, start: number, end: number, masked: (line: string) => string): readonly Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end;) {
    const newline = text.indexOf("\n", from);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    let first = from;
    let last = lineEnd;
    while (first < last && isBlank(text.charCodeAt(first))) first++;
    while (last > first && isBlank(text.charCodeAt(last - 1))) last--;
    if (last > first) spans.push({ start: first, end: last, mask: masked(text.slice(first, last)) });
    from = lineEnd + 1;
  }
  return spans;
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 13;
