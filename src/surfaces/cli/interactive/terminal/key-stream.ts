import { sequenceAt } from "./escape-sequence.ts";

const ESC = "\x1b";
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** The Escape key as terminals with the Kitty protocol send it: it cannot be the beginning of anything else. */
const ESCAPE_KEY = "\x1b[27u";

/** After an Escape byte, the rest of a sequence may take this long over a slow line. */
const ESCAPE_MS = 100;
/** The rest of a sequence that has begun, for example of a paste mark. */
const SEQUENCE_MS = 1_000;
/** A paste without its end mark ends after this pause. */
const PASTE_MS = 1_000;
/** After a line and its Enter in one burst: is it the beginning of a paste? */
const BURST_MS = 30;
/** Between the parts of a paste without marks. */
const PART_MS = 100;

/** Escape or Ctrl-C, in each of the forms that terminals send, after pasted text. */
const STOP_KEY = /(?:\x1b|\x03|\x1b\[27(?:;1(?::\d)?)?u|\x1b\[27;1;27~|\x1b\[99;5(?::\d)?u|\x1b\[27;5;99~)$/;
const LONGEST_KEY = 16;
const PART_OF_END = /\x1b\[(?:2(?:0(?:1)?)?)?$/;
const LINES = /[\r\n][^\r\n]/;

/**
 * Turns what a terminal sends into keys and pastes, however the transport cuts it:
 * - A sequence that arrives in parts is passed on when it is complete.
 * - Several lines in one burst are one paste, also from a terminal that does not mark pastes.
 * - A paste whose end never arrives ends with Escape, Ctrl-C or a pause.
 */
export class KeyStream implements Disposable {
  readonly #emit: (data: string) => void;
  #held = "";
  #timer: NodeJS.Timeout | undefined;
  #typedAhead: boolean;

  /**
   * @param emit Receives text, complete sequences, and pastes between their marks.
   * @param typedAhead What arrives before `ready` was typed before the program read keys.
   */
  constructor(emit: (data: string) => void, { typedAhead = false }: { readonly typedAhead?: boolean } = {}) {
    this.#emit = emit;
    this.#typedAhead = typedAhead;
  }

  write(data: string): void {
    clearTimeout(this.#timer);
    // Separate key presses: the first was the Escape key.
    if (this.#held === ESC && /^[\x1b\x03\x04]/.test(data)) {
      this.#held = "";
      this.#emit(ESCAPE_KEY);
    }
    this.#held += data;
    this.#pass(false);
  }

  /** From now on, keys are typed while the program reads them. */
  ready(): void {
    if (this.#held !== "" && !this.#held.startsWith(ESC)) {
      clearTimeout(this.#timer);
      this.#pass(true);
    }
    this.#typedAhead = false;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#held = "";
  }

  /** @param quiet Nothing more arrived in the time allowed: what is held first is passed on as it is. */
  #pass(quiet: boolean): void {
    for (let late = quiet; this.#held !== ""; late = false) {
      const waitMs = this.#held.startsWith(PASTE_START)
        ? this.#passPaste(late)
        : this.#held.startsWith(ESC)
          ? this.#passSequence(late)
          : this.#passText(late);
      if (waitMs === undefined) continue;
      this.#timer = setTimeout(() => this.#pass(true), waitMs);
      return;
    }
  }

  /** Each of these passes on the beginning of what is held, or returns how long to wait for more. */
  #passPaste(quiet: boolean): number | undefined {
    const end = this.#held.indexOf(PASTE_END);
    // A second start: the end of the first paste was lost.
    const again = this.#held.indexOf(PASTE_START, PASTE_START.length);
    if (end >= 0 && (again < 0 || end < again)) {
      this.#emit(this.#take(end + PASTE_END.length));
      return undefined;
    }
    const text = this.#held.slice(PASTE_START.length, again < 0 ? undefined : again);
    const stop = STOP_KEY.exec(text.slice(-LONGEST_KEY))?.[0];
    if (!quiet && again < 0) return stop === undefined ? PASTE_MS : ESCAPE_MS;
    this.#take(PASTE_START.length + text.length);
    this.#paste(stop === undefined ? text.replace(PART_OF_END, "") : text.slice(0, -stop.length));
    if (stop !== undefined) this.#emit(stop === ESC ? ESCAPE_KEY : stop);
    return undefined;
  }

  #passSequence(quiet: boolean): number | undefined {
    const { length, state } = sequenceAt(this.#held);
    if (state === "begun" && !quiet) return length <= 2 && this.#held[1] !== "[" ? ESCAPE_MS : SEQUENCE_MS;
    const sequence = this.#take(length);
    // A broken sequence is lost; what follows it is not. The end of a paste that has ended means nothing any more.
    if (state !== "broken" && sequence !== PASTE_END) this.#emit(sequence === ESC ? ESCAPE_KEY : sequence);
    return undefined;
  }

  #passText(quiet: boolean): number | undefined {
    const escape = this.#held.indexOf(ESC);
    const whole = escape >= 0 || quiet;
    // Line breaks at the beginning are keys: the user pressed Enter and typed on.
    const enters = /^[\r\n]+/.exec(this.#held)?.[0].length ?? 0;
    if (enters > 0) {
      const keys = this.#take(enters);
      this.#emit(this.#typedAhead ? "\r" : keys);
      return undefined;
    }
    const text = escape >= 0 ? this.#held.slice(0, escape) : this.#held;
    const lines = LINES.test(text);
    if (!whole && /[\r\n]/.test(text)) return lines ? PART_MS : BURST_MS;
    this.#take(text.length);
    // The end mark alone: the paste ended by a pause, and this is the rest of it.
    const pasted = lines || this.#held.startsWith(PASTE_END);
    const [body, enter] = this.#typedAhead && text.endsWith("\n") ? [text.replace(/[\r\n]+$/, ""), "\r"] : [text, ""];
    if (pasted) this.#paste(body);
    else this.#emit(body);
    if (enter !== "") this.#emit(enter);
    return undefined;
  }

  #paste(text: string): void {
    if (text !== "") this.#emit(`${PASTE_START}${text}${PASTE_END}`);
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}
