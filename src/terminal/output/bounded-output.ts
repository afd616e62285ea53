/**
 * Bytes kept while they stream by: the first `headBytes` and the last `tailBytes`. Costs no more memory than that,
 * however much passes.
 */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #headUsed = 0;
  #ring: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #ringUsed = 0;
  #ringNext = 0;
  #total = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headLimit = Math.max(0, Math.floor(headBytes));
    this.#tailLimit = Math.max(1, Math.floor(tailBytes));
  }

  get totalBytes(): number {
    return this.#total;
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    let rest = chunk;
    if (this.#headUsed < this.#headLimit) {
      const taken = rest.subarray(0, this.#headLimit - this.#headUsed);
      this.#head = grown(this.#head, this.#headUsed, this.#headUsed + taken.length, this.#headLimit);
      this.#head.set(taken, this.#headUsed);
      this.#headUsed += taken.length;
      rest = rest.subarray(taken.length);
    }
    if (rest.length > 0) this.#pushTail(rest);
  }

  /** The saved output, cut between characters, and how many bytes are missing between head and tail. */
  saved(): { readonly head: string; readonly tail: string; readonly omittedBytes: number } {
    const head = this.#head.subarray(0, this.#headUsed);
    const tail = this.#tail();
    if (this.#total === this.#headUsed + this.#ringUsed)
      return { head: Buffer.concat([head, tail]).toString("utf8"), tail: "", omittedBytes: 0 };
    const headEnd = characterEnd(head);
    const tailStart = characterStart(tail);
    return {
      head: head.toString("utf8", 0, headEnd),
      tail: tail.toString("utf8", tailStart),
      omittedBytes: this.#total - headEnd - (tail.length - tailStart),
    };
  }

  #pushTail(bytes: Uint8Array): void {
    const newest = bytes.length > this.#tailLimit ? bytes.subarray(bytes.length - this.#tailLimit) : bytes;
    if (this.#ringUsed + newest.length <= this.#ring.length || this.#ring.length < this.#tailLimit) {
      // Until it is as long as it may get, the ring is a plain growing buffer that starts at 0.
      const wanted = Math.min(this.#tailLimit, this.#ringUsed + newest.length);
      if (wanted > this.#ring.length) {
        this.#ring = grown(this.#ring, this.#ringUsed, wanted, this.#tailLimit);
        this.#ringNext = this.#ringUsed;
      }
    }
    const size = this.#ring.length;
    const first = newest.subarray(0, size - this.#ringNext);
    this.#ring.set(first, this.#ringNext);
    this.#ring.set(newest.subarray(first.length), 0);
    this.#ringNext = (this.#ringNext + newest.length) % size;
    this.#ringUsed = Math.min(size, this.#ringUsed + newest.length);
  }

  #tail(): Buffer<ArrayBufferLike> {
    if (this.#ringUsed < this.#ring.length || this.#ringNext === 0) return this.#ring.subarray(0, this.#ringUsed);
    return Buffer.concat([this.#ring.subarray(this.#ringNext), this.#ring.subarray(0, this.#ringNext)]);
  }
}

function grown(buffer: Buffer<ArrayBufferLike>, used: number, wanted: number, limit: number): Buffer<ArrayBufferLike> {
  if (buffer.length >= wanted) return buffer;
  const next = Buffer.allocUnsafe(Math.min(limit, Math.max(wanted, buffer.length * 2, 1_024)));
  buffer.copy(next, 0, 0, used);
  return next;
}

/** Where the last whole UTF-8 character ends. Bytes that are no UTF-8 at all are left where they are. */
function characterEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && (bytes[start]! & 0xc0) === 0x80) start += 1;
  return start;
}
