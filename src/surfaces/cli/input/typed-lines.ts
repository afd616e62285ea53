import type { Interface } from "node:readline/promises";

/** Reads what the user types at a plain terminal, line by line, also during a turn. */
export class TypedLines implements Disposable {
  readonly #open: () => Interface;
  readonly #onInterrupt: () => void;
  readonly #typed: string[] = [];
  #lines: Interface | undefined;
  #waiting: PromiseWithResolvers<string | undefined> | undefined;
  #ended = false;
  #prompted = false;

  /** @param open Creates the reader; @param onInterrupt Handles Ctrl-C. */
  constructor(open: () => Interface, onInterrupt: () => void) {
    this.#open = open;
    this.#onInterrupt = onInterrupt;
    this.#start();
  }

  /** The next line; `undefined` at the end of the input. Does not show a prompt: see `prompt`. */
  next(): Promise<string | undefined> {
    const first = this.#typed.shift();
    if (first !== undefined || this.#ended) return Promise.resolve(first);
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Stops reading the keyboard, so that a dialog can read it; reading resumes when the caller disposes the result. */
  pause(): Disposable {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
    return { [Symbol.dispose]: () => void (this.#ended || this.#start()) };
  }

  /** The cursor is behind a prompt, so other output needs a new line first. */
  get prompted(): boolean {
    return this.#prompted;
  }

  /** Shows the prompt. */
  prompt(): void {
    if (this.#lines === undefined) return;
    this.#prompted = true;
    this.#lines.prompt();
  }

  /** Clears the line that is being typed. Returns false if there is none. */
  drop(): boolean {
    if ((this.#lines?.line ?? "") === "") return false;
    this.pause()[Symbol.dispose]();
    return true;
  }

  /** Ends the input and discards lines that are already typed. */
  end(): void {
    this.#typed.length = 0;
    this.#close();
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #close(): void {
    this.#ended = true;
    this.#lines?.close();
    this.#lines = undefined;
    this.#waiting?.resolve(undefined);
    this.#waiting = undefined;
  }

  #start(): void {
    const lines = this.#open();
    this.#lines = lines;
    lines.setPrompt("> ");
    lines.on("line", (line) => {
      this.#prompted = false;
      if (this.#waiting === undefined) return void this.#typed.push(line);
      this.#waiting.resolve(line);
      this.#waiting = undefined;
    });
    lines.on("SIGINT", this.#onInterrupt);
    lines.on("close", () => {
      if (this.#lines === lines) this.#close(); // The input ended. Lines before the end stay available.
    });
  }
}
