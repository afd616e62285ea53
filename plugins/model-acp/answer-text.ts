import { BEGIN, callsFrom, type TextualCall } from "./textual-call.ts";

/**
 * Streams the text of an answer to the user. From where a call may start, the text (and the white space before it) is
 * withheld until the answer is complete.
 */
export class AnswerWords {
  readonly #key: string;
  #text = "";
  #shown = 0;

  constructor(key: string) {
    this.#key = key;
  }

  get length(): number {
    return this.#text.length;
  }

  /** The tool of the last call that has started. */
  get calling(): string | undefined {
    const at = this.#text.lastIndexOf(BEGIN);
    return at < this.#shown ? undefined : /"name"\s*:\s*"([\w.-]+)"/.exec(this.#text.slice(at, at + 500))?.[1];
  }

  /** @returns the text that can be shown now. */
  take(text: string): string {
    this.#text += text;
    return this.#show(
      this.#shown + this.#text.slice(this.#shown, beginOfCall(this.#text, this.#shown)).trimEnd().length,
    );
  }

  /**
   * Calls count only at the end of an answer. If it does not end with one, all of it is text, and `unshown` is the
   * withheld part.
   */
  end(): { readonly text: string; readonly calls: readonly TextualCall[]; readonly unshown: string } {
    for (
      let at = this.#text.indexOf(BEGIN, this.#shown), tries = 0;
      at >= 0 && tries < MAX_TRIES;
      at = this.#text.indexOf(BEGIN, at + 1), tries++
    ) {
      const calls = callsFrom(this.#text, at, this.#key);
      if (calls !== undefined)
        return { text: this.#text.slice(0, at).trimEnd(), calls, unshown: this.#show(at).trimEnd() };
    }
    return { text: this.#text, calls: [], unshown: this.#show(this.#text.length) };
  }

  #show(to: number): string {
    const text = this.#text.slice(this.#shown, to);
    this.#shown = to;
    return text;
  }
}

/** An answer with more candidates than this only talks about the format. */
const MAX_TRIES = 50;

/** Where a call starts, or may start when more text comes. */
function beginOfCall(text: string, from: number): number {
  const at = text.indexOf(BEGIN, from);
  if (at >= 0) return at;
  for (let start = Math.max(from, text.length - BEGIN.length + 1); start < text.length; start++)
    if (BEGIN.startsWith(text.slice(start))) return start;
  return text.length;
}
