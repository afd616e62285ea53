import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { Socket } from "node:net";

/** `/proc/sys/fs/pipe-max-size` of Linux, which is more than elsewhere. */
const MAX_IN_A_PIPE = 1_048_576;
const PIECE = Buffer.allocUnsafeSlow(65_536);

/**
 * One end of a named pipe, open for reading and writing at once: so it never reaches its end, and opening does not wait
 * for a writer.
 */
export class Pipe implements Disposable {
  readonly #fd: number;
  #socket: Socket | undefined;
  #closed = false;
  #holds = 0;
  #listener: ((bytes: Uint8Array) => void) | undefined;

  /** `read: false` for a pipe that only carries our text to another process. */
  constructor(path: string, options: { readonly read: boolean } = { read: true }) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    if (!options.read) return;
    const buffer = Buffer.allocUnsafeSlow(65_536);
    this.#socket = new Socket({
      fd: this.#fd,
      readable: true,
      writable: false,
      onread: { buffer, callback: (size: number) => (this.#listener?.(buffer.subarray(0, size)), true) },
    } as never);
    this.#socket.on("error", () => this[Symbol.dispose]());
    this.#socket.resume();
    this.#socket.unref();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The bytes are only good during the call. */
  listen(listener: ((bytes: Uint8Array) => void) | undefined): void {
    this.#listener = listener;
  }

  /** Keeps the process running while a caller waits for output. */
  hold(): Disposable {
    if (this.#holds++ === 0) this.#socket?.ref();
    return {
      [Symbol.dispose]: () => {
        if (--this.#holds === 0) this.#socket?.unref();
      },
    };
  }

  /** Hands the listener everything that was written to the pipe before this call. */
  drain(): void {
    // Reads at most a pipe's capacity: a process may keep writing while we read.
    for (let left = MAX_IN_A_PIPE; left > 0 && !this.#closed;) {
      let size: number;
      try {
        size = readSync(this.#fd, PIECE);
      } catch {
        return; // Empty; anything else means that the pipe is gone, which its socket notices.
      }
      if (size === 0) return;
      left -= size;
      this.#listener?.(PIECE.subarray(0, size));
    }
  }

  /** Writes a short text at once; false when the pipe is full or has no reader. */
  writeNow(text: string): boolean {
    try {
      return writeSync(this.#fd, text) === Buffer.byteLength(text);
    } catch {
      return false;
    }
  }

  /** Closing the last writing end is the reader's end of input. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#socket === undefined) closeSync(this.#fd);
    else this.#socket.destroy();
  }
}

/**
 * Opens an end that only writes: the reader's input ends when it is closed. The reader must be there already or open it
 * meanwhile.
 */
export class WritingPipe implements Disposable {
  readonly #socket: Socket;
  readonly #fd: number;
  #ended = false;

  constructor(path: string) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.#socket = new Socket({ fd: this.#fd, readable: false, writable: true });
    this.#socket.on("error", () => this[Symbol.dispose]());
    this.#socket.unref();
  }

  get ended(): boolean {
    return this.#ended;
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) reject(new Error("The process accepts no more input: its input is closed or it has ended."));
      else {
        this.#socket.once("close", resolve);
        this.#socket.write(text, () => {
          this.#socket.off("close", resolve);
          resolve();
        });
      }
    });
  }

  end(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#ended = true;
      this.#socket.write("", () => {
        this.#socket.destroy();
        resolve();
      });
    });
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#socket.destroy();
  }
}
