import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { UserError } from "../../contract/failure.ts";
import { systemClock } from "../system-clock.ts";

const STALE_MS = 10_000;
const PATIENCE_MS = 5_000;

/**
 * Runs `change` while no other process of ours changes the same file. The lock lies beside it and is taken over after ten seconds,
 * since a change takes milliseconds. Looking again in between is the only way: a lock file tells nobody when it goes.
 */
export async function withFileLock<T>(file: string, change: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const giveUpAt = systemClock.elapsed() + PATIENCE_MS;
  while (!take(lock)) {
    if (systemClock.elapsed() > giveUpAt) throw new UserError(`${file} is being changed by another process.`, { hint: `If none is running, delete ${lock}.` });
    await wait(15);
  }
  try {
    return change();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > STALE_MS) rmSync(lock, { force: true });
  return false;
}
