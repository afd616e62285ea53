import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Puts `from` where `to` is, whatever lies there; what lay there is back when it does not work. A process that is killed meanwhile leaves the
 * old folder or the new one, whole: in its place, or beside it for `endLeftInstalls`.
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

/** A new, hidden folder in `packages` for what is being fetched; one that a killed process left is removed. */
export function stageName(packages: string): string {
  endLeftInstalls(packages);
  return join(packages, `.install-${process.pid}-`);
}

const LEFT = /^\.(?:install-(?<stage>\d+)-|(?<place>.+)\.(?<kind>fresh|before)-(?<pid>\d+)$)/;

/** Ends what processes that are gone had begun in this folder: an old folder is back where no new one had come, and nothing else is left. */
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
      // Another process of ours was first, or this one may not: then it stays as it is, hidden.
    }
  }
}

/** The last step is a rename, which takes no copy of what may be large. */
function bring(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** A process number is used again: nothing takes a day. */
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
    return []; // Nothing was ever put there.
  }
}
