import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FRESH_MS = 60_000;
const folders = new Map<string, string>();

/**
 * The folder of all terminals of this user, so that a sandbox can hide the others: a process that writes into a shell's
 * pipes gives it commands. The first call in a process removes what killed agents left.
 */
export function pipesFolder(): string {
  const above = tmpdir();
  const known = folders.get(above);
  if (known !== undefined && isOurs(known)) return known;
  const folder = join(above, `hermes-terminals-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder)) throw new Error(`${folder} belongs to another user, or other users can write to it`);
  folders.set(above, folder);
  for (const name of readdirSync(folder))
    if (isForsaken(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
  return folder;
}

function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return (
    found !== undefined &&
    found.isDirectory() &&
    (process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0))
  );
}

/** No process holds the pipe for commands open. An agent does as long as it lives. */
function isForsaken(folder: string): boolean {
  try {
    if (Date.now() - statSync(folder).mtimeMs < FRESH_MS) return false;
    return [folder, ...readdirSync(folder).map((name) => join(folder, name))].every(
      (shell) => !isHeld(join(shell, "in")),
    );
  } catch {
    return false; // Another process is removing it.
  }
}

function isHeld(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return !["ENXIO", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
