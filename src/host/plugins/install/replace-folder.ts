import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces `to` with `from`; on failure the old folder is restored. If the process is killed, the old or the new folder
 * stays whole: in place, or beside it for `endLeftInstalls`.
 */
export function replaceFolder(from: string, to: string): void {
  endLeftInstalls(dirname(to));
  const beside = (kind: "fresh" | "before"): string => join(dirname(to), `.${basename(to)}.${kind}-${process.pid}`);
  const [fresh, before] = [beside("fresh"), beside("before")];
  try {
    bring(from, fresh);
    if (existsSync(to)) renameSync(to, before);
    renameSync(fresh, to);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(to) && existsSync(before)) renameSync(before, to);
    throw error;
  }
  rmSync(before, { recursive: true, force: true });
}

/** A new, hidden folder in `packages` for a fetch; removes one that a killed process left. */
export function stageName(packages: string): string {
  endLeftInstalls(packages);
  return join(packages, `.install-${process.pid}-`);
}

const LEFT = /^\.(?:install-(?<stage>\d+)-|(?<place>.+)\.(?<kind>fresh|before)-(?<pid>\d+)$)/;

/**
 * Cleans up after killed processes in this folder: restores an old folder that was not yet replaced, and deletes the
 * rest.
 */
export function endLeftInstalls(folder: string): void {
  for (const name of names(folder)) {
    const { stage, place, kind, pid } = LEFT.exec(name)?.groups ?? {};
    const left = join(folder, name);
    const owner = stage ?? pid;
    if (owner === undefined || works(Number(owner), left)) continue;
    try {
      if (kind === "before" && !existsSync(join(folder, place!))) renameSync(left, join(folder, place!));
      else rmSync(left, { recursive: true, force: true });
    } catch {
      // Another Hermes process did it first, or this one lacks permission: the folder stays, hidden.
    }
  }
}

/** The last step is a rename, which copies nothing, however large the folder is. */
function bring(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Process numbers are reused; no install takes a day. */
function works(pid: number, left: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return Math.abs(Date.now() - (statSync(left, { throwIfNoEntry: false })?.ctimeMs ?? 0)) < 86_400_000;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The folder does not exist.
  }
}
