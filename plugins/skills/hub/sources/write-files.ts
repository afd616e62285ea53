import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeVisible, UserError } from "hermes-agent/plugin";

/** A file of a skill as a source sent it. */
export interface SentFile {
  /** From the skill's folder, or from the root of what was asked for. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/** A skill is text with a few files beside it. */
export const MAX_FILES = 300;
export const MAX_BYTES = 20_000_000;

/**
 * Puts files into a folder that nothing else writes to. @throws {UserError} for a path that leads elsewhere, and for
 * more than a skill can be.
 */
export function writeFiles(root: string, files: readonly SentFile[], from: string): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (files.length > MAX_FILES || bytes > MAX_BYTES) throw tooMuch(from);
  for (const { path } of files) refuseOdd(path, from);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const { path, bytes: content, executable } of files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: executable === true ? 0o700 : 0o600, flag: "wx" });
  }
}

/** @throws {UserError} for what no file of a skill is called. */
export function refuseOdd(path: string, from: string): void {
  const names = path.split("/");
  // eslint-disable-next-line no-control-regex
  if (
    path.length > 400 ||
    /[\\\u0000-\u001f\u007f]|^[A-Za-z]:/.test(path) ||
    names.some((name) => name === "" || name === "." || name === ".." || name.toLowerCase() === ".git")
  )
    throw new UserError(`${from} sent a file with an unsafe name: ${JSON.stringify(makeVisible(path.slice(0, 100)))}.`);
}

export function tooMuch(from: string): UserError {
  return new UserError(
    `${from} is too large for a skill: at most ${MAX_FILES} files, together ${MAX_BYTES / 1_000_000} MB.`,
  );
}
