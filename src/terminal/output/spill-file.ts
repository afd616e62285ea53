import { closeSync, openSync, writeSync } from "node:fs";

/**
 * A file for output that is too long to be kept in memory, from its first byte up to a cap. Made only when it is
 * needed. Written at once and not behind our back: the writer is slowed down by it instead of filling our memory.
 */
export class SpillFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #needlessBytes: number;
  #before: Uint8Array[] = [];
  #beforeBytes = 0;
  #fd: number | undefined;
  #written = 0;
  #broken = false;

  /** @param needlessBytes Up to this much no file is made. */
  constructor(path: string, maxBytes: number, needlessBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#needlessBytes = needlessBytes;
  }

  push(bytes: Uint8Array): void {
    if (this.#broken || this.#written >= this.#maxBytes) return;
    if (this.#fd === undefined) {
      this.#before.push(Uint8Array.from(bytes));
      this.#beforeBytes += bytes.length;
      if (this.#beforeBytes <= this.#needlessBytes) return;
      this.#open();
    } else {
      this.#write(bytes);
    }
  }

  /**
   * Where it is and how much of the output it holds; `undefined` when there was no need for it, or the disk did not
   * take it.
   */
  close(): { readonly path: string; readonly bytes: number } | undefined {
    if (this.#fd !== undefined) closeSync(this.#fd);
    const made = this.#fd !== undefined && this.#written > 0;
    this.#fd = undefined;
    this.#broken = true;
    return made ? { path: this.#path, bytes: this.#written } : undefined;
  }

  #open(): void {
    try {
      this.#fd = openSync(this.#path, "w", 0o600);
      for (const bytes of this.#before) this.#write(bytes);
    } catch {
      this.#broken = true; // No room for it: head and tail are still kept.
    }
    this.#before = [];
  }

  #write(bytes: Uint8Array): void {
    const fits = bytes.subarray(0, this.#maxBytes - this.#written);
    try {
      for (let at = 0; at < fits.length;) at += writeSync(this.#fd!, fits, at);
      this.#written += fits.length;
    } catch {
      this.#broken = true; // The disk is full: what was written stays.
    }
  }
}
