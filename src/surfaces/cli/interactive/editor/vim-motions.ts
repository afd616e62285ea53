/** A position in a text, in UTF-16 units; motions never leave the text. */
export type Motion = (text: string, at: number, count: number, character: string) => number | undefined;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The end of the character at a position. */
export function characterEnd(text: string, at: number): number {
  const [next] = graphemes.segment(text.slice(at, at + 64));
  return next === undefined ? at : at + next.segment.length;
}

/** The start of the character before a position. */
export function characterBefore(text: string, at: number): number {
  const from = Math.max(0, at - 64);
  const last = [...graphemes.segment(text.slice(from, at))].at(-1);
  return last === undefined ? at : from + last.index;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** The position of the line's newline, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** A motion from one position to another; `inclusive`: an operator takes the character there, too. */
export interface MotionKind {
  readonly move: Motion;
  readonly inclusive?: true;
  /** An operator takes whole lines. */
  readonly linewise?: true;
}

export const MOTIONS: { readonly [keys: string]: MotionKind } = {
  h: { move: (text, at, count) => repeat(at, count, (to) => Math.max(lineStart(text, at), characterBefore(text, to))) },
  l: { move: (text, at, count) => repeat(at, count, (to) => Math.min(lineEnd(text, at), characterEnd(text, to))) },
  j: { move: (text, at, count) => vertical(text, at, count), linewise: true },
  k: { move: (text, at, count) => vertical(text, at, -count), linewise: true },
  w: { move: (text, at, count) => repeat(at, count, (to) => nextWord(text, to, classOf)) },
  W: { move: (text, at, count) => repeat(at, count, (to) => nextWord(text, to, spaceOf)) },
  b: { move: (text, at, count) => repeat(at, count, (to) => wordBefore(text, to, classOf)) },
  B: { move: (text, at, count) => repeat(at, count, (to) => wordBefore(text, to, spaceOf)) },
  e: { move: (text, at, count) => repeat(at, count, (to) => wordEnd(text, to, classOf)), inclusive: true },
  E: { move: (text, at, count) => repeat(at, count, (to) => wordEnd(text, to, spaceOf)), inclusive: true },
  "0": { move: (text, at) => lineStart(text, at) },
  "^": { move: (text, at) => lineStart(text, at) + /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0].length },
  $: { move: (text, at) => lineEnd(text, at) },
  G: { move: (text) => lineStart(text, text.length), linewise: true },
  gg: { move: () => 0, linewise: true },
  f: { move: (text, at, count, character) => find(text, at, count, character), inclusive: true },
  t: { move: (text, at, count, character) => before(find(text, at, count, character), text), inclusive: true },
  F: { move: (text, at, count, character) => findBack(text, at, count, character) },
  T: { move: (text, at, count, character) => after(findBack(text, at, count, character), text) },
};

/** The word around a position, and with `around` the spaces behind it. */
export function wordAt(text: string, at: number, around: boolean): readonly [from: number, to: number] {
  const kind = classOf(text[at]);
  let [from, to] = [at, at];
  while (from > 0 && text[from - 1] !== "\n" && classOf(text[from - 1]) === kind) from--;
  while (to < text.length && text[to] !== "\n" && classOf(text[to]) === kind) to++;
  if (around) while (text[to] === " " || text[to] === "\t") to++;
  return [from, to];
}

function repeat(at: number, count: number, step: (at: number) => number): number {
  let to = at;
  for (let done = 0; done < count; done++) to = step(to);
  return to;
}

function vertical(text: string, at: number, lines: number): number {
  const column = at - lineStart(text, at);
  let start = lineStart(text, at);
  for (let left = Math.abs(lines); left > 0; left--) {
    if (lines > 0 && lineEnd(text, start) < text.length) start = lineEnd(text, start) + 1;
    else if (lines < 0 && start > 0) start = lineStart(text, start - 1);
  }
  return Math.min(start + column, lineEnd(text, start));
}

type Class = "space" | "word" | "sign";

function classOf(character: string | undefined): Class {
  if (character === undefined || /\s/.test(character)) return "space";
  return /[\p{L}\p{N}_]/u.test(character) || character > "\u{7f}" ? "word" : "sign";
}

function spaceOf(character: string | undefined): Class {
  return classOf(character) === "space" ? "space" : "word";
}

function nextWord(text: string, at: number, of: typeof classOf): number {
  const kind = of(text[at]);
  let to = at;
  if (kind !== "space") while (to < text.length && of(text[to]) === kind) to++;
  while (to < text.length && of(text[to]) === "space") to++;
  return to;
}

function wordBefore(text: string, at: number, of: typeof classOf): number {
  let to = at;
  while (to > 0 && of(text[to - 1]) === "space") to--;
  const kind = of(text[to - 1]);
  while (to > 0 && of(text[to - 1]) === kind) to--;
  return to;
}

function wordEnd(text: string, at: number, of: typeof classOf): number {
  let to = at + 1;
  while (to < text.length && of(text[to]) === "space") to++;
  const kind = of(text[to]);
  while (to + 1 < text.length && of(text[to + 1]) === kind) to++;
  return Math.min(to, Math.max(0, text.length - 1));
}

function find(text: string, at: number, count: number, character: string): number | undefined {
  let to = at;
  for (let left = count; left > 0; left--) {
    to = text.indexOf(character, to + 1);
    if (to < 0 || to >= lineEnd(text, at)) return undefined;
  }
  return to;
}

function findBack(text: string, at: number, count: number, character: string): number | undefined {
  let to = at;
  for (let left = count; left > 0; left--) {
    to = to === 0 ? -1 : text.lastIndexOf(character, to - 1);
    if (to < lineStart(text, at)) return undefined;
  }
  return to;
}

function before(at: number | undefined, text: string): number | undefined {
  return at === undefined ? undefined : characterBefore(text, at);
}

function after(at: number | undefined, text: string): number | undefined {
  return at === undefined ? undefined : characterEnd(text, at);
}
