import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What is made by running a plugin, and what git keeps for itself. */
const NOT_CONTENT = new Set([".git", "__pycache__", ".DS_Store"]);

/** One name for everything in a folder: names, bytes, links and what they say. Two folders with one hash are the same plugin. */
export function contentHash(dir: string): string {
  const hash = createHash("sha256");
  visit("");
  return `sha256-${hash.digest("base64")}`;

  function visit(folder: string): void {
    // By code units, so that every machine has the same order.
    const entries = readdirSync(join(dir, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      // What came with an example is the person's own to edit.
      if (NOT_CONTENT.has(entry.name) || names.has(`${entry.name}.example`)) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(name);
      else if (entry.isSymbolicLink()) add(name, "link", Buffer.from(readlinkSync(join(dir, name))));
      else if (entry.isFile()) add(name, "file", readFileSync(join(dir, name)));
    }
  }

  /** Lengths go in front, so that no two lists of files run together into the same bytes. */
  function add(name: string, kind: "file" | "link", bytes: Buffer): void {
    hash.update(`${kind} ${Buffer.byteLength(name)} ${name} ${bytes.length}\n`);
    hash.update(bytes);
  }
}
