import type { Interface } from "node:readline/promises";

/** What a person types at a plain terminal, line by line, also while something else goes on. */
export class TypedLines implements Disposable {
  readonly #open: () => Interface;
  readonly #onInterrupt: () => void;
  readonly #typed: string[] = [];
  #lines: Interface | undefined;
  #waiting: PromiseWithResolvers<string | undefined> | undefined;
  #ended = false;
  #prompted = false;

  /** @param open Makes the reader; @param onInterrupt Ctrl-C. */
  constructor(open: () => Interface, onInterrupt: () => void) {
    this.#open = open;
    this.#onInterrupt = onInterrupt;
    this.#start();
  }

  /** The next line; `undefined` at the end of the input. Nothing is shown for it: see `prompt`. */
  next(): Promise<string | undefined> {
    const first = this.#typed.shift();
    if (first !== undefined || this.#ended) return Promise.resolve(first);
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Somebody else reads from the keyboard until the returned thing is disposed. */
  pause(): Disposable {
    const lines = this.#lines;
    this.#lines = undefined;
    lines?.close();
    return { [Symbol.dispose]: () => void (this.#ended || this.#start()) };
  }

  /** The cursor stands behind a prompt, where nothing else should be written. */
  get prompted(): boolean {
    return this.#prompted;
  }

  /** Says that a line is wanted. */
  prompt(): void {
    if (this.#lines === undefined) return;
    this.#prompted = true;
    this.#lines.prompt();
  }

  /** Drops the line that is being typed. False where there is none. */
  drop(): boolean {
    if ((this.#lines?.line ?? "") === "") return false;
    this.pause()[Symbol.dispose]();
    return true;
  }

  /** Nothing is taken in any more, not even what is typed already. */
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
      if (this.#lines === lines) this.#close(); // The end of the input: what came before it counts.
    });
  }
}
