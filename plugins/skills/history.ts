import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "hermes-agent/plugin";

/** A skill as it was before something changed it. */
export interface Version {
  readonly id: string;
  readonly name: string;
  /** Where it lay in the folder of skills. */
  readonly path: string;
  readonly at: number;
  /** The change that the version precedes. */
  readonly why: string;
}

const MAX_VERSIONS = 100;
const MAX_BYTES = 50_000_000;
/** Stored next to the copy, which is in `skill`. */
const ABOUT = "about.json";

/** Saves a whole skill as it is now. @param move Moves the folder instead of copying it. */
export function keepVersion(skills: string, path: string, why: string, move = false): Version {
  const name = basename(path);
  let at = Date.now();
  const idOf = (time: number): string => `${new Date(time).toISOString().replaceAll(/[-:Z]/g, "")}-${name}`;
  // One of the same moment comes after it.
  while (existsSync(join(skills, ".history", idOf(at)))) at++;
  const id = idOf(at);
  const place = join(skills, ".history", id);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const version: Version = { id, name, path, at, why };
  writeFileSync(join(place, ABOUT), JSON.stringify(version));
  if (move) renameSync(join(skills, path), join(place, "skill"));
  else {
    // Half a copy is no version.
    cpSync(join(skills, path), join(place, "copying"), { recursive: true, verbatimSymlinks: true });
    renameSync(join(place, "copying"), join(place, "skill"));
  }
  prune(skills);
  return version;
}

/** Where all of a version's files lie. */
export function versionFolder(skills: string, { id }: Version): string {
  return join(skills, ".history", id, "skill");
}

/** Newest first. */
export function versions(skills: string): readonly Version[] {
  return idsOf(skills).flatMap((id) => {
    try {
      if (!existsSync(join(skills, ".history", id, "skill"))) return [];
      return [JSON.parse(readFileSync(join(skills, ".history", id, ABOUT), "utf8")) as Version];
    } catch {
      return []; // Half written when its process was killed: nothing was changed then.
    }
  });
}

/**
 * Restores a version; the current content becomes a version itself.
 * @param which An id, or the name of a skill for its newest.
 * @throws {UserError} when there is none.
 */
export function restoreVersion(skills: string, which: string): Version {
  const all = versions(skills);
  const found = all.find(({ id }) => id === which) ?? all.find(({ name, path }) => name === which || path === which);
  if (found === undefined)
    throw new UserError(`There is no earlier version "${which}".`, {
      hint: "`hermes skills history` lists all earlier versions.",
      exitCode: 2,
    });
  const target = join(skills, found.path);
  const beside = join(skills, `.new-${found.name}-${process.pid}`);
  cpSync(versionFolder(skills, found), beside, { recursive: true, verbatimSymlinks: true });
  if (existsSync(target)) keepVersion(skills, found.path, `restore of ${found.id}`, true);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  renameSync(beside, target);
  return found;
}

/** The newest stay, up to a number and a size; the one of this moment always does. */
function prune(skills: string): void {
  let bytes = 0;
  for (const [index, id] of idsOf(skills).entries()) {
    const folder = join(skills, ".history", id);
    bytes += sizeOf(folder);
    if (index > 0 && (index >= MAX_VERSIONS || bytes > MAX_BYTES)) rmSync(folder, { recursive: true, force: true });
  }
}

function idsOf(skills: string): readonly string[] {
  try {
    return readdirSync(join(skills, ".history")).sort((a, b) => (a < b ? 1 : -1));
  } catch {
    return []; // Nothing was changed yet.
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0),
    0,
  );
}
