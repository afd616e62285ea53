import { EventEmitter, once } from "node:events";
import type { Readable } from "node:stream";

/**
 * Output that clients may request again, since it may get lost on the way. Older output is dropped once it was read, or
 * when no client reads.
 */
const RETAINED = 4_000_000;
/** A program blocks while its reader is this far behind. */
const AHEAD = 1_000_000;

interface Piece<T> {
  readonly at: number;
  readonly size: number;
  readonly value: T;
}

/** A program's output for its readers. It uses the same memory however much output there is. */
export class BufferedOutput<T> {
  readonly #pieces: Piece<T>[] = [];
  readonly #pipes: Readable[] = [];
  readonly #followers = new Set<{ at: number }>();
  readonly #news = new EventEmitter().setMaxListeners(0);
  #size = 0;
  #over = false;

  add(pipe: Readable, piece: (bytes: Buffer | string) => T): void {
    this.#pipes.push(pipe);
    pipe.on("data", (bytes: Buffer | string) => {
      this.#pieces.push({ at: this.#size, size: bytes.length, value: piece(bytes) });
      this.#size += bytes.length;
      const slowest = Math.min(this.#size, ...[...this.#followers].map(({ at }) => at));
      const gone = this.#pieces.findIndex(({ at, size }) => at + size > Math.min(slowest, this.#size - RETAINED));
      this.#pieces.splice(0, gone);
      if (this.#size - slowest > AHEAD) for (const one of this.#pipes) one.pause();
      this.#news.emit("news");
    });
  }

  /** Ends the output, or closes it for readers. */
  end(): void {
    this.#over = true;
    this.#news.emit("news");
  }

  /** Output from this byte to the end. @throws when that output is already dropped. */
  async *follow(from: number, signal: AbortSignal): AsyncGenerator<Piece<T>, void, undefined> {
    if (from < (this.#pieces[0]?.at ?? 0))
      throw new Error(`the double keeps the last ${RETAINED} bytes only, and was asked for ${from} of ${this.#size}`);
    const follower = { at: from };
    this.#followers.add(follower);
    try {
      while (!signal.aborted) {
        const next = this.#pieces.find(({ at, size }) => at + size > follower.at);
        if (next !== undefined) {
          yield next;
          follower.at = next.at + next.size;
        } else if (this.#over) return;
        else await once(this.#news, "news", { signal }).catch(() => undefined); // No reader is left.
        if (this.#size - follower.at < AHEAD) this.#resume();
      }
    } finally {
      this.#followers.delete(follower);
      this.#resume();
    }
  }

  #resume(): void {
    for (const pipe of this.#pipes) if (pipe.isPaused()) pipe.resume();
  }
}
