import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "hermes-agent/plugin";
import { writeWhole } from "../manage/write-whole.ts";

/** The record of an installed skill. The keys are the original's; `metadata` is ours. */
export interface LockEntry {
  readonly source: "git" | "folder" | "claude-marketplace" | "clawhub" | "lobehub";
  readonly identifier: string;
  readonly trust_level: "trusted" | "community";
  readonly scan_verdict: "safe" | "caution" | "dangerous";
  readonly content_hash: string;
  /** From the folder of skills. */
  readonly install_path: string;
  readonly files: readonly string[];
  readonly metadata: {
    readonly url: string;
    readonly commit?: string;
    readonly digest: string;
    readonly forced: boolean;
  };
  readonly installed_at: string;
  readonly updated_at: string;
}

export interface Tap {
  /** `owner/repo`, a Git URL or a folder. */
  readonly repo: string;
  /** The folder of the repository that contains skills. */
  readonly path: string;
}

export type Lock = { readonly [name: string]: LockEntry };

/** The records, and what a process is about to install, or was when it was killed. */
export interface Hub {
  readonly installed: Lock;
  readonly pending: { readonly [name: string]: { readonly entry: LockEntry; readonly pid: number } };
}

export function readHub(skills: string): Hub {
  const { installed = {}, pending = {} } = (readJson(join(skills, ".hub/lock.json")) ?? {}) as Partial<Hub>;
  return { installed, pending };
}

export function writeHub(skills: string, { installed, pending }: Hub): void {
  writeWhole(
    join(skills, ".hub/lock.json"),
    `${JSON.stringify({ version: 1, installed, pending: Object.keys(pending).length === 0 ? undefined : pending }, null, 2)}\n`,
  );
}

export function readLock(skills: string): Lock {
  return readHub(skills).installed;
}

export function readTaps(skills: string): readonly Tap[] {
  return (readJson(join(skills, ".hub/taps.json")) as { readonly taps?: readonly Tap[] } | undefined)?.taps ?? [];
}

export function writeTaps(skills: string, taps: readonly Tap[]): void {
  writeWhole(join(skills, ".hub/taps.json"), `${JSON.stringify({ taps }, null, 2)}\n`);
}

/** A source as stored: folders become absolute, because the agent may start elsewhere later. */
export function sourceNamed(given: string): string {
  return /^\.\.?(\/|$)/.test(given) ? resolve(given) : given;
}

/** One line of the audit log. */
export function note(
  skills: string,
  action: "INSTALL" | "UNINSTALL" | "BLOCKED" | "PUBLISH",
  name: string,
  what: string,
): void {
  mkdirSync(join(skills, ".hub"), { recursive: true, mode: 0o700 });
  appendFileSync(
    join(skills, ".hub/audit.log"),
    `${new Date().toISOString().slice(0, 19)}Z ${action} ${name} ${what}\n`,
    { mode: 0o600 },
  );
}

export interface Digest {
  /** As the original writes it. */
  readonly short: string;
  readonly full: string;
  readonly files: readonly string[];
}

/** SHA-256 over the files by their paths: path, NUL, bytes. */
export function digestOf(folder: string): Digest {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(folder, file)));
  const full = hash.digest("hex");
  return { short: `sha256:${full.slice(0, 16)}`, full, files };
}

/** @throws {UserError} for an unreadable file: writing a new one would lose its content. */
function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new UserError(
      `Cannot read ${file}, the list of installed skills: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        hint: "Fix the file, or move it away: Hermes then forgets the origin of installed skills, but keeps the skills.",
        cause,
      },
    );
  }
}
