import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, posix, sep } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { RestoreReport } from "../../contract/services/backup-service.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { makeFolder } from "../environment/make-folder.ts";
import { INDEX_NAMES, STATE_NAMES, stateFile } from "../store/facts/store-files.ts";
import { finishRestore, PLAN, STAGE, type RestorePlan } from "./finish-restore.ts";
import { openBackup, type BackupFile, type OpenBackup } from "./read-backup.ts";

export interface RestorePorts {
  readonly home: string;
  /** Whether the home is that of a named profile, which has no profiles below it. */
  readonly isProfile: boolean;
  readonly now: () => number;
  /** The lock of the home's only gateway; `undefined` while one runs. */
  readonly takeSeat: () => Promise<Disposable | undefined>;
}

/** A file of the backup, and the path that it gets. */
interface Target {
  readonly file: BackupFile;
  readonly path: string;
}

const SHOWN = 8;
/** What SQLite puts beside a database. */
const BESIDE = ["-wal", "-shm", "-journal"] as const;

/**
 * Restores a backup into a home: unpacks it beside the home's files, checks every digest, then moves the files into
 * place. @throws {UserError}
 */
export async function restoreBackup(
  path: string,
  options: { readonly force: boolean },
  ports: RestorePorts,
): Promise<RestoreReport> {
  const { home } = ports;
  await using backup = await openBackup(path);
  using _seat = await seatOf(ports);
  // A restore that was killed before its plan was complete left only unpacked files.
  await finishRestore(home);
  rmSync(join(home, STAGE), { recursive: true, force: true });
  const targets = targetsOf(backup.files, home, ports.isProfile);
  const different = targets.filter((target) => !isSame(target, home));
  const replaced = different.filter((target) => exists(join(home, target.path)));
  if (replaced.length > 0 && !options.force) throw wouldReplace(replaced, home);
  for (const target of different) refuseOutside(target, home);
  try {
    await unpack(backup, targets, different, home);
  } catch (error) {
    rmSync(join(home, STAGE), { recursive: true, force: true });
    throw error;
  }
  const plan = planOf(different, ports.now());
  // From here on, a start of Hermes completes the restore if this process is killed.
  writeAtomically(join(home, STAGE, PLAN), `${JSON.stringify(plan)}\n`);
  await finishRestore(home);
  const original = targets.find((target) => isOriginalStore(target.file));
  return {
    contents: backup.contents,
    restored: different.map((target) => target.path),
    unchanged: targets.length - different.length,
    replacedIn: replaced.length === 0 ? undefined : join(home, plan.replacedIn),
    originalStore: original === undefined ? undefined : join(home, original.path),
  };
}

async function seatOf({ takeSeat }: RestorePorts): Promise<Disposable> {
  const seat = await takeSeat();
  if (seat === undefined)
    throw new UserError("A gateway is running in this home. Nothing was changed.", {
      hint: "Stop it first: hermes gateway stop",
    });
  return seat;
}

function targetsOf(files: readonly BackupFile[], home: string, isProfile: boolean): readonly Target[] {
  return files
    .filter(({ path }) => !(isProfile && path.startsWith("profiles/")))
    .map((file) => ({ file, path: placeOf(file, files, home) }));
}

/** Two programs may have a `state.db` in one home: the name of ours depends on what else is there. */
function placeOf(file: BackupFile, files: readonly BackupFile[], home: string): string {
  const folder = posix.dirname(file.path) === "." ? "" : `${posix.dirname(file.path)}/`;
  const own = basename(stateFile(join(home, folder)));
  if (file.kind === "store") {
    const beside = files.some((other) => other.path === `${folder}${STATE_NAMES[0]}` && isOriginalStore(other));
    return `${folder}${beside ? STATE_NAMES[1] : own}`;
  }
  if (!isOriginalStore(file)) return file.path;
  const ours = own === STATE_NAMES[0] && exists(join(home, folder, own));
  return ours ? `${folder}state.original.db` : file.path;
}

function isOriginalStore({ path, kind }: BackupFile): boolean {
  return kind === "database" && /^(?:profiles\/[^/]+\/)?state\.db$/.test(path);
}

/** Databases are never compared: reading one here would drop the locks of a process that uses it. */
function isSame({ file, path }: Target, home: string): boolean {
  if (file.kind !== "file" || file.sha256 === undefined) return false;
  const stat = statSync(join(home, path), { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size !== file.entry.size) return false;
  return (
    createHash("sha256")
      .update(readFileSync(join(home, path)))
      .digest("hex") === file.sha256
  );
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function wouldReplace(replaced: readonly Target[], home: string): UserError {
  const names = replaced.slice(0, SHOWN).map(({ path }) => path);
  const more = replaced.length > SHOWN ? ` and ${replaced.length - SHOWN} more` : "";
  return new UserError(`${home} already has other versions of ${names.join(", ")}${more}. Nothing was changed.`, {
    hint: "`--force` replaces them and moves the present files to the folder backups.",
  });
}

/** A folder of the home may be a link; a restore does not write through it. */
function refuseOutside({ path }: Target, home: string): void {
  const real = realpathSync(home);
  for (let folder = dirname(join(home, path)); folder.length > home.length; folder = dirname(folder)) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError(`Cannot restore ${path}: ${folder} is not a folder.`, { hint: "Move it away first." });
    const at = realpathSync(folder);
    if (at !== real && !at.startsWith(`${real}${sep}`))
      throw new UserError(`Cannot restore ${path}: ${folder} is a link to ${at}.`, {
        hint: "Replace the link by a folder first.",
      });
  }
}

/** Unpacks what is new, and checks everything. */
async function unpack(
  backup: OpenBackup,
  targets: readonly Target[],
  different: readonly Target[],
  home: string,
): Promise<void> {
  const written = new Set(different);
  for (const target of targets) {
    if (!written.has(target)) {
      await backup.extract(target.file, () => undefined);
      continue;
    }
    const path = join(home, STAGE, "files", target.path);
    makeFolder(dirname(path));
    const handle = await open(path, "wx", (target.file.mode & 0o700) | 0o600);
    try {
      await backup.extract(target.file, async (chunk) => void (await handle.writeFile(chunk)));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

function planOf(different: readonly Target[], at: number): RestorePlan {
  const databases = different.filter(({ file }) => file.kind !== "file").map(({ path }) => path);
  const folders = different.filter(({ file }) => file.kind === "store").map(({ path }) => posix.dirname(path));
  const indexes = folders.flatMap((folder) =>
    INDEX_NAMES.flatMap((name) => ["", ...BESIDE].map((suffix) => posix.join(folder, `${name}${suffix}`))),
  );
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return {
    replace: different.map(({ path }) => path),
    remove: [...databases.flatMap((path) => BESIDE.map((suffix) => `${path}${suffix}`)), ...indexes],
    replacedIn: `backups/before-import-${stamp}`,
  };
}
