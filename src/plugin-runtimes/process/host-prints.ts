import type { Logger } from "../../contract/common/logger.ts";

/** Lines that are logged in a minute. */
const MAX_LINES = 2_000;
/** An unterminated line is cut at this length. */
const MAX_LINE = 16_384;

/** Output of a plugin process: becomes log lines, and gives the reason for its end if it prints one. */
export class HostPrints {
  readonly #log: Logger;
  #logged = 0;
  #since = 0;
  #lastWords = "";
  #outOfMemory = false;
  /** Treats a partial line as a whole one. */
  readonly #ends: (() => void)[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Takes one stream as it arrives, in any pieces. */
  read(stream: NodeJS.ReadableStream | null): void {
    let rest = "";
    stream?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#line(line);
      if (rest.length < MAX_LINE) return;
      this.#line(rest);
      rest = "";
    });
    this.#ends.push(() => {
      this.#line(rest);
      rest = "";
    });
  }

  /** A line on the message stream that is not a message. */
  garbage(line: string, whose: string): void {
    this.#keep(() => this.#log.warning(`${whose} sent an invalid message.`, { line: line.slice(0, 200) }));
  }

  /**
   * Nothing more arrives.
   * @returns The end of the sentence that says how it ended.
   */
  end(): string {
    for (const end of this.#ends) end();
    if (this.#outOfMemory) return ": it needed more memory than plugins.memory_mb allows";
    return this.#lastWords === "" ? "" : `; its last output: ${this.#lastWords}`;
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    this.#lastWords = line.slice(0, 300);
    this.#outOfMemory ||= /out of memory|bad_alloc|memory allocation .*failed|Array buffer allocation failed/i.test(
      line,
    );
    this.#keep(() => this.#log.info(line.slice(0, 2_000)));
  }

  #keep(write: () => void): void {
    const now = performance.now();
    if (now - this.#since > 60_000) [this.#since, this.#logged] = [now, 0];
    this.#logged += 1;
    if (this.#logged === MAX_LINES)
      this.#log.info("It prints too much; its output is discarded for the rest of this minute.");
    else if (this.#logged < MAX_LINES) write();
  }
}
