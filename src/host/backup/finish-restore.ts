import { existsSync, lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withFileLock } from "../config/file-lock.ts";
import { makeFolder } from "../environment/make-folder.ts";

/** The folder of a home in which a restore unpacks, and the plan that makes it take effect. */
export const STAGE = ".import";
export const PLAN = "plan.json";

/** Written when everything is unpacked and checked: from then on, the restore is only completed, never undone. */
export interface RestorePlan {
  /** Paths relative to the home; their new content is in `.import/files`. */
  readonly replace: readonly string[];
  /** Files that no longer belong to the restored ones, such as the WAL of a replaced database. */
  readonly remove: readonly string[];
  /** Folder for replaced files, relative to the home. */
  readonly replacedIn: string;
}

/**
 * Moves the unpacked files of a restore into place. May be repeated: each step looks at what was done before. Replaced
 * files are moved to `replacedIn`.
 */
export async function finishRestore(home: string): Promise<void> {
  // Under a lock: the process that restores may still be at work, and two starts may come at once.
  await withFileLock(join(home, STAGE), () => {
    const stage = join(home, STAGE);
    const file = join(stage, PLAN);
    if (!existsSync(file)) return;
    const plan = JSON.parse(readFileSync(file, "utf8")) as RestorePlan;
    for (const path of plan.remove) if (isPending(stage, plan)) moveAside(home, path, plan.replacedIn);
    for (const path of plan.replace) {
      const unpacked = join(stage, "files", path);
      if (!existsSync(unpacked)) continue; // It is in place already.
      moveAside(home, path, plan.replacedIn);
      makeFolder(dirname(join(home, path)));
      renameSync(unpacked, join(home, path));
    }
    rmSync(file);
    rmSync(stage, { recursive: true, force: true });
  });
}

/** Whether a file still waits. If not, files beside a database belong to the restored one. */
function isPending(stage: string, plan: RestorePlan): boolean {
  return plan.replace.some((path) => existsSync(join(stage, "files", path)));
}

function moveAside(home: string, path: string, replacedIn: string): void {
  const [here, aside] = [join(home, path), join(home, replacedIn, path)];
  // A file that is there again was made after the first was moved, by a process that runs meanwhile.
  if (lstatSync(here, { throwIfNoEntry: false }) === undefined || existsSync(aside)) return;
  makeFolder(dirname(aside));
  renameSync(here, aside);
}
