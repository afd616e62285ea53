import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isDead, thisProcess } from "../facts/process-owner.ts";

/** An exchange takes milliseconds; a guard this old was left by a machine that went down. */
const STALE_MS = 10 * 60 * 1000;

/**
 * While this file exists next to a database, its files are being replaced: a process that finds it, before or after
 * opening or under the write lock, closes and retries. SQLite's own locks are in the replaced files and cannot show
 * this.
 */
export class ExchangeGuard implements Disposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws {FilesInExchange} while another process is at it. */
  static put(path: string): ExchangeGuard {
    refuseGuarded(path);
    try {
      writeFileSync(guardOf(path), JSON.stringify(thisProcess()), { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new FilesInExchange(path);
      throw error;
    }
    return new ExchangeGuard(guardOf(path));
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { force: true });
  }
}

/** Counts as a busy database: it is over soon. */
export class FilesInExchange extends Error {
  readonly errcode = 5;

  constructor(path: string) {
    super(`another process is replacing "${path}"`);
    this.name = "FilesInExchange";
  }
}

/** Costs one `stat` otherwise. @throws {FilesInExchange} */
export function refuseGuarded(path: string): void {
  const guard = statSync(guardOf(path), { throwIfNoEntry: false });
  if (guard === undefined) return;
  if (Date.now() - guard.mtimeMs < STALE_MS && !isDead(holderOf(path))) throw new FilesInExchange(path);
  rmSync(guardOf(path), { force: true });
}

function holderOf(path: string): string {
  try {
    return readFileSync(guardOf(path), "utf8");
  } catch {
    return ""; // Gone just now, or not yet written.
  }
}

function guardOf(path: string): string {
  return `${path}.exchange`;
}
