import { appendFileSync, openSync, closeSync, renameSync, rmSync, statSync } from "node:fs";

export interface LogFileOptions {
  readonly file: string;
  /** Makes the file's folder. False where there is to be none: the lines are lost. */
  readonly makeFolder: () => boolean;
  readonly maxBytes: number;
  /** Older files kept: `agent.log.1` is the newest of them. */
  readonly backups: number;
}

const MAX_BUFFERED = 4_000_000;
const WAIT_MS = 100;

/**
 * Appends lines without holding anybody up. Lines wait at most a tenth of a second in memory and are written together;
 * a disk that refuses loses log lines and nothing else.
 */
export class LogFile implements AsyncDisposable {
  #options: LogFileOptions;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  configure({ maxBytes, backups }: { readonly maxBytes?: number; readonly backups?: number }): void {
    this.#options = {
      ...this.#options,
      maxBytes: maxBytes ?? this.#options.maxBytes,
      backups: backups ?? this.#options.backups,
    };
  }

  write(line: string): void {
    if (this.#waitingBytes > MAX_BUFFERED) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS).unref();
  }

  /** Resolves when every line so far is on disk, or was refused by it. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const text = this.#take();
      if (text === "") return;
      try {
        if (!this.#options.makeFolder()) return;
        // Loaded with the first line: a start that logs nothing does not pay for it.
        const { appendFile } = process.getBuiltinModule("node:fs/promises");
        this.#rotate(text.length);
        await appendFile(this.#options.file, text, { mode: 0o600 });
      } catch {
        // A full or read-only disk: the log is the first thing to go without.
      }
    });
    return this.#writing;
  }

  /** For the end of the process, when nothing may wait any more. */
  flushSync(): void {
    const text = this.#take();
    if (text === "") return;
    try {
      if (!this.#options.makeFolder()) return;
      this.#rotate(text.length);
      appendFileSync(this.#options.file, text, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not stop the program.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #take(): string {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dropped > 0)
      this.#waiting.push(
        JSON.stringify({
          time: new Date().toISOString(),
          level: "warning",
          name: "logger",
          message: `${this.#dropped} lines were dropped: the disk was too slow for them.`,
        }),
      );
    const text = this.#waiting.length === 0 ? "" : `${this.#waiting.join("\n")}\n`;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#dropped = 0;
    return text;
  }

  /**
   * Several processes write one log: the one with the lock checks again and rotates the files; the others continue
   * appending.
   */
  #rotate(coming: number): void {
    const { file, backups } = this.#options;
    if (!this.#full(coming)) return;
    const lock = `${file}.lock`;
    try {
      closeSync(openSync(lock, "wx", 0o600));
    } catch {
      const held = statSync(lock, { throwIfNoEntry: false });
      if (held !== undefined && Date.now() - held.mtimeMs > 10_000) rmSync(lock, { force: true });
      return;
    }
    try {
      if (!this.#full(coming)) return;
      if (backups === 0) rmSync(file, { force: true });
      for (let number = backups; number > 0; number--) {
        const from = number === 1 ? file : `${file}.${number - 1}`;
        if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${number}`);
      }
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #full(coming: number): boolean {
    const size = statSync(this.#options.file, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0 && size + coming > this.#options.maxBytes;
  }
}
