import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { withFileLock } from "../config/file-lock.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { decodeStored, encodeStored, NEW_TEXT, type StoredText } from "./stored-text.ts";

/**
 * Changes a text file in the agent's home. The write is atomic, and a lock keeps other Hermes processes from changing
 * the file meanwhile.
 */
export async function changeFile(
  home: string,
  path: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  const file = resolve(home, path);
  const below = relative(home, file);
  if (below === "" || below.startsWith("..") || isAbsolute(below))
    throw new UserError(`"${path}" is not in the agent's home.`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await withFileLock(file, () => {
    const before = textOf(file);
    const after = change(before?.text);
    if (after !== undefined && after !== before?.text)
      writeAtomically(file, encodeStored(after, (before ?? NEW_TEXT).encoding, file));
  });
}

/** `undefined` when it is not there. */
function textOf(file: string): StoredText | undefined {
  let handle: number;
  try {
    // A pipe without a writer must not block the call.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    if (!fstatSync(handle).isFile())
      throw new UserError(`${file} is not a regular file.`, { hint: "Move it away. Nothing was changed." });
    return decodeStored(readFileSync(handle), file);
  } finally {
    closeSync(handle);
  }
}
