import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Files that running a plugin creates, and git's own files. */
const NOT_CONTENT = new Set([".git", "__pycache__", ".DS_Store"]);

/**
 * One hash for everything in a folder: names, bytes, links and their targets. Two folders with one hash are the same
 * plugin.
 */
export function contentHash(dir: string): string {
  const hash = createHash("sha256");
  visit("");
  return `sha256-${hash.digest("base64")}`;

  function visit(folder: string): void {
    // By code units, so that the order is the same on every system.
    const entries = readdirSync(join(dir, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      // A file that was copied from an example belongs to the user, who may edit it.
      if (NOT_CONTENT.has(entry.name) || names.has(`${entry.name}.example`)) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(name);
      else if (entry.isSymbolicLink()) add(name, "link", Buffer.from(readlinkSync(join(dir, name))));
      else if (entry.isFile()) add(name, "file", readFileSync(join(dir, name)));
    }
  }

  /** Lengths come first, so that no two lists of files produce the same bytes. */
  function add(name: string, kind: "file" | "link", bytes: Buffer): void {
    hash.update(`${kind} ${Buffer.byteLength(name)} ${name} ${bytes.length}\n`);
    hash.update(bytes);
  }
}
