import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A path in quotes, or without spaces except those behind a backslash. */
const WORD = /"[^"]*"|'[^']*'|(?:\\.|[^\s\\])+/g;
const IMAGE = /\.(?:png|jpe?g|gif|webp)["']?$/i;
const MAX_CHARACTERS = 10_000;

/**
 * The absolute paths of the images that a user dropped on the terminal, which pastes them: existing files with an
 * image's name, and nothing else. Empty for any other text.
 */
export function droppedImages(text: string, cwd: string): readonly string[] {
  const words = text.length > MAX_CHARACTERS ? [] : (text.trim().match(WORD) ?? []);
  if (!words.every((word) => IMAGE.test(word) && /^["']?(?:~?\/|file:\/\/|[a-z]:\\)/i.test(word))) return [];
  const paths = words.map((word) => typedPath(word, cwd));
  return paths.every((path) => existsSync(path)) ? paths : [];
}

/**
 * The absolute path that a user typed, or that a terminal pastes for a dropped file: quoted, with backslashes before
 * spaces, or as a `file:` address.
 */
export function typedPath(typed: string, cwd: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(typed)?.[2];
  const plain = quoted ?? typed.replaceAll(/\\(.)/g, "$1");
  if (plain.startsWith("file:///")) return fileURLToPath(plain);
  return resolve(cwd, plain.replace(/^~(?=\/)/, process.env.HOME ?? "~"));
}
