import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";

/** At most twice this much output of one process is stored on disk. */
export const LOG_BYTES = 1_000_000;
const FLUSH_MS = 100;
/** An incomplete line, such as a prompt, is written after this pause. */
const PATIENCE_MS = 1_000;

/**
 * Writes a background process's output to a file, in whole lines with secrets masked, so that any process can follow it
 * and it survives a restart.
 */
export class OutputLog {
  readonly #file: string;
  readonly #mask: (text: string) => string;
  #waiting = "";
  #receivedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #failed = false;

  constructor(file: string, mask: (text: string) => string) {
    this.#file = file;
    this.#mask = mask;
  }

  push(text: string): void {
    if (this.#failed) return;
    this.#waiting = (this.#waiting + text).slice(-LOG_BYTES);
    this.#receivedAt = performance.now();
    this.#later();
  }

  /** Writes all pending output. */
  close(): void {
    clearTimeout(this.#timer);
    this.#write(this.#waiting.length);
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#write(
        performance.now() - this.#receivedAt >= PATIENCE_MS
          ? this.#waiting.length
          : this.#waiting.lastIndexOf("\n") + 1,
      );
      if (this.#waiting !== "") this.#later();
    }, FLUSH_MS).unref();
  }

  #write(length: number): void {
    if (length === 0) return;
    const text = this.#mask(this.#waiting.slice(0, length));
    this.#waiting = this.#waiting.slice(length);
    try {
      if (sizeOf(this.#file) > LOG_BYTES) renameSync(this.#file, `${this.#file}.1`);
      appendFileSync(this.#file, text, { mode: 0o600 });
    } catch {
      this.#failed = true; // A full or read-only disk: the process continues, and its output stays in memory.
    }
  }
}

/** The newest output of a process. */
export function readLog(file: string, maxBytes = LOG_BYTES): string {
  const now = tailOf(file, maxBytes);
  return now.length >= maxBytes ? now : tailOf(`${file}.1`, maxBytes - now.length) + now;
}

/** The output after `from` bytes of a log, and the new offset. Reads a restarted log from its beginning. */
export function readLogFrom(file: string, from: number): { readonly text: string; readonly at: number } {
  const size = sizeOf(file);
  const start = size < from ? 0 : Math.max(from, size - LOG_BYTES);
  return size === start ? { text: "", at: size } : { text: slice(file, start, size - start), at: size };
}

function tailOf(file: string, maxBytes: number): string {
  const size = sizeOf(file);
  return size === 0 || maxBytes <= 0 ? "" : slice(file, Math.max(0, size - maxBytes), Math.min(size, maxBytes));
}

function slice(file: string, from: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  const descriptor = openSync(file, "r");
  try {
    if (!fstatSync(descriptor).isFile()) return "";
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, bytes, from));
  } finally {
    closeSync(descriptor);
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0; // No output yet.
  }
}
