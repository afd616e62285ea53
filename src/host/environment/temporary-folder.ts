import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Notice } from "../../contract/common/notice.ts";
import { makeFolder } from "./make-folder.ts";

/** Where this process and its children put temporary files. */
export interface TemporaryFolder {
  readonly folder: string;
  /** Why the folder that the environment names cannot be used. */
  readonly problem?: string;
  /** No folder can be used. */
  readonly none?: true;
}

const HINT = "Set TMPDIR to a folder that you can write to.";

/**
 * The folder that the environment names if it can be used, else another one.
 * @param own A folder in the home, made if no other folder can be used.
 */
export function temporaryFolder(own: string, named: string = tmpdir()): TemporaryFolder {
  const problem = problemOf(named);
  if (problem === undefined) return { folder: named };
  const other = ["/tmp", "/var/tmp"].find((folder) => problemOf(folder) === undefined);
  if (other !== undefined) return { folder: other, problem: `${named} ${problem}` };
  try {
    makeFolder(own);
  } catch {
    return { folder: named, problem: `${named} ${problem}`, none: true };
  }
  return { folder: own, problem: `${named} ${problem}` };
}

/** What the user should know about it. */
export function temporaryNotice({ folder, problem, none }: TemporaryFolder): Notice | undefined {
  if (problem === undefined) return undefined;
  if (none)
    return { level: "error", text: `The folder for temporary files ${problem}, and there is no other.`, hint: HINT };
  return { level: "warning", text: `The folder for temporary files ${problem}; Hermes uses ${folder}.`, hint: HINT };
}

function problemOf(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "is not a folder";
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "does not exist";
    if (code === "ENOTDIR") return "is inside a file";
    return `cannot be written (${code})`;
  }
}
