import { nameKind, type NameKind } from "./value-names.ts";
import type { Literal } from "./string-literals.ts";

/** No value is longer. */
export const MAX_VALUE = 4000;

/** A text that is asked about from left to right; no question looks at a character that an earlier one has looked at. */
export class Page {
  /** As it came. */
  readonly full: string;
  /** With blanks in place of `literals`, which are searched separately. */
  readonly text: string;
  readonly literals: ReadonlyMap<number, Literal>;
  /** Where the last list of values was searched to. */
  listsTo = 0;
  readonly #kinds = new Map<string, NameKind>();
  readonly #runs = new Map<Stops, { from: number; to: number; stopped: boolean }>();
  #urlAt = 0;
  #inUrl = false;
  #lineAt = 0;
  #ini = false;

  constructor(full: string, literals: readonly Literal[]) {
    this.full = full;
    this.literals = new Map(literals.map((literal) => [literal.start, literal]));
    this.text = literals.length === 0 ? full : blanked(full, literals);
  }

  /** Cached, because a page repeats few names. */
  kindOf(name: string): NameKind {
    if (this.#kinds.has(name)) return this.#kinds.get(name);
    const kind = nameKind(name);
    this.#kinds.set(name, kind);
    return kind;
  }

  /** Where the first of `stops` comes, from `from` on, at most `MAX_VALUE` further. */
  valueEnd(from: number, stops: Stops): number {
    let run = this.#runs.get(stops);
    if (run === undefined || from < run.from || from > run.to)
      this.#runs.set(stops, (run = { from, to: from, stopped: false }));
    const limit = Math.min(this.text.length, from + MAX_VALUE);
    while (!run.stopped && run.to < limit) {
      if (stops(this.text.charCodeAt(run.to))) run.stopped = true;
      else run.to++;
    }
    return Math.min(run.to, limit);
  }

  /** What stands before `at` on its line, at most 200 characters of it. */
  lineBefore(at: number): string {
    const before = this.text.slice(Math.max(0, at - 200), at);
    return before.slice(before.lastIndexOf("\n") + 1);
  }

  /** A scheme or a query has begun before `at`, and no blank or quote since. */
  insideUrl(at: number): boolean {
    const { text } = this;
    for (; this.#urlAt < at; this.#urlAt++) {
      const char = text[this.#urlAt]!;
      if (char === " " || char === "\n" || char === '"' || char === "'") this.#inUrl = false;
      else if (
        this.#urlAt > 0 &&
        ((char === "/" && text[this.#urlAt - 1] === "/") || (char === "?" && text[this.#urlAt - 1] !== " "))
      )
        this.#inUrl = true;
    }
    return this.#inUrl;
  }

  /** The lines since the last `[section]` are `name = value`, comments or empty: an INI file, no program. */
  insideSection(at: number): boolean {
    const { text } = this;
    for (;;) {
      const newline = text.indexOf("\n", this.#lineAt);
      if (newline === -1 || newline >= at) return this.#ini;
      const line = text.slice(this.#lineAt, Math.min(newline, this.#lineAt + 300));
      if (SECTION.test(line)) this.#ini = true;
      else if (!INI_LINE.test(line)) this.#ini = false;
      this.#lineAt = newline + 1;
    }
  }
}

const SECTION = /^(?:\s*\d+\|)?\s*\[[^\][]+\]\s*$/;
const INI_LINE = /^(?:\s*\d+\|)?\s*(?:[#;].*|[\w.-]+\s*=[^;{}]*)?$/;

export type Stops = (code: number) => boolean;

/** Stops at any of these characters. */
export function stopsAt(characters: string): Stops {
  const table = new Uint8Array(128);
  for (const char of characters) table[char.charCodeAt(0)] = 1;
  return (code) => table[code] === 1;
}

function blanked(full: string, literals: readonly Literal[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of literals) {
    pieces.push(full.slice(done, start), " ".repeat(end - start));
    done = end;
  }
  pieces.push(full.slice(done));
  return pieces.join("");
}
