import { open, rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

/** About ten milliseconds of masking. */
const CHUNK_BYTES = 400_000;
/** A secret that begins in one chunk and ends in the next is no longer. */
const OVERLAP_BYTES = 16_000;

/**
 * Masks the secrets in a file of saved output, which replaces it when it is whole. If that fails, the file is removed.
 */
export async function maskSpill(path: string, redact: (text: string) => string): Promise<void> {
  const masked = `${path}.masked`;
  try {
    await using from = await open(path, "r");
    await using to = await open(masked, "w", 0o600);
    let waiting: Buffer = Buffer.alloc(0);
    for (let at = 0; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const { bytesRead } = await from.read(chunk, 0, CHUNK_BYTES, at);
      at += bytesRead;
      const bytes = Buffer.concat([waiting, chunk.subarray(0, bytesRead)]);
      const last = bytesRead < CHUNK_BYTES;
      const { done, rest } = last
        ? { done: maskedBytes(bytes, redact), rest: Buffer.alloc(0) }
        : maskStart(bytes, redact);
      await to.writeFile(done);
      waiting = rest;
      if (last) break;
      await setImmediate();
    }
    await rename(masked, path);
  } catch (cause) {
    await Promise.all([rm(path, { force: true }), rm(masked, { force: true })]);
    throw cause;
  }
}

/** Masks all but the end, which may be the beginning of a secret. */
function maskStart(bytes: Buffer, redact: (text: string) => string): { readonly done: Buffer; readonly rest: Buffer } {
  const whole = maskedBytes(bytes, redact);
  for (let back = OVERLAP_BYTES; back < OVERLAP_BYTES * 3; back += 4_000) {
    const cut = cutBefore(bytes, bytes.length - back);
    const rest = bytes.subarray(cut);
    const end = maskedBytes(rest, redact);
    // If no secret lies across the cut, both sides are masked as they are in the whole.
    if (whole.subarray(whole.length - end.length).equals(end))
      return { done: whole.subarray(0, whole.length - end.length), rest: Buffer.from(rest) };
  }
  return { done: whole, rest: Buffer.alloc(0) };
}

/** Behind the line break before `at`, or else where a character begins. */
function cutBefore(bytes: Buffer, at: number): number {
  const newline = bytes.lastIndexOf(10, at);
  if (newline > at - OVERLAP_BYTES) return newline + 1;
  let cut = at;
  while (cut > 0 && (bytes[cut]! & 0xc0) === 0x80) cut--;
  return cut;
}

/** Output need not be text. */
function maskedBytes(bytes: Buffer, redact: (text: string) => string): Buffer {
  const text = bytes.toString("utf8");
  const encoding = text.includes("\uFFFD") ? "latin1" : "utf8";
  return Buffer.from(redact(encoding === "utf8" ? text : bytes.toString("latin1")), encoding);
}
