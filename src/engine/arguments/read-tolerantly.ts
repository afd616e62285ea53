/** Tokens that end an answer or a call in some model's format. They mean nothing in the text before them. */
const END_TOKENS =
  /(?:\s*(?:<\|(?:im_end|eot_id|eom_id|end|call|return|endoftext|end_of_text|END_OF_TURN_TOKEN|end_of_turn|observation|user|eot|eom|assistant)\|>|<\/s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>|\[e~\[|\[EOS\]))+\s*$/;

const BEGIN_TOKENS = /^(?:<\|begin_of_text\|>|<\|im_start\|>(?:assistant\n)?|<s>|<bos>)\s*/;

export const withoutEndTokens = (text: string): string =>
  (text.slice(0, -64) + text.slice(-64).replace(END_TOKENS, "")).replace(BEGIN_TOKENS, "");

const MAX_CHARS = 100_000;
const MAX_DEPTH = 100;
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”“",
  "”": "”",
  "‘": "’‘",
  "’": "’",
  "«": "»",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "/": "/", "\\": "\\" };
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

class Unreadable extends Error {}

/**
 * Reads JSON as models get it wrong: other quotes, names without quotes, Python's literals, a missing or a spare comma,
 * line ends and unknown escapes in strings, escaped line ends between values, comments, spare closing brackets. A guess:
 * only for calls that change nothing. A string without its end is never guessed.
 * @param closes Also accepts missing brackets at the end, where something else shows that the text is complete.
 * @returns `undefined` if the text has no single reading, or reads as anything but an object or a list.
 */
export function readTolerantly(text: string, { closes = false } = {}): unknown {
  if (text.length > MAX_CHARS || !/^\s*[[{]/.test(text)) return undefined;
  const reader = new TolerantReader(text, closes);
  try {
    return reader.whole();
  } catch (cause) {
    if (cause instanceof Unreadable) return undefined;
    throw cause;
  }
}

class TolerantReader {
  readonly #text: string;
  readonly #closes: boolean;
  #at = 0;

  constructor(text: string, closes: boolean) {
    this.#text = text;
    this.#closes = closes;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#blanks();
    if (!/^[}\]\s]{0,4}$/.test(this.#text.slice(this.#at))) throw new Unreadable();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Unreadable();
    this.#blanks();
    const char = this.#text[this.#at] ?? "";
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#list(depth);
    if (Object.hasOwn(QUOTES, char)) return this.#string();
    const word = this.#match(/[A-Za-z]+\b/y);
    if (word !== undefined && Object.hasOwn(WORDS, word)) return WORDS[word];
    const number = word === undefined ? this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\b/y) : undefined;
    if (number === undefined) throw new Unreadable();
    // As `parseExact` reads it.
    return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? number : Number(number);
  }

  #object(depth: number): unknown {
    const members = new Map<string, unknown>();
    this.#at++;
    while (!this.#ends("}")) {
      const key = Object.hasOwn(QUOTES, this.#text[this.#at] ?? "") ? this.#string() : this.#match(/[A-Za-z_][\w-]*/y);
      this.#blanks();
      if (key === undefined || key === "__proto__" || members.has(key) || this.#text[this.#at] !== ":")
        throw new Unreadable();
      this.#at++;
      members.set(key, this.#value(depth + 1));
    }
    return Object.fromEntries(members);
  }

  #list(depth: number): unknown {
    const items: unknown[] = [];
    this.#at++;
    while (!this.#ends("]")) items.push(this.#value(depth + 1));
    return items;
  }

  /** Skips the comma before the next member, which may be missing. */
  #ends(mark: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] === ",") this.#at++;
    this.#blanks();
    if (this.#at >= this.#text.length && this.#closes) return true;
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #string(): string {
    const ends = QUOTES[this.#text[this.#at]!]!;
    let value = "";
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (ends.includes(char)) {
        this.#at++;
        return value;
      }
      value += char === "\\" ? this.#escape(ends) : char;
    }
    throw new Unreadable();
  }

  #escape(ends: string): string {
    const next = this.#text[++this.#at] ?? "";
    if (Object.hasOwn(ESCAPES, next)) return ESCAPES[next]!;
    if (next === "'" || next === '"' || ends.includes(next)) return next;
    const code = next === "u" ? /^[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0] : undefined;
    if (code === undefined) return `\\${next}`;
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #blanks(): void {
    this.#match(/(?:\s|\\[nrt]|\/\/[^\n]*|\/\*[^*]*\*\/|#[^\n]*)*/y);
  }
}
