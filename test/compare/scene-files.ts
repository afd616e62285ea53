import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { FileContent, Row } from "./table.ts";

/**
 * Gives each file a time one second after the previous one: a fast disk gives several files the same time, and some
 * tools sort by it.
 */
export function writeFiles(root: string, home: string, files: Row["files"] = {}): void {
  const entries = Object.entries(files);
  const now = Date.now() / 1000;
  for (const [index, [path, content]] of entries.entries()) {
    const file = resolve(root, path.replace("$HOME", home));
    if (content === null) mkdirSync(file, { recursive: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytesOf(content));
      const at = now - (entries.length - index);
      utimesSync(file, at, at);
    }
  }
}

export function lookAt(
  root: string,
  home: string,
  look: readonly string[],
): { readonly [path: string]: string | null } {
  return Object.fromEntries(look.map((path) => [path, textOf(resolve(root, path.replace("$HOME", home)))]));
}

function bytesOf(content: Exclude<FileContent, null>): string | Uint8Array {
  if (typeof content === "string") return content;
  return "base64" in content ? Buffer.from(content.base64, "base64") : content.repeat[0].repeat(content.repeat[1]);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null; // A missing file is a result too.
  }
}
