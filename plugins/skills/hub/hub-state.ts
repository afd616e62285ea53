import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../manage/write-whole.ts";

/** What is known of an installed skill. The keys are the original's; `metadata` is ours. */
export interface LockEntry {
  readonly source: "git" | "folder";
  readonly identifier: string;
  readonly trust_level: "trusted" | "community";
  readonly scan_verdict: "safe" | "caution" | "dangerous";
  readonly content_hash: string;
  /** From the folder of skills. */
  readonly install_path: string;
  readonly files: readonly string[];
  readonly metadata: { readonly url: string; readonly commit?: string; readonly digest: string; readonly forced: boolean };
  readonly installed_at: string;
  readonly updated_at: string;
}

export interface Tap {
  /** `owner/repo`, a Git URL or a folder. */
  readonly repo: string;
  /** The folder in it that skills lie in. */
  readonly path: string;
}

export type Lock = { readonly [name: string]: LockEntry };

export function readLock(skills: string): Lock {
  return (readJson(join(skills, ".hub/lock.json")) as { readonly installed?: Lock } | undefined)?.installed ?? {};
}

export function writeLock(skills: string, installed: Lock): void {
  writeWhole(join(skills, ".hub/lock.json"), `${JSON.stringify({ version: 1, installed }, null, 2)}\n`);
}

export function readTaps(skills: string): readonly Tap[] {
  return (readJson(join(skills, ".hub/taps.json")) as { readonly taps?: readonly Tap[] } | undefined)?.taps ?? [];
}

export function writeTaps(skills: string, taps: readonly Tap[]): void {
  writeWhole(join(skills, ".hub/taps.json"), `${JSON.stringify({ taps }, null, 2)}\n`);
}

/** One line of what was done, for whoever looks later. */
export function note(skills: string, action: "INSTALL" | "UNINSTALL" | "BLOCKED", name: string, what: string): void {
  mkdirSync(join(skills, ".hub"), { recursive: true, mode: 0o700 });
  appendFileSync(join(skills, ".hub/audit.log"), `${new Date().toISOString().slice(0, 19)}Z ${action} ${name} ${what}\n`, { mode: 0o600 });
}

export interface Digest {
  /** As the original writes it. */
  readonly short: string;
  readonly full: string;
  readonly files: readonly string[];
}

/** SHA-256 over the files by their paths: path, NUL, bytes. */
export function digestOf(folder: string): Digest {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(readFileSync(join(folder, file)));
  const full = hash.digest("hex");
  return { short: `sha256:${full.slice(0, 16)}`, full, files };
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
