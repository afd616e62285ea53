import { mayBeChannels } from "../wire/split-thinking.ts";

export interface Piece {
  readonly kind: "text" | "thinking";
  readonly text: string;
}

const OPEN = /^\s*<(think|thinking|reasoning|thought)>\s*/i;
const MAYBE_OPEN = /^\s*(<[a-z]{0,9})?$/i;

/**
 * Some local servers write thoughts into the answer: `<think>…</think>` at its very start. Splits them off as they
 * stream; the same tag anywhere else is text.
 */
export class ThinkTags {
  #state: "start" | "thinking" | "channels" | "text" = "start";
  #held = "";
  #close = "";
  /** Blank lines between the closing tag and the answer belong to neither. */
  #afterTag = false;

  push(text: string): Piece[] {
    if (this.#state === "text") return this.#text(text);
    this.#held += text;
    if (this.#state === "channels") return [];
    if (this.#state === "start") {
      const open = OPEN.exec(this.#held);
      if (open === null) {
        if (this.#held.length >= LONGEST_MARK && mayBeChannels(this.#held)) this.#state = "channels";
        if (mayBeChannels(this.#held)) return [];
        if (MAYBE_OPEN.test(this.#held)) return [];
        return this.#release("text");
      }
      this.#state = "thinking";
      this.#close = `</${open[1]!.toLowerCase()}>`;
      this.#held = this.#held.slice(open[0].length);
    }
    return this.#think();
  }

  /** Returns the text withheld as a possible start of a tag. */
  end(): Piece[] {
    return this.#held === "" ? [] : this.#release(this.#state === "thinking" ? "thinking" : "text");
  }

  #think(): Piece[] {
    const at = this.#held.toLowerCase().indexOf(this.#close);
    if (at < 0) {
      const keep = overlap(this.#held.toLowerCase(), this.#close);
      const ready = this.#held.slice(0, this.#held.length - keep);
      this.#held = this.#held.slice(this.#held.length - keep);
      return ready === "" ? [] : [{ kind: "thinking", text: ready }];
    }
    const thought = this.#held.slice(0, at);
    const rest = this.#held.slice(at + this.#close.length);
    this.#held = "";
    // Some models think in several blocks.
    this.#state = "start";
    this.#afterTag = true;
    return [
      ...(thought === "" ? [] : [{ kind: "thinking", text: thought } as const]),
      ...(rest === "" ? [] : this.push(rest)),
    ];
  }

  #text(text: string): Piece[] {
    const shown = this.#afterTag ? text.trimStart() : text;
    if (shown === "") return [];
    this.#afterTag = false;
    return [{ kind: "text", text: shown }];
  }

  #release(kind: Piece["kind"]): Piece[] {
    const text = this.#held;
    this.#held = "";
    this.#state = "text";
    if (kind === "text") return text === "" ? [] : this.#text(text);
    return text === "" ? [] : [{ kind, text }];
  }
}

const LONGEST_MARK = "<|channel|>".length;

/** How many characters at the end of `text` begin `word`. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
