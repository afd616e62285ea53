import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { randomHex } from "hermes-agent/terminal";

/**
 * One end of a named pipe, open for reading and writing at once: so it never ends by itself, can be opened before anybody writes, and
 * lets us write a mark of our own behind whatever was written before, which tells where a command's output ends.
 */
export class Pipe implements Disposable {
  readonly #fd: number;
  #socket: Socket | undefined;
  #closed = false;
  #holds = 0;
  #draining: Promise<void> = Promise.resolve();
  #listener: ((bytes: Uint8Array) => void) | undefined;
  #mark: { readonly bytes: Buffer; readonly reached: () => void; written: boolean; carry: Buffer } | undefined;

  /** `read: false` for a pipe that only carries our words to somebody else. */
  constructor(path: string, options: { readonly read: boolean } = { read: true }) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    if (!options.read) return;
    const buffer = Buffer.allocUnsafeSlow(65_536);
    this.#socket = new Socket({ fd: this.#fd, readable: true, writable: false, onread: { buffer, callback: (size: number) => this.#take(buffer.subarray(0, size)) } } as never);
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

  /** Keeps the process running while somebody waits for what comes. */
  hold(): Disposable {
    if (this.#holds++ === 0) this.#socket?.ref();
    return {
      [Symbol.dispose]: () => {
        if (--this.#holds === 0) this.#socket?.unref();
      },
    };
  }

  /** Resolves when everything written to the pipe before this call was handed to the listener. */
  drained(): Promise<void> {
    this.#draining = this.#draining.then(() => this.#drain());
    return this.#draining;
  }

  /** Writes small things at once; false when the pipe is full or nobody can read it. */
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
    this.#mark?.reached();
    this.#mark = undefined;
    if (this.#socket === undefined) closeSync(this.#fd);
    else this.#socket.destroy();
  }

  async #drain(): Promise<void> {
    if (this.#closed) return;
    // Somebody waits for it, be there nothing else that keeps the process running.
    using _held = this.hold();
    await new Promise<void>((resolve) => {
      const bytes = Buffer.from(`\0end ${randomHex(16)}\0`);
      this.#mark = { bytes, reached: resolve, written: false, carry: Buffer.alloc(0) };
      this.#writeMark();
    });
  }

  #writeMark(): void {
    const mark = this.#mark;
    if (mark === undefined || mark.written) return;
    try {
      writeSync(this.#fd, mark.bytes);
      mark.written = true;
    } catch (error) {
      // A full pipe takes it after the next read; anything else means that the pipe is gone.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") this[Symbol.dispose]();
    }
  }

  #take(bytes: Buffer): boolean {
    const mark = this.#mark;
    if (mark === undefined) {
      this.#listener?.(bytes);
      return true;
    }
    this.#writeMark();
    const joined = mark.carry.length === 0 ? bytes : Buffer.concat([mark.carry, bytes]);
    const at = joined.indexOf(mark.bytes);
    if (at >= 0) {
      this.#mark = undefined;
      if (at > 0) this.#listener?.(joined.subarray(0, at));
      mark.reached();
      return true;
    }
    const sure = Math.max(0, joined.length - mark.bytes.length);
    if (sure > 0) this.#listener?.(joined.subarray(0, sure));
    mark.carry = Buffer.from(joined.subarray(sure));
    return true;
  }
}

/** Opens an end that only writes: the reader's input ends when it is closed. The reader must be there already or open it meanwhile. */
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
      if (this.#ended) reject(new Error("The process takes no more input: it was closed or the process has ended."));
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

