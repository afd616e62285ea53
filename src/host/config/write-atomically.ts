import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file so that a reader, or a crash, sees the old content or the new one and never a mixture. Mode 0600.
 * A symbolic link stays one: the file it leads to is replaced.
 */
export function writeAtomically(
  file: string,
  content: string | Uint8Array,
  options: { readonly durable?: boolean } = {},
): void {
  const target = resolveLink(file);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}.${(count += 1)}.tmp`);
  try {
    const descriptor = openSync(beside, "wx", 0o600);
    try {
      writeFileSync(descriptor, content);
      if (options.durable ?? true) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** For copies that can be made again: a home that cannot be written to costs time, nothing else. */
export function writeCopy(file: string, text: string): void {
  try {
    writeAtomically(file, text, { durable: false });
  } catch {
    // Read-only or full: the copy is made again next time.
  }
}

let count = 0;

function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // It does not exist yet.
  }
}
