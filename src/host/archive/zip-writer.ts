import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";
import {
  CENTRAL_HEADER,
  DEFLATE,
  dosTime,
  END,
  END_64,
  END_64_LOCATOR,
  LOCAL_HEADER,
  MADE_BY,
  MAX_16,
  MAX_32,
  UTF8_NAMES,
  VERSION_NEEDED,
  ZIP64_EXTRA,
} from "./zip-format.ts";

export interface AddedEntry {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

interface CentralEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
}

/** Space for the local header's 64-bit sizes; always reserved, because a size is known only after compression. */
const LOCAL_EXTRA = 20;

/** Writes a ZIP archive into a new file, one entry after the other, without holding a file in memory. */
export class ZipWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #entries: CentralEntry[] = [];
  #position = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Only the user can read the file. Fails if it exists. */
  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, "wx", 0o600));
  }

  /** @param source Path of a file, or the content itself. */
  async add(
    name: string,
    source: { readonly path: string } | { readonly content: string },
    about: { readonly mode: number; readonly mtimeMs: number },
  ): Promise<AddedEntry> {
    const offset = this.#position;
    const nameBytes = Buffer.from(name);
    this.#position += 30 + nameBytes.length + LOCAL_EXTRA;
    const hash = createHash("sha256");
    let [crc, size, compressed] = [0, 0, 0];
    const from = "path" in source ? createReadStream(source.path) : Readable.from([Buffer.from(source.content)]);
    await pipeline(
      from,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          crc = crc32(chunk, crc);
          size += chunk.length;
          yield chunk;
        }
      },
      createDeflateRaw(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          await this.#write(chunk, this.#position);
          this.#position += chunk.length;
          compressed += chunk.length;
        }
      },
    );
    const entry = { name: nameBytes, offset, crc, compressed, size, ...about };
    await this.#write(localHeader(entry), offset);
    this.#entries.push(entry);
    return { bytes: size, sha256: hash.digest("hex") };
  }

  /** Writes the directory and syncs the file. */
  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries) {
      const header = centralHeader(entry);
      await this.#write(header, this.#position);
      this.#position += header.length;
    }
    await this.#write(endOf(this.#entries.length, start, this.#position), this.#position);
    await this.#file.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;)
      done += (await this.#file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

function localHeader({ name, crc, compressed, size, mtimeMs }: CentralEntry): Buffer {
  const { date, time } = dosTime(mtimeMs);
  const header = Buffer.alloc(30 + name.length + LOCAL_EXTRA);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION_NEEDED, 4);
  header.writeUInt16LE(UTF8_NAMES, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(MAX_32, 18);
  header.writeUInt32LE(MAX_32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(LOCAL_EXTRA, 28);
  name.copy(header, 30);
  const extra = 30 + name.length;
  header.writeUInt16LE(ZIP64_EXTRA, extra);
  header.writeUInt16LE(16, extra + 2);
  header.writeBigUInt64LE(BigInt(size), extra + 4);
  header.writeBigUInt64LE(BigInt(compressed), extra + 12);
  return header;
}

function centralHeader({ name, offset, crc, compressed, size, mode, mtimeMs }: CentralEntry): Buffer {
  const { date, time } = dosTime(mtimeMs);
  const header = Buffer.alloc(46 + name.length + 28);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_BY, 4);
  header.writeUInt16LE(VERSION_NEEDED, 6);
  header.writeUInt16LE(UTF8_NAMES, 8);
  header.writeUInt16LE(DEFLATE, 10);
  header.writeUInt16LE(time, 12);
  header.writeUInt16LE(date, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(MAX_32, 20);
  header.writeUInt32LE(MAX_32, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(28, 30);
  header.writeUInt32LE((((mode & 0o777) | 0o100000) << 16) >>> 0, 38);
  header.writeUInt32LE(MAX_32, 42);
  name.copy(header, 46);
  const extra = 46 + name.length;
  header.writeUInt16LE(ZIP64_EXTRA, extra);
  header.writeUInt16LE(24, extra + 2);
  header.writeBigUInt64LE(BigInt(size), extra + 4);
  header.writeBigUInt64LE(BigInt(compressed), extra + 12);
  header.writeBigUInt64LE(BigInt(offset), extra + 20);
  return header;
}

function endOf(count: number, start: number, end: number): Buffer {
  const tail = Buffer.alloc(56 + 20 + 22);
  tail.writeUInt32LE(END_64, 0);
  tail.writeBigUInt64LE(44n, 4);
  tail.writeUInt16LE(MADE_BY, 12);
  tail.writeUInt16LE(VERSION_NEEDED, 14);
  tail.writeBigUInt64LE(BigInt(count), 24);
  tail.writeBigUInt64LE(BigInt(count), 32);
  tail.writeBigUInt64LE(BigInt(end - start), 40);
  tail.writeBigUInt64LE(BigInt(start), 48);
  tail.writeUInt32LE(END_64_LOCATOR, 56);
  tail.writeBigUInt64LE(BigInt(end), 64);
  tail.writeUInt32LE(1, 72);
  tail.writeUInt32LE(END, 76);
  tail.writeUInt16LE(Math.min(count, MAX_16), 84);
  tail.writeUInt16LE(Math.min(count, MAX_16), 86);
  tail.writeUInt32LE(Math.min(end - start, MAX_32), 88);
  tail.writeUInt32LE(Math.min(start, MAX_32), 92);
  return tail;
}
