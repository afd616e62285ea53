import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { PassThrough, type Transform } from "node:stream";
import { UserError } from "../../contract/common/failure.ts";
import {
  CENTRAL_HEADER,
  DEFLATE,
  END,
  END_64,
  END_64_LOCATOR,
  LOCAL_HEADER,
  MAX_16,
  MAX_32,
  STORED,
  ZIP64_EXTRA,
} from "./zip-format.ts";

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly compressed: number;
  readonly crc: number;
  readonly method: number;
  /** Permissions, if the archive was made on Unix. */
  readonly mode: number | undefined;
  readonly isFolder: boolean;
  readonly offset: number;
}

const MAX_DIRECTORY = 256 * 1024 * 1024;

/** Reads a ZIP archive from a file. Rejects names that lead out of a folder, links and encrypted entries. */
export class ZipReader implements AsyncDisposable {
  readonly path: string;
  readonly entries: readonly ZipEntry[];
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle, entries: readonly ZipEntry[]) {
    this.path = path;
    this.#file = file;
    this.entries = entries;
  }

  /** @throws {UserError} that names the archive and what is wrong with it. */
  static async open(path: string): Promise<ZipReader> {
    const file = await open(path, "r");
    try {
      return new ZipReader(path, file, await readDirectory(file, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Unpacks one entry, and compares its size and checksum with the directory.
   * @param write Receives the content, piece by piece.
   * @returns its SHA-256, hexadecimal.
   * @throws {UserError} if the entry is damaged.
   */
  async extract(entry: ZipEntry, write: (chunk: Buffer) => Promise<void> | void): Promise<string> {
    const head = await this.#read(entry.offset, 30);
    if (head.readUInt32LE(0) !== LOCAL_HEADER) throw this.#damaged(entry.name);
    const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const hash = createHash("sha256");
    let [crc, size] = [0, 0];
    const unpacked: Transform = entry.method === DEFLATE ? createInflateRaw() : new PassThrough();
    try {
      await pipeline(this.#pieces(start, entry.compressed), unpacked, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          size += chunk.length;
          // More than declared: an archive made to fill the disk.
          if (size > entry.size) throw this.#damaged(entry.name);
          crc = crc32(chunk, crc);
          hash.update(chunk);
          await write(chunk);
        }
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code?.startsWith("Z_") === true ? this.#damaged(entry.name, error) : error;
    }
    if (size !== entry.size || crc !== entry.crc) throw this.#damaged(entry.name);
    return hash.digest("hex");
  }

  /** A small entry as text. @throws {UserError} if it is larger than `maxBytes`. */
  async text(entry: ZipEntry, maxBytes: number): Promise<string> {
    if (entry.size > maxBytes) throw this.#damaged(entry.name);
    const chunks: Buffer[] = [];
    await this.extract(entry, (chunk) => void chunks.push(chunk));
    return Buffer.concat(chunks).toString("utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async *#pieces(start: number, length: number): AsyncGenerator<Buffer, void, undefined> {
    for (let done = 0; done < length;) {
      const piece = await this.#read(start + done, Math.min(1 << 18, length - done));
      done += piece.length;
      yield piece;
    }
  }

  #read(position: number, length: number): Promise<Buffer> {
    return readAt(this.#file, this.path, position, length);
  }

  #damaged(name: string, cause?: unknown): UserError {
    return new UserError(`${this.path} is damaged: the content of "${name}" is wrong.`, {
      hint: "Use another copy of the file.",
      cause,
    });
  }
}

async function readAt(file: FileHandle, path: string, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw notZip(path, "it ends too early");
    done += bytesRead;
  }
  return bytes;
}

async function readDirectory(file: FileHandle, path: string): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  // The end record may be followed by a comment of up to 65,535 bytes.
  const tailAt = Math.max(0, size - MAX_16 - 22 - 20);
  const tail = await readAt(file, path, tailAt, size - tailAt);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END) throw notZip(path, "it has no directory");
  let count = tail.readUInt16LE(end + 10);
  let length = tail.readUInt32LE(end + 12);
  let start = tail.readUInt32LE(end + 16);
  if (end >= 20 && tail.readUInt32LE(end - 20) === END_64_LOCATOR) {
    const end64 = await readAt(file, path, Number(tail.readBigUInt64LE(end - 12)), 56);
    if (end64.readUInt32LE(0) !== END_64) throw notZip(path, "its directory is damaged");
    count = Number(end64.readBigUInt64LE(32));
    length = Number(end64.readBigUInt64LE(40));
    start = Number(end64.readBigUInt64LE(48));
  }
  if (length > MAX_DIRECTORY || start + length > size) throw notZip(path, "its directory is damaged");
  const directory = await readAt(file, path, start, length);
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; entries.length < count;) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL_HEADER)
      throw notZip(path, "its directory is damaged");
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const entry = entryAt(directory, at, nameLength, extraLength, path);
    if (names.has(entry.name)) throw notZip(path, `it contains "${entry.name}" twice`);
    names.add(entry.name);
    entries.push(entry);
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function entryAt(directory: Buffer, at: number, nameLength: number, extraLength: number, path: string): ZipEntry {
  const name = directory.toString("utf8", at + 46, at + 46 + nameLength);
  if (!isSafe(name)) throw notZip(path, `the name "${name}" leads out of the folder`);
  if ((directory.readUInt16LE(at + 8) & 1) !== 0) throw notZip(path, "it is encrypted");
  const method = directory.readUInt16LE(at + 10);
  if (method !== DEFLATE && method !== STORED) throw notZip(path, `"${name}" has an unknown compression`);
  let size = directory.readUInt32LE(at + 24);
  let compressed = directory.readUInt32LE(at + 20);
  let offset = directory.readUInt32LE(at + 42);
  // Of the 64-bit fields only those are there whose 32-bit field is full, in this order.
  let field = extraField(directory, at + 46 + nameLength, extraLength);
  const next = (): number => {
    if (field === undefined || field + 8 > directory.length) throw notZip(path, "its directory is damaged");
    field += 8;
    return Number(directory.readBigUInt64LE(field - 8));
  };
  if (size === MAX_32) size = next();
  if (compressed === MAX_32) compressed = next();
  if (offset === MAX_32) offset = next();
  const unix = directory.readUInt16LE(at + 4) >> 8 === 3;
  const mode = directory.readUInt32LE(at + 38) >>> 16;
  if (unix && (mode & 0o170000) === 0o120000) throw notZip(path, `"${name}" is a link`);
  return {
    name,
    size,
    compressed,
    crc: directory.readUInt32LE(at + 16),
    method,
    mode: unix ? mode & 0o777 : undefined,
    isFolder: name.endsWith("/"),
    offset,
  };
}

/** Position of the 64-bit fields in an entry's extra data. */
function extraField(directory: Buffer, start: number, length: number): number | undefined {
  for (let at = start; at + 4 <= start + length;) {
    if (directory.readUInt16LE(at) === ZIP64_EXTRA) return at + 4;
    at += 4 + directory.readUInt16LE(at + 2);
  }
  return undefined;
}

function isSafe(name: string): boolean {
  return (
    name !== "" &&
    !/[\0\\]|^\/|^[A-Za-z]:/.test(name) &&
    !name
      .replace(/\/$/, "")
      .split("/")
      .some((part) => part === "" || part === "." || part === "..")
  );
}

function notZip(path: string, why: string): UserError {
  return new UserError(`${path} is not a ZIP archive that Hermes can read: ${why}.`, {
    hint: "Use another copy of the file.",
  });
}
