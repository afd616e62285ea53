import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

export interface AddedEntry {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Writes a ZIP archive into a new file, one entry after the other, without holding a file in memory. */
export class ZipWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #archive = new ZipFile();
  readonly #written: Promise<void>;
  readonly #failed = Promise.withResolvers<never>();

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#written = pipeline(this.#archive.outputStream as Readable, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await file.appendFile(chunk);
    });
    this.#written.catch(this.#failed.reject);
    this.#archive.on("error", this.#failed.reject);
    this.#failed.promise.catch(() => undefined);
  }

  /** Only the user can read the file. Fails if it exists. */
  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, "wx", 0o600));
  }

  /** @param source Path of a file, or the content itself. */
  async add(
    name: string,
    source: { readonly path: string } | { readonly content: string },
    { mode, mtimeMs }: { readonly mode: number; readonly mtimeMs: number },
  ): Promise<AddedEntry> {
    const hash = createHash("sha256");
    let bytes = 0;
    const from = "path" in source ? createReadStream(source.path) : Readable.from([Buffer.from(source.content)]);
    const read = Promise.withResolvers<void>();
    async function* hashed(): AsyncGenerator<Buffer, void, undefined> {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      read.resolve();
    }
    const content = Readable.from(hashed()).once("error", read.reject);
    this.#archive.addReadStream(content, name, { mode: 0o100000 | mode, mtime: new Date(mtimeMs) });
    await Promise.race([read.promise, this.#failed.promise]);
    return { bytes, sha256: hash.digest("hex") };
  }

  /** Writes the directory and syncs the file. */
  async finish(): Promise<void> {
    this.#archive.end();
    await Promise.race([this.#written, this.#failed.promise]);
    await this.#file.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
