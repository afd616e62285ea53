import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { FileContent, Row } from "./table.ts";

export function writeFiles(root: string, files: Row["files"] = {}): void {
  for (const [path, content] of Object.entries(files)) {
    const file = resolve(root, path);
    if (content === null) mkdirSync(file, { recursive: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytesOf(content));
    }
  }
}

export function lookAt(root: string, look: readonly string[]): { readonly [path: string]: string | null } {
  return Object.fromEntries(look.map((path) => [path, textOf(resolve(root, path))]));
}

function bytesOf(content: Exclude<FileContent, null>): string | Uint8Array {
  if (typeof content === "string") return content;
  return "base64" in content ? Buffer.from(content.base64, "base64") : content.repeat[0].repeat(content.repeat[1]);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null; // That it is not there is an answer too.
  }
}
