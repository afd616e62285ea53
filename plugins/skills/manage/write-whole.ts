import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

let count = 0;

/** Replaces a file so that a reader, or a crash, sees the old text or the new one. It keeps its mode. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.${(count += 1)}.tmp`);
  try {
    const handle = openSync(beside, "wx", statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw cause;
  }
}
