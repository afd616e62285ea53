import { accessSync, constants, readdirSync, statSync, type Stats } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fingerprint } from "../../../contract/common/fingerprint.ts";

const KINDS = ["program", "path", "file", "folder", "unknown"] as const;

/**
 * What a plugin looked up in the system while it registered. Another answer may register something else.
 *
 * - `program`: a name on PATH.
 * - `path`: whether a path exists, and as what.
 * - `file`: the content of a file, compared by size and time of change.
 * - `folder`: the names in a folder.
 * - `unknown`: something without a cheap comparison, such as a program that it ran. Only a reload asks again.
 */
export type LookupKind = (typeof KINDS)[number];

/**
 * A lookup, its answer as a short text (empty: there is none), and how often another answer led to the same
 * registrations.
 */
export type Lookup = readonly [kind: LookupKind, name: string, answer: string, futile: number];

/** After so many futile registrations, a file is the plugin's own state and no start compares it. */
const MOST_FUTILE = 3;
/** More names than these are compared by the folder's time of change. */
const MOST_NAMES = 1_000;

/**
 * The lookups that a runtime reports as `[kind, name, found]`, with today's answers. If the plugin found something else,
 * its own answer counts: it may have created the file since.
 */
export function lookupsOf(reported: unknown, path: string | undefined): readonly Lookup[] {
  if (!Array.isArray(reported)) return [];
  return (reported as readonly unknown[]).flatMap((one): readonly Lookup[] => {
    const [kind, name, found] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    if (!KINDS.includes(kind as LookupKind) || typeof name !== "string") return [];
    const now = answerTo(kind as LookupKind, name, path);
    const differs = typeof found === "boolean" && found !== (now !== "");
    return [[kind as LookupKind, name, differs ? (found ? "found" : "") : now, 0]];
  });
}

/**
 * Whether one of the lookups has another answer now.
 * @param reload The user asked to reload: also compares files that change all the time, and never trusts `unknown`.
 */
export function haveChanged(lookups: readonly Lookup[], path: string | undefined, reload = false): boolean {
  return lookups.some(([kind, name, answer, futile]) =>
    kind === "unknown" ? reload : (reload || futile < MOST_FUTILE) && answerTo(kind, name, path) !== answer,
  );
}

/** The lookups of a registration that equals the one before, which counts the answers that changed for nothing. */
export function countFutile(now: readonly Lookup[], before: readonly Lookup[]): readonly Lookup[] {
  const known = new Map(before.map((one) => [`${one[0]} ${one[1]}`, one]));
  return now.map(([kind, name, answer, futile]) => {
    const old = known.get(`${kind} ${name}`);
    return [kind, name, answer, old === undefined ? futile : old[3] + (kind === "file" && old[2] !== answer ? 1 : 0)];
  });
}

function answerTo(kind: LookupKind, name: string, path: string | undefined): string {
  if (kind === "unknown") return "";
  if (kind === "program") return isOnPath(name, path) ? "found" : "";
  const file = resolve(name);
  const stat = statOf(file);
  if (stat === undefined) return "";
  if (kind === "path") return stat.isDirectory() ? "folder" : isExecutable(file) ? "program" : "file";
  if (kind === "file") return stat.isFile() ? `${stat.size} ${stat.mtimeMs}` : "other";
  return namesIn(file) ?? String(stat.mtimeMs);
}

function isOnPath(name: string, path: string | undefined): boolean {
  return (path ?? "").split(delimiter).some((folder) => {
    if (folder === "") return false;
    const file = join(folder, name);
    return statOf(file)?.isFile() === true && isExecutable(file);
  });
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // A part of the path is no folder, or not readable: not found either.
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Or it cannot be read, which has the same effect.
  }
}

function namesIn(folder: string): string | undefined {
  try {
    const names = readdirSync(folder);
    return names.length > MOST_NAMES ? undefined : fingerprint(names.sort().join("/")).slice(0, 12);
  } catch {
    return undefined; // No folder, or not readable.
  }
}
