import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAtomically } from "../config/write-atomically.ts";
import { makeFolder } from "../environment/make-folder.ts";
import { walkSkills } from "./walk-skills.ts";

export const MANIFEST = ".bundled_manifest";

/**
 * Copies bundled skills into the home: new ones, and in place of unchanged copies. A changed copy stays, a deleted
 * one does not return. Copies are written next to their path and renamed.
 */
export function seedBundled(bundled: string, folder: string): void {
  const manifest = join(folder, MANIFEST);
  const before = readManifest(manifest);
  const after = new Map<string, string>();
  for (const { path, folder: source } of walkSkills(bundled)) {
    const name = basename(path);
    const target = join(folder, path);
    const recorded = before.get(name);
    const hash = hashOf(source);
    const present = existsSync(target) ? hashOf(target) : undefined;
    if (recorded === undefined ? present === undefined : present === recorded && hash !== recorded) {
      replaceBy(source, target, folder);
      after.set(name, hash);
    } else if (recorded !== undefined) after.set(name, recorded);
    else if (present === hash) after.set(name, hash);
  }
  const text = [...after]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hash]) => `${name}:${hash}\n`)
    .join("");
  if (!existsSync(manifest) || readFileSync(manifest, "utf8") !== text) writeAtomically(manifest, text);
}

/** The names that were ever copied, with the hash of the copy. */
export function readManifest(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) =>
        line.includes(":")
          ? [[line.slice(0, line.lastIndexOf(":")), line.slice(line.lastIndexOf(":") + 1).trim()] as const]
          : [],
      ),
  );
}

/** The original's: MD5 over the sorted paths and the bytes of all files. It tells a change, it guards nothing. */
export function hashOf(folder: string): string {
  const hash = createHash("md5");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}

function replaceBy(source: string, target: string, folder: string): void {
  makeFolder(dirname(target));
  const beside = join(folder, `.new-${basename(target)}-${process.pid}`);
  const old = `${beside}.old`;
  try {
    cpSync(source, beside, { recursive: true });
    if (existsSync(target)) renameSync(target, old);
    renameSync(beside, target);
  } catch (cause) {
    if (existsSync(old) && !existsSync(target)) renameSync(old, target);
    // Another process may have put the same there meanwhile.
    if (!existsSync(target)) throw cause;
  } finally {
    for (const left of [beside, old]) rmSync(left, { recursive: true, force: true });
  }
}
