import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { decodeBytes, encodeString, encodingName, ToolFailure, UTF_8 } from "hermes-agent/plugin";

let count = 0;

/** Replaces a file so that a reader, or a crash, sees the old text or the new one. It keeps its mode. */
export function writeWhole(file: string, text: string): void {
  const bytes = encoded(file, text);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.${(count += 1)}.tmp`);
  try {
    const handle = openSync(beside, "wx", statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600);
    try {
      writeFileSync(handle, bytes);
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

/** A file that is there keeps its encoding. */
function encoded(file: string, text: string): Uint8Array {
  const encoding = existsSync(file) ? decodeBytes(readFileSync(file))?.encoding : undefined;
  const stored = encodeString(text, encoding ?? UTF_8);
  if ("bytes" in stored) return stored.bytes;
  throw new ToolFailure(
    "bad_arguments",
    `${file} is stored as ${encodingName(encoding!)}, which does not have the character ${JSON.stringify(stored.missing)}; nothing was changed.`,
    { hint: "Ask the user to save the file as UTF-8." },
  );
}
