import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { open, type Entry, type ZipFile } from "yauzl";
import { UserError } from "../../contract/common/failure.ts";

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  /** Permissions, if the archive was made on Unix. */
  readonly mode: number | undefined;
  readonly isFolder: boolean;
}

/** Reads a ZIP archive from a file. Rejects names that lead out of a folder, links and encrypted entries. */
export class ZipReader implements AsyncDisposable {
  readonly path: string;
  readonly entries: readonly ZipEntry[];
  readonly #archive: ZipFile;
  readonly #found: ReadonlyMap<string, Entry>;

  private constructor(path: string, archive: ZipFile, found: ReadonlyMap<string, Entry>) {
    this.path = path;
    this.#archive = archive;
    this.#found = found;
    this.entries = [...found.values()].map(entryOf);
  }

  /** @throws {UserError} that names the archive and what is wrong with it. */
  static async open(path: string): Promise<ZipReader> {
    const archive = await opened(path);
    try {
      return new ZipReader(path, archive, await entriesOf(archive, path));
    } catch (error) {
      archive.close();
      throw error;
    }
  }

  /**
   * Unpacks one entry, and compares its size and checksum with the directory.
   * @param write Receives the content, piece by piece.
   * @returns its SHA-256, hexadecimal.
   * @throws {UserError} if the entry is damaged.
   */
  async extract({ name }: ZipEntry, write: (chunk: Buffer) => Promise<void> | void): Promise<string> {
    const entry = this.#found.get(name)!;
    const hash = createHash("sha256");
    let crc = 0;
    for await (const chunk of this.#content(entry)) {
      crc = crc32(chunk, crc);
      hash.update(chunk);
      await write(chunk);
    }
    if (crc !== entry.crc32) throw this.#damaged(name);
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
    this.#archive.close();
  }

  /** yauzl ends with an error if the content is larger or smaller than the directory says. */
  async *#content(entry: Entry): AsyncGenerator<Buffer, void, undefined> {
    try {
      const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Buffer>>();
      this.#archive.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
      yield* await promise;
    } catch (cause) {
      throw this.#damaged(entry.fileName, cause);
    }
  }

  #damaged(name: string, cause?: unknown): UserError {
    return new UserError(`${this.path} is damaged: the content of "${name}" is wrong.`, {
      hint: "Use another copy of the file.",
      cause,
    });
  }
}

function opened(path: string): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  open(path, options, (error, archive) => {
    if (error === null) resolve(archive);
    else reject((error as NodeJS.ErrnoException).code === undefined ? notZip(path, error.message, error) : error);
  });
  return promise;
}

async function entriesOf(archive: ZipFile, path: string): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  archive.on("error", (error: Error) => reject(notZip(path, error.message, error)));
  archive.on("end", resolve);
  archive.on("entry", (entry: Entry) => {
    const why = found.has(entry.fileName) ? `it contains "${entry.fileName}" twice` : refusal(entry);
    if (why !== undefined) return reject(notZip(path, why));
    found.set(entry.fileName, entry);
    archive.readEntry();
  });
  archive.readEntry();
  await promise;
  return found;
}

/** Why an entry is not unpacked. yauzl itself refuses absolute names and `..`. */
function refusal(entry: Entry): string | undefined {
  const name = entry.fileName;
  const parts = name.replace(/\/$/, "").split("/");
  if (name.includes("\0") || parts.some((part) => part === "" || part === "."))
    return `the name "${name}" is no path in a folder`;
  if (entry.isEncrypted()) return "it is encrypted";
  if (!entry.canDecodeFileData()) return `"${name}" has an unknown compression`;
  return isUnix(entry) && ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
    ? `"${name}" is a link`
    : undefined;
}

function isUnix(entry: Entry): boolean {
  return entry.versionMadeBy >> 8 === 3;
}

function entryOf(entry: Entry): ZipEntry {
  return {
    name: entry.fileName,
    size: entry.uncompressedSize,
    mode: isUnix(entry) ? (entry.externalFileAttributes >>> 16) & 0o777 : undefined,
    isFolder: entry.fileName.endsWith("/"),
  };
}

function notZip(path: string, why: string, cause?: unknown): UserError {
  return new UserError(`${path} is not a ZIP archive that Hermes can read: ${why}.`, {
    hint: "Use another copy of the file.",
    cause,
  });
}
