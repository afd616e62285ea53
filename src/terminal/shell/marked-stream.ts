/** Output in which a mark (`MARK ID \u0001`) ends that of a command. Without a listener it is dropped. */
export class MarkedStream {
  readonly #mark: string;
  /** Output before it belongs to another command. */
  #begin: Buffer | undefined;
  #end: Buffer | undefined;
  #listener: ((bytes: Uint8Array) => void) | undefined;
  #reached: (() => void) | undefined;
  #carry: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Hands out what comes until the mark of that id, from the mark of `behind` on where there is one. */
  until(id: string, listener: (bytes: Uint8Array) => void, behind?: string): Promise<void> {
    this.#begin = behind === undefined ? undefined : Buffer.from(`${this.#mark}${behind}\u0001`);
    this.#end = Buffer.from(`${this.#mark}${id}\u0001`);
    this.#listener = listener;
    this.#carry = Buffer.alloc(0);
    return new Promise((resolve) => (this.#reached = resolve));
  }

  /** Drops all further output. */
  stop(): void {
    this.#listener = this.#begin = this.#end = this.#reached = undefined;
  }

  push(bytes: Uint8Array): void {
    const end = this.#end;
    if (end === undefined) return;
    let joined =
      this.#carry.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([this.#carry, bytes]);
    if (this.#begin !== undefined) {
      const from = joined.indexOf(this.#begin);
      if (from < 0) {
        this.#carry = Buffer.from(joined.subarray(Math.max(0, joined.length - this.#begin.length + 1)));
        return;
      }
      joined = joined.subarray(from + this.#begin.length);
      this.#begin = undefined;
    }
    const at = joined.indexOf(end);
    if (at >= 0) {
      if (at > 0) this.#listener?.(joined.subarray(0, at));
      const reached = this.#reached;
      this.stop();
      reached?.();
      return;
    }
    // Hold back only a possible start of the mark.
    let start = joined.indexOf(end[0]!, Math.max(0, joined.length - end.length + 1));
    while (start >= 0 && !end.subarray(0, joined.length - start).equals(joined.subarray(start)))
      start = joined.indexOf(end[0]!, start + 1);
    const sure = start < 0 ? joined.length : start;
    if (sure > 0) this.#listener?.(joined.subarray(0, sure));
    this.#carry = Buffer.from(joined.subarray(sure));
  }
}
