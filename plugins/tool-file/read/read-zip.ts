import { inflateRawSync } from "node:zlib";

/** The files of a ZIP archive in memory. */
export interface Zip {
  readonly names: readonly string[];
  /**
   * `undefined` when there is no such file. @throws when it is damaged, or when more than 50 MB of the archive were
   * read.
   */
  text(name: string): string | undefined;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const MAX_BYTES = 50_000_000;
const TOO_MUCH = "it has more than 50 MB of text";

/** Reads a ZIP archive's directory; reads files on demand. @throws when it is not a ZIP archive. */
export function readZip(bytes: Uint8Array): Zip {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(buffer);
  const entries = new Map<string, { method: number; packed: number; at: number }>();
  let at = buffer.readUInt32LE(end + 16);
  for (let count = buffer.readUInt16LE(end + 10); count > 0; count--) {
    if (buffer.readUInt32LE(at) !== ENTRY) throw new Error("its directory is damaged");
    const nameLength = buffer.readUInt16LE(at + 28);
    const name = buffer.toString("utf8", at + 46, at + 46 + nameLength);
    entries.set(name, {
      method: buffer.readUInt16LE(at + 10),
      packed: buffer.readUInt32LE(at + 20),
      at: buffer.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  let room = MAX_BYTES;
  return {
    names: [...entries.keys()],
    text(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const from = entry.at + 30 + buffer.readUInt16LE(entry.at + 26) + buffer.readUInt16LE(entry.at + 28);
      const packed = buffer.subarray(from, from + entry.packed);
      if (entry.method !== 0 && entry.method !== 8)
        throw new Error(`its compression method ${entry.method} is not supported`);
      // Many files may share the same compressed bytes, so limit the total of the decompressed bytes.
      const file = entry.method === 0 ? packed : inflated(packed, room);
      if ((room -= file.length) < 0) throw new Error(TOO_MUCH);
      return file.toString("utf8");
    },
  };
}

function inflated(packed: Buffer, maxBytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? new Error(TOO_MUCH, { cause }) : cause;
  }
}

/** Only a comment of at most 65,535 bytes can follow the end record. */
function findEnd(buffer: Buffer): number {
  for (let at = buffer.length - 22; at >= Math.max(0, buffer.length - 22 - 65_535); at--) {
    if (buffer.readUInt32LE(at) === END) return at;
  }
  throw new Error("it is not a ZIP archive");
}
