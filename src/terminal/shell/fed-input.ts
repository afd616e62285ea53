import { bytesWord } from "./backend-script.ts";

const PIECE = 4_096;

/** The input of a background command in an environment that is fed by orders. */
export class FedInput {
  readonly #feed: (word: string) => Promise<boolean>;
  #turn: Promise<unknown> = Promise.resolve();
  #open = true;

  /**
   * @param feed Gives the command the bytes that `:BYTES` stand for, or with `.` the end of its input. False when it
   *   has ended.
   */
  constructor(feed: (word: string) => Promise<boolean>) {
    this.#feed = feed;
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (!this.#open) throw new Error("The process accepts no more input: its input is closed or it has ended.");
    for (let at = 0; at < bytes.length; at += PIECE) await this.#next(`:${bytesWord(bytes.subarray(at, at + PIECE))}`);
  }

  async end(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#next(".").catch(() => {}); // It has ended: so has its input.
  }

  #next(word: string): Promise<void> {
    const next = this.#turn.then(async () => {
      if (!(await this.#feed(word))) throw new Error("The process accepts no more input: it has ended.");
    });
    this.#turn = next.catch(() => {});
    return next;
  }
}
