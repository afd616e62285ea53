import { randomBytes } from "node:crypto";

/** Assembles WebSocket messages from frames. */
export type Incoming =
  | { readonly kind: "message"; readonly message: string | Uint8Array }
  | { readonly kind: "ping"; readonly payload: Uint8Array }
  | { readonly kind: "pong" }
  | { readonly kind: "close"; readonly code: number | undefined; readonly reason: string };

/** The data was not a valid WebSocket frame, or too long; `message` is the end of a sentence. */
export class FrameError extends Error {}

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame of a client, masked as RFC 6455 wants it. */
export function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  const masked = Buffer.from(payload);
  for (let at = 0; at < length; at++) masked[at]! ^= mask[at & 3]!;
  return Buffer.concat([head, mask, masked]);
}

/**
 * Reads what a server sends, however it is cut. A message longer than `maxBytes` is refused by its announced length,
 * before it has come.
 */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #have = 0;
  /** Looking again earlier than this would find nothing more. */
  #need = 2;
  #message: { readonly opcode: number; readonly pieces: Buffer[]; bytes: number } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws {FrameError} */
  take(chunk: Buffer): readonly Incoming[] {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return [];
    const found: Incoming[] = [];
    let rest = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    for (;;) {
      const [need, payload, first] = this.#frameAt(rest);
      this.#need = need;
      if (payload === undefined) break;
      rest = rest.subarray(need);
      const whole = this.#taken(first, payload);
      if (whole !== undefined) found.push(whole);
    }
    this.#chunks = [rest];
    this.#have = rest.length;
    return found;
  }

  /** How many bytes the frame at the beginning takes, and its payload once it is there. */
  #frameAt(bytes: Buffer): readonly [need: number, payload: Buffer | undefined, first: number] {
    if (bytes.length < 2) return [2, undefined, 0];
    const [first, second] = [bytes[0]!, bytes[1]!];
    if ((first & 0x70) !== 0) throw new FrameError("it used an extension that was not negotiated");
    if ((second & 0x80) !== 0) throw new FrameError("it masked its frames, which only a client may do");
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    if (opcode >= 8 && (short > 125 || (first & 0x80) === 0))
      throw new FrameError("a control frame was fragmented or too long");
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < head) return [head, undefined, first];
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (opcode < 8 && length + (this.#message?.bytes ?? 0) > this.#maxBytes)
      throw new FrameError(`a message was longer than ${this.#maxBytes} bytes`);
    return bytes.length < head + length
      ? [head + length, undefined, first]
      : [head + length, bytes.subarray(head, head + length), first];
  }

  #taken(first: number, payload: Buffer): Incoming | undefined {
    const opcode = first & 0x0f;
    if (opcode === OPCODES.ping) return { kind: "ping", payload };
    if (opcode === OPCODES.pong) return { kind: "pong" };
    if (opcode === OPCODES.close)
      return {
        kind: "close",
        code: payload.length < 2 ? undefined : payload.readUInt16BE(0),
        reason: payload.toString("utf8", 2),
      };
    if (opcode > OPCODES.binary) throw new FrameError("it sent a frame of an unknown kind");
    if ((opcode === OPCODES.continuation) === (this.#message === undefined))
      throw new FrameError("the fragments of a message were out of order");
    this.#message ??= { opcode, pieces: [], bytes: 0 };
    this.#message.pieces.push(payload);
    this.#message.bytes += payload.length;
    // Pieces of nothing would never come to an end.
    if (this.#message.pieces.length > MAX_PIECES)
      throw new FrameError(`a message came in more than ${MAX_PIECES} fragments`);
    if ((first & 0x80) === 0) return undefined;
    const { opcode: kind, pieces } = this.#message;
    this.#message = undefined;
    const whole = Buffer.concat(pieces);
    if (kind === OPCODES.binary) return { kind: "message", message: whole };
    try {
      return { kind: "message", message: UTF8.decode(whole) };
    } catch {
      throw new FrameError("a text message was not valid UTF-8");
    }
  }
}

const MAX_PIECES = 100_000;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
