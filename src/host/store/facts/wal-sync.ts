import { closeSync, fsync, openSync } from "node:fs";

/**
 * Waits for the disk beside the event loop. SQLite's own sync at each commit holds the process up; with
 * `synchronous = NORMAL` it syncs only where it must for the file to stay whole, and a commit is durable when the WAL
 * was synced after it.
 */
export class WalSync {
  readonly #descriptor: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failure: Error | undefined;
  #closed = false;

  /**
   * @param wal Exists already. POSIX locks are on the main file and its index, so closing a descriptor of the WAL
   * releases none of them.
   */
  constructor(wal: string) {
    this.#descriptor = openSync(wal, "r+");
  }

  /**
   * Resolves when all that was committed before is on the disk. Commits that wait for a running sync share the next
   * one. Once it failed it always does: the system forgets what it could not write.
   */
  onDisk(): Promise<void> {
    if (this.#running === undefined) return this.#sync();
    this.#next ??= this.#running.then(
      () => this.#sync(),
      () => this.#sync(),
    );
    return this.#next;
  }

  #sync(): Promise<void> {
    this.#next = undefined;
    const done = Promise.withResolvers<void>();
    this.#running = done.promise;
    const ended = (error: Error | null): void => {
      this.#failure ??= error ?? undefined;
      this.#running = undefined;
      if (this.#closed && this.#next === undefined) closeSync(this.#descriptor);
      if (this.#failure === undefined) done.resolve();
      else done.reject(this.#failure);
    };
    if (this.#failure === undefined) fsync(this.#descriptor, ended);
    else ended(this.#failure);
    return done.promise;
  }

  /** A sync that runs, or waits for one that does, ends first. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#running === undefined) closeSync(this.#descriptor);
  }
}
