import { setTimeout as wait } from "node:timers/promises";
import { UserError } from "../../contract/common/failure.ts";
import { takeSystemLock } from "../store/facts/system-lock.ts";
import { systemClock } from "../app/system-clock.ts";

const PATIENCE_MS = 5_000;

/**
 * Runs `change` under a lock, so that no other Hermes process changes the same file. The lock file is next to it and
 * ends with its process. Waiting polls, because such a lock does not notify.
 */
export async function withFileLock<T>(file: string, change: () => T): Promise<T> {
  const beside = `${file}.lock`;
  const giveUpAt = systemClock.elapsed() + PATIENCE_MS;
  for (;;) {
    using lock = takeSystemLock(beside);
    if (lock !== undefined) return change();
    if (systemClock.elapsed() > giveUpAt)
      throw new UserError(`Another process is changing ${file}.`, {
        hint: "Nothing was changed. Try again when that process has finished.",
      });
    await wait(15);
  }
}
